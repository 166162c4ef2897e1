// 8-bit floats by their definition, in double. Conversions of the language are compared with these.
#ifndef TEST_E2E_SUPPORT_FLOAT8_H
#define TEST_E2E_SUPPORT_FLOAT8_H

#include "check.h"

template <> inline constexpr const char *e2e::name_of<tt::float8_e4m3fn> = "float8_e4m3fn";
template <> inline constexpr const char *e2e::name_of<tt::float8_e5m2> = "float8_e5m2";

template <> struct e2e::float_format<tt::float8_e4m3fn> { static constexpr int digits = 4, min_exponent = -6; };
template <> struct e2e::float_format<tt::float8_e5m2> { static constexpr int digits = 3, min_exponent = -14; };

template <class F> struct format;
template <> struct format<tt::float8_e4m3fn> {
  static constexpr int digits = 3, bias = 7, max = 0x7e, infinity = -1;
};
template <> struct format<tt::float8_e5m2> {
  static constexpr int digits = 2, bias = 15, max = 0x7b, infinity = 0x7c;
};

template <class F> F from_bits(int bits) {
  F x;
  x.bits = static_cast<unsigned char>(bits);
  return x;
}

template <class F> double value_of(int bits) {
  constexpr int digits = format<F>::digits, bias = format<F>::bias;
  int magnitude = bits & 0x7f, exponent = magnitude >> digits, fraction = magnitude & ((1 << digits) - 1);
  double value = exponent ? std::ldexp(1 + std::ldexp(fraction, -digits), exponent - bias)
                          : std::ldexp(fraction, 1 - bias - digits);
  if (magnitude > format<F>::max)
    value = magnitude == format<F>::infinity ? INFINITY : NAN;
  return bits & 0x80 ? -value : value;
}

// The bits of the nearest number, of two the one that is even; nothing is larger than the largest, and there is one NaN.
template <class F> int nearest(double x) {
  if (std::isnan(x))
    return 0x7f;
  int sign = std::signbit(x) ? 0x80 : 0, bits = 0;
  x = std::fmin(std::fabs(x), value_of<F>(format<F>::max));
  while (bits < format<F>::max && value_of<F>(bits + 1) <= x)
    ++bits;
  if (bits < format<F>::max) {
    double below = x - value_of<F>(bits), above = value_of<F>(bits + 1) - x; // exact
    if (above < below || (above == below && bits % 2 == 1))
      ++bits;
  }
  return sign | bits;
}

#endif // TEST_E2E_SUPPORT_FLOAT8_H
