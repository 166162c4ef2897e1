// Tests .to<T>() from floating-point types to every element type.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/casts.h"

// Numbers of all magnitudes, and numbers halfway between two float16 or two bfloat16.
template <class T> T any_magnitude(int) {
  using format = e2e::float_format<T>;
  int lowest = format::min_exponent, digits = e2e::random_bits() & 1 ? 12 : 9;
  double significand = 1 + 2 * double(e2e::between(0, 1 << (digits - 1))) / (1 << digits);
  double x = std::ldexp(significand, int(e2e::between(lowest, -lowest)));
  return T(e2e::random_bits() & 1 ? x : -x);
}
template <class T> T moderate(int) { return T(e2e::uniform(-300, 300)); }

int main() {
  return e2e::run("casts-floats", [] {
    check<tt::float16>("moderate", moderate<tt::float16>);
    check<tt::float16>("any", any_magnitude<tt::float16>);
    check<tt::bfloat16>("moderate", moderate<tt::bfloat16>);
    check<tt::bfloat16>("any", any_magnitude<tt::bfloat16>);
    check<float>("moderate", moderate<float>);
    check<float>("any", any_magnitude<float>);
    check<double>("moderate", moderate<double>);
    check<double>("any", any_magnitude<double>);
  });
}
