// Tests every operator on tiles of integers of 32 and 64 bits, all of which wrap.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/integers.h"

int main() {
  return e2e::run("elementwise-wide", [] {
    check<int32_t>();
    check<uint32_t>();
    check<int64_t>();
    check<uint64_t>();
  });
}
