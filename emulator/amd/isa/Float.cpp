//===-- Float.cpp - floating-point vector instructions ---------------------------------------------------------===//
#include "emulator/amd/Table.h"
#include "emulator/isa/numerics/Convert.h"

#include <algorithm>
#include <cmath>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

namespace {

f16 half(float x) { return convert<f16>(x); }

// Returns the smaller operand, or the other one if one is a NaN. -0 is less than 0.
template <class T> T least(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T> T greatest(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}
// Returns a NaN if an operand is a NaN.
template <class T> T minimum(T a, T b) { return std::isnan(a) ? a : std::isnan(b) ? b : least(a, b); }
template <class T> T maximum(T a, T b) { return std::isnan(a) ? a : std::isnan(b) ? b : greatest(a, b); }

template <class T> T median(T a, T b, T c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c))
    return least(least(a, b), c);
  return greatest(least(a, b), least(greatest(a, b), c));
}

// Transcendental instructions flush subnormal sources and results to zero.
float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }
// Returns the sine or cosine of an angle in turns.
float ofTurns(double (*function)(double), float turns) {
  double part = static_cast<double>(turns) - std::floor(static_cast<double>(turns));
  return static_cast<float>(function(part * 2 * M_PI));
}
template <class T> T fraction(T x) {
  T part = x - std::floor(x), largest = std::nextafter(T(1), T(0));
  return part > largest ? largest : part;
}

template <class T> T mantissa(T x) {
  int exponent;
  return std::isfinite(x) ? std::frexp(x, &exponent) : x;
}
template <class T> s32 exponentOf(T x) {
  int exponent = 0;
  if (std::isfinite(x))
    std::frexp(x, &exponent);
  return exponent;
}

// The steps of a division: scaling to avoid overflow, and the correction of special cases.
template <class T> constexpr int digits = std::is_same_v<T, float> ? 23 : 52;
template <class T> constexpr int scaleStep = std::is_same_v<T, float> ? 64 : 128;
template <class T> int fieldOf(T x) {
  if constexpr (std::is_same_v<T, float>)
    return bitsOf(x) >> 23 & 0xff;
  else
    return bitsOf(x) >> 52 & 0x7ff;
}

template <class T> WithCarry<T> divScale(T which, T denominator, T numerator) {
  constexpr int bias = std::is_same_v<T, float> ? 127 : 1023, range = std::is_same_v<T, float> ? 96 : 768;
  bool isDenominator = bitsOf(which) == bitsOf(denominator);
  T quotient = numerator / denominator, inverse = T(1) / denominator;
  auto isSubnormal = [](T x) { return x != 0 && std::fabs(x) < std::numeric_limits<T>::min(); };
  if (denominator == 0 || numerator == 0)
    return {std::numeric_limits<T>::quiet_NaN(), false};
  if (fieldOf(numerator) - fieldOf(denominator) >= range) // the quotient may overflow
    return {isDenominator ? std::ldexp(which, scaleStep<T>) : which, true};
  if (isSubnormal(denominator))
    return {std::ldexp(which, scaleStep<T>), false};
  if (isSubnormal(inverse) && isSubnormal(quotient))
    return {isDenominator ? std::ldexp(which, scaleStep<T>) : which, true};
  if (isSubnormal(inverse))
    return {std::ldexp(which, -scaleStep<T>), false};
  if (isSubnormal(quotient))
    return {isDenominator ? which : std::ldexp(which, scaleStep<T>), true};
  if (fieldOf(numerator) <= digits<T>)
    return {std::ldexp(which, scaleStep<T>), false};
  (void)bias;
  return {which, false};
}

template <class T> T divFmas(T a, T b, T c, bool scaled) {
  T sum = std::fma(a, b, c);
  return scaled ? std::ldexp(sum, fieldOf(c) > (std::is_same_v<T, float> ? 127 : 1023) ? scaleStep<T> : -scaleStep<T>)
                : sum;
}

template <class T> T divFixup(T quotient, T denominator, T numerator) {
  bool negative = std::signbit(denominator) != std::signbit(numerator);
  T infinity = std::numeric_limits<T>::infinity();
  if (std::isnan(numerator) || std::isnan(denominator))
    return std::isnan(numerator) ? numerator : denominator;
  if ((numerator == 0 && denominator == 0) || (std::isinf(numerator) && std::isinf(denominator)))
    return std::numeric_limits<T>::quiet_NaN();
  if (denominator == 0 || std::isinf(numerator))
    return negative ? -infinity : infinity;
  if (std::isinf(denominator) || numerator == 0)
    return negative ? -T(0) : T(0);
  return negative ? -std::fabs(quotient) : std::fabs(quotient);
}

constexpr auto acc = Row::accumulates;

} // namespace

std::vector<Row> tilecc::emu::amd::floatRows() {
  return {
      lanes<[](float a, float b) { return a + b; }>("v_add_f32"),
      lanes<[](float a, float b) { return a - b; }>("v_sub_f32"),
      lanes<[](float a, float b) { return b - a; }>("v_subrev_f32"),
      lanes<[](float a, float b) { return a * b; }>("v_mul_f32"),
      lanes<[](float a, float b) { return a == 0 || b == 0 ? 0.0f : a * b; }>("v_mul_legacy_f32|v_mul_dx9_zero_f32"),
      lanes<[](float a, float b, float c) { return std::fma(a, b, c); }>("v_fma_f32|v_fmaak_f32|v_fmamk_f32"),
      lanes<[](float a, float b, float c) { return std::fma(a, b, c); }>("v_fmac_f32", acc),
      lanes<[](float a, float b) { return least(a, b); }>("v_min_f32|v_min_num_f32"),
      lanes<[](float a, float b) { return greatest(a, b); }>("v_max_f32|v_max_num_f32"),
      lanes<[](float a, float b) { return minimum(a, b); }>("v_minimum_f32"),
      lanes<[](float a, float b) { return maximum(a, b); }>("v_maximum_f32"),
      lanes<[](float a, float b, float c) { return least(least(a, b), c); }>("v_min3_f32|v_min3_num_f32"),
      lanes<[](float a, float b, float c) { return greatest(greatest(a, b), c); }>("v_max3_f32|v_max3_num_f32"),
      lanes<[](float a, float b, float c) { return minimum(minimum(a, b), c); }>("v_minimum3_f32"),
      lanes<[](float a, float b, float c) { return maximum(maximum(a, b), c); }>("v_maximum3_f32"),
      lanes<[](float a, float b, float c) { return median(a, b, c); }>("v_med3_f32|v_med3_num_f32"),
      lanes<[](float a, float b, float c) { return greatest(least(a, b), c); }>("v_minmax_f32|v_minmax_num_f32"),
      lanes<[](float a, float b, float c) { return least(greatest(a, b), c); }>("v_maxmin_f32|v_maxmin_num_f32"),
      lanes<[](float a) { return std::floor(a); }>("v_floor_f32"),
      lanes<[](float a) { return std::ceil(a); }>("v_ceil_f32"),
      lanes<[](float a) { return std::trunc(a); }>("v_trunc_f32"),
      lanes<[](float a) { return std::nearbyint(a); }>("v_rndne_f32"),
      lanes<[](float a) { return fraction(a); }>("v_fract_f32"),
      lanes<[](float a) { return mantissa(a); }>("v_frexp_mant_f32"),
      lanes<[](float a) { return exponentOf(a); }>("v_frexp_exp_i32_f32"),
      lanes<[](float a, s32 n) { return std::ldexp(a, n); }>("v_ldexp_f32"),
      lanes<[](float a) { return flushed(static_cast<float>(std::exp2(static_cast<double>(flushed(a))))); }>(
          "v_exp_f32"),
      lanes<[](float a) { return static_cast<float>(std::log2(static_cast<double>(flushed(a)))); }>("v_log_f32"),
      lanes<[](float a) { return flushed(1 / flushed(a)); }>("v_rcp_f32"),
      lanes<[](float a) { return flushed(1 / flushed(a)); }>("v_rcp_iflag_f32"),
      lanes<[](float a) { return static_cast<float>(1 / std::sqrt(static_cast<double>(flushed(a)))); }>("v_rsq_f32"),
      lanes<[](float a) { return std::sqrt(flushed(a)); }>("v_sqrt_f32"),
      lanes<[](float a) { return ofTurns(std::sin, a); }>("v_sin_f32"),
      lanes<[](float a) { return ofTurns(std::cos, a); }>("v_cos_f32"),
      lanes<[](float a, float b, float c) { return divScale(a, b, c); }>("v_div_scale_f32"),
      lanes<[](float a, float b, float c, bool vcc) { return divFmas(a, b, c, vcc); }>("v_div_fmas_f32", Row::readsVcc),
      lanes<[](float a, float b, float c) { return divFixup(a, b, c); }>("v_div_fixup_f32"),

      lanes<[](double a, double b) { return a + b; }>("v_add_f64"),
      lanes<[](double a, double b) { return a * b; }>("v_mul_f64"),
      lanes<[](double a, double b, double c) { return std::fma(a, b, c); }>("v_fma_f64"),
      lanes<[](double a, double b, double c) { return std::fma(a, b, c); }>("v_fmac_f64", acc),
      lanes<[](double a, double b) { return least(a, b); }>("v_min_f64|v_min_num_f64"),
      lanes<[](double a, double b) { return greatest(a, b); }>("v_max_f64|v_max_num_f64"),
      lanes<[](double a) { return std::floor(a); }>("v_floor_f64"),
      lanes<[](double a) { return std::ceil(a); }>("v_ceil_f64"),
      lanes<[](double a) { return std::trunc(a); }>("v_trunc_f64"),
      lanes<[](double a) { return std::nearbyint(a); }>("v_rndne_f64"),
      lanes<[](double a) { return fraction(a); }>("v_fract_f64"),
      lanes<[](double a) { return mantissa(a); }>("v_frexp_mant_f64"),
      lanes<[](double a) { return exponentOf(a); }>("v_frexp_exp_i32_f64"),
      lanes<[](double a, s32 n) { return std::ldexp(a, n); }>("v_ldexp_f64"),
      lanes<[](double a) { return 1 / a; }>("v_rcp_f64"),
      lanes<[](double a) { return 1 / std::sqrt(a); }>("v_rsq_f64"),
      lanes<[](double a) { return std::sqrt(a); }>("v_sqrt_f64"),
      lanes<[](double a, double b, double c) { return divScale(a, b, c); }>("v_div_scale_f64"),
      lanes<[](double a, double b, double c, bool vcc) { return divFmas(a, b, c, vcc); }>("v_div_fmas_f64",
                                                                                          Row::readsVcc),
      lanes<[](double a, double b, double c) { return divFixup(a, b, c); }>("v_div_fixup_f64"),

      lanes<[](f16 a, f16 b) { return half(toFloat(a) + toFloat(b)); }>("v_add_f16"),
      lanes<[](f16 a, f16 b) { return half(toFloat(a) - toFloat(b)); }>("v_sub_f16"),
      lanes<[](f16 a, f16 b) { return half(toFloat(b) - toFloat(a)); }>("v_subrev_f16"),
      lanes<[](f16 a, f16 b) { return half(toFloat(a) * toFloat(b)); }>("v_mul_f16"),
      lanes<[](f16 a, f16 b, f16 c) { return convert<f16>(std::fma(toDouble(a), toDouble(b), toDouble(c))); }>(
          "v_fma_f16|v_fmaak_f16|v_fmamk_f16", Row::keepsHalf),
      lanes<[](f16 a, f16 b, f16 c) { return convert<f16>(std::fma(toDouble(a), toDouble(b), toDouble(c))); }>(
          "v_fmac_f16", acc),
      lanes<[](f16 a, f16 b) { return half(least(toFloat(a), toFloat(b))); }>("v_min_f16|v_min_num_f16"),
      lanes<[](f16 a, f16 b) { return half(greatest(toFloat(a), toFloat(b))); }>("v_max_f16|v_max_num_f16"),
      lanes<[](f16 a, f16 b, f16 c) { return half(median(toFloat(a), toFloat(b), toFloat(c))); }>(
          "v_med3_f16|v_med3_num_f16"),
      lanes<[](f16 a) { return half(std::floor(toFloat(a))); }>("v_floor_f16"),
      lanes<[](f16 a) { return half(std::ceil(toFloat(a))); }>("v_ceil_f16"),
      lanes<[](f16 a) { return half(std::trunc(toFloat(a))); }>("v_trunc_f16"),
      lanes<[](f16 a) { return half(std::nearbyint(toFloat(a))); }>("v_rndne_f16"),
      lanes<[](f16 a) { return half(static_cast<float>(std::exp2(toDouble(a)))); }>("v_exp_f16"),
      lanes<[](f16 a) { return half(static_cast<float>(std::log2(toDouble(a)))); }>("v_log_f16"),
      lanes<[](f16 a) { return half(1 / toFloat(a)); }>("v_rcp_f16"),
      lanes<[](f16 a) { return half(std::sqrt(toFloat(a))); }>("v_sqrt_f16"),
      lanes<[](f16 a) { return half(1 / std::sqrt(toFloat(a))); }>("v_rsq_f16"),
      lanes<[](f16 a, s16 n) { return convert<f16>(std::ldexp(toDouble(a), n)); }>("v_ldexp_f16"),
      lanes<[](f16 a, f16 b, f16 c) { return half(divFixup(toFloat(a), toFloat(b), toFloat(c))); }>("v_div_fixup_f16",
                                                                                                    Row::keepsHalf),
  };
}
