// Tests operands that are stored by rows and by columns, in memory and in shared memory.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/dot.h"

using tt::bfloat16;
using tt::float16;
using tt::precision;

int main() {
  return e2e::run("dot-orders", [] {
    check_tile<float16, float16, float, 64, 64, 32, 4, precision::ieee, 0, true, false>();
    check_tile<float16, float16, float, 32, 64, 64, 4, precision::ieee, 0, false, true>();
    check_tile<bfloat16, bfloat16, float, 64, 32, 32, 8, precision::ieee, 0, true, true>();
    check_tile<float, float, float, 32, 64, 32, 4, precision::tf32, 0, true, false>();
    check_tile<float, float, float, 64, 32, 32, 4, precision::tf32, 0, false, true>();
    check_tile<double, double, double, 32, 32, 16, 4, precision::ieee, 0, true, true>();
    check_tile<int8_t, int8_t, int, 64, 32, 64, 4, precision::ieee, 0, true, false>();
    check_tile<int8_t, int8_t, int, 32, 64, 64, 2, precision::ieee, 0, false, true>();
  });
}
