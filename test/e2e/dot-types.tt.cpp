// Tests matrix multiplications of every element type, with sizes that are no multiple of a tile.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/matmul.h"

int main() {
  return e2e::run("dot-types", [] {
    check<tt::float16, float, 32, 32, 16>(31, 33, 50);
    check<tt::bfloat16, float, 16, 32, 32>(40, 60, 31);
    check<double, double, 16, 16, 16>(17, 33, 15);
    check<int8_t, int, 32, 32, 32>(33, 31, 65);
  });
}
