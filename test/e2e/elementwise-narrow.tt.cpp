// Tests every operator on tiles of integers of 8 and 16 bits. Unlike in C, these do not promote, and all wrap.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/integers.h"

int main() {
  return e2e::run("elementwise-narrow", [] {
    check<int8_t>();
    check<uint8_t>();
    check<int16_t>();
    check<uint16_t>();
  });
}
