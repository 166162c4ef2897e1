// Tests .to<T>() from bool and from integers of 8 and 16 bits to every element type.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/casts.h"

int main() {
  return e2e::run("casts-narrow", [] {
    check<bool>("any", e2e::random<bool>);
    check<int8_t>("any", e2e::random<int8_t>);
    check<uint8_t>("any", e2e::random<uint8_t>);
    check<int16_t>("any", e2e::random<int16_t>);
    check<uint16_t>("any", e2e::random<uint16_t>);
  });
}
