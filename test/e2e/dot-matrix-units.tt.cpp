// Tests dots of every type on matrix units, with tiles from less than one instruction to many per warp.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/dot.h"

using tt::bfloat16;
using tt::float16;
using tt::precision;

int main() {
  return e2e::run("dot-matrix-units", [] {
    check_tile<float16, float16, float, 16, 16, 16, 1>();
    check_tile<float16, float16, float, 64, 32, 64, 4>();
    check_tile<float16, float16, float, 32, 32, 32, 16>();
    check_tile<float16, float16, float16, 32, 32, 32, 2>();
    check_tile<bfloat16, bfloat16, float, 32, 64, 32, 8>();
    check_tile<bfloat16, bfloat16, bfloat16, 32, 16, 64, 4>();
    check_tile<float16, float16, bfloat16, 16, 32, 16, 4>();
    check_tile<float, float, float, 32, 32, 32, 4, precision::tf32>();
    check_tile<float, float, float, 16, 64, 8, 8, precision::tf32>();
    check_tile<double, double, double, 32, 16, 16, 4>();
    check_tile<double, double, double, 16, 16, 4, 2>();
    check_tile<float16, float16, double, 16, 16, 16, 4>();
    check_tile<int8_t, int8_t, int, 32, 32, 64, 4>();
    check_tile<int8_t, int8_t, int, 16, 16, 16, 4>();
    // Less than one instruction: the remaining lanes and registers hold copies.
    check_tile<float16, float16, float, 1, 16, 16, 4>();
    check_tile<float16, float16, float, 8, 8, 16, 1>();
    check_tile<float16, float16, float, 4, 2, 8, 1>();
    check_tile<bfloat16, bfloat16, float, 16, 1, 32, 4>();
    check_tile<float16, float16, float, 16, 16, 4, 4>();
  });
}
