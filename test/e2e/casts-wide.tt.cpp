// Tests .to<T>() from integers of 32 and 64 bits to every element type.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/casts.h"

int main() {
  return e2e::run("casts-wide", [] {
    check<int32_t>("any", e2e::random<int32_t>);
    check<uint32_t>("any", e2e::random<uint32_t>);
    check<int64_t>("any", e2e::random<int64_t>);
    check<uint64_t>("any", e2e::random<uint64_t>);
  });
}
