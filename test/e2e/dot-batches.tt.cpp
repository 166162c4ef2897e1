// Tests batched dots, on matrix units and by multiply and add.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/dot.h"

using tt::bfloat16;
using tt::float16;
using tt::precision;

int main() {
  return e2e::run("dot-batches", [] {
    check_batches<float16, float, 4, 16, 32, 16, 4>();
    check_batches<bfloat16, float, 2, 32, 16, 32, 8>();
    check_batches<float, float, 2, 16, 16, 16, 4, precision::tf32>();
    check_batches<float, float, 2, 16, 16, 8, 2>();
    check_batches<float, float, 4, 16, 16, 16, 4, precision::tf32x3>();
    check_batches<double, double, 2, 16, 8, 8, 1>();
    check_batches<int8_t, int, 1, 16, 16, 32, 4>();
    check_batches<float16, float, 2, 8, 4, 2, 4>();
  });
}
