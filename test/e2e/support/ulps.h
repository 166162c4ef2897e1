// Computes how far the results of a function are from the true values, in units in the last place, and keeps the
// largest distance for each function, which programs print.
#ifndef TEST_E2E_SUPPORT_ULPS_H
#define TEST_E2E_SUPPORT_ULPS_H

#include "check.h"

#include <map>
#include <string>

namespace e2e {

inline std::map<std::string, double> largest_ulps;

inline void print_ulps(const char *type) {
  std::printf("%s, largest errors in ulp:", type);
  for (auto &[name, ulps] : largest_ulps)
    std::printf(" %s %.3f", name.c_str(), ulps);
  std::printf("\n");
  largest_ulps.clear();
}

// A zero must have the sign of the true value, which may be too small for T; what is too large for T becomes infinite.
template <class T>
bool within_ulps(const char *function, T got, long double want, double allowed, double x, double y = NAN) {
  const double value = double(got), rounded = double(T(double(want)));
  bool good;
  if (std::isnan(want) || std::isnan(value)) {
    good = std::isnan(want) && std::isnan(value);
  } else if (value == rounded && (value != 0 || allowed == 0 || std::signbit(value) == std::signbit(want))) {
    good = true;
    if (!std::isinf(value))
      largest_ulps[function] = std::max(largest_ulps[function], double(std::fabs(value - want) / ulp<T>(double(want))));
  } else if (std::isinf(value) || std::isinf(want)) {
    // The largest number and what lies beyond it are as near as any neighbours.
    const long double beyond = std::ldexp(1.0L, 1 - float_format<T>::min_exponent);
    long double a = std::isinf(value) ? std::copysign(beyond, (long double)value) : value;
    long double b = std::isinf(want) || std::fabs(want) > beyond ? std::copysign(beyond, want) : want;
    good = std::fabs(a - b) <= allowed * std::ldexp(1.0L, 1 - float_format<T>::min_exponent - float_format<T>::digits);
  } else {
    double distance = double(std::fabs(value - want) / ulp<T>(double(want)));
    largest_ulps[function] = std::max(largest_ulps[function], distance);
    good = distance <= allowed && (value == 0 || want == 0 || std::signbit(value) == std::signbit(want));
  }
  if (!good && y == y)
    fail("%s(%.17g, %.17g) is %.17g, not %.17Lg", function, x, y, value, want);
  else if (!good)
    fail("%s(%.17g) is %.17g, not %.17Lg", function, x, value, want);
  return good;
}

} // namespace e2e

#endif // TEST_E2E_SUPPORT_ULPS_H
