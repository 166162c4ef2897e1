// Tests dots of f32 in every precision, and dots of signed and unsigned bytes.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/dot.h"

using tt::bfloat16;
using tt::float16;
using tt::precision;

int main() {
  return e2e::run("dot-precisions", [] {
    check_tile<float, float, float, 32, 32, 32, 4, precision::tf32x3>();
    check_tile<float, float, float, 16, 32, 16, 2, precision::bf16x3>();
    check_tile<float, float, float, 32, 16, 16, 4, precision::bf16x6>();
    check_tile<float, float, float, 32, 32, 16, 4, precision::ieee>();
    check_tile<uint8_t, uint8_t, int, 32, 32, 32, 4>();
    check_tile<int8_t, uint8_t, int, 16, 32, 64, 4>();
    check_tile<uint8_t, int8_t, int, 32, 16, 32, 2>();
    check_tile<uint8_t, int8_t, int, 16, 16, 4, 4>(); // by multiply and add
  });
}
