//===-- Directed.cpp - directed rounding in double precision ------------------------------------------------------===//
//
// Compilers treat floating-point operations as pure functions and move them across calls of fesetround. Of the
// standard's remedies, g++ supports none and clang++ not all. Volatile accesses are not moved: operands are read after
// the mode is set, and the result is written before the mode is restored.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/isa/numerics/Directed.h"

#include <cfenv>
#include <cmath>

namespace tilecc::emu::directed {

namespace {

class RoundingMode {
public:
  explicit RoundingMode(Rounding rounding) : before(fegetround()) {
    fesetround(rounding == Rounding::rz   ? FE_TOWARDZERO
               : rounding == Rounding::rm ? FE_DOWNWARD
               : rounding == Rounding::rp ? FE_UPWARD
                                          : FE_TONEAREST);
  }
  ~RoundingMode() { fesetround(before); }
  RoundingMode(const RoundingMode &) = delete;
  RoundingMode &operator=(const RoundingMode &) = delete;

private:
  int before;
};

} // namespace

double add(double a, double b, Rounding rounding) {
  volatile double x = a, y = b, result;
  RoundingMode mode(rounding);
  result = x + y;
  return result;
}

double mul(double a, double b, Rounding rounding) {
  volatile double x = a, y = b, result;
  RoundingMode mode(rounding);
  result = x * y;
  return result;
}

double fma(double a, double b, double c, Rounding rounding) {
  volatile double x = a, y = b, z = c, result;
  RoundingMode mode(rounding);
  result = std::fma(x, y, z);
  return result;
}

double div(double a, double b, Rounding rounding) {
  volatile double x = a, y = b, result;
  RoundingMode mode(rounding);
  result = x / y;
  return result;
}

double sqrt(double a, Rounding rounding) {
  volatile double x = a, result;
  RoundingMode mode(rounding);
  result = std::sqrt(x);
  return result;
}

} // namespace tilecc::emu::directed
