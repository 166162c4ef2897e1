//===-- Approximate.h - .approx and .full -------------------------------------------------------------------------===//
//
// PTX specifies an error bound and the results for special inputs; results within the bound differ between processors.
// Here the function is computed in double precision, to 2^-40 or better, and rounded once. The result is the float
// nearest to the exact one, except for about one input in ten thousand, where it is the neighbor. Only polynomials and
// selects are used, so that the lanes of a warp are vectorized.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_NUMERICS_APPROXIMATE_H
#define TILECC_EMULATOR_ISA_NUMERICS_APPROXIMATE_H

#include "emulator/isa/numerics/Arithmetic.h"

namespace tilecc::emu {

//===-- functions in double precision ---------------------------------------------------------------------------===//

namespace approximate {

// Adding this to a number below 2^51 leaves the nearest integer in the low bits.
constexpr double roundingShift = 0x1.8p52;

template <size_t N> TILECC_EMU_INLINE double polynomial(double x, const double (&coefficients)[N]) {
  double sum = coefficients[N - 1];
  for (size_t i = N - 1; i-- > 0;)
    sum = __builtin_fma(sum, x, coefficients[i]);
  return sum;
}

// Returns 2^x, between 2^-1000 and 2^1000: a Taylor series for the fraction; the integer part becomes the exponent.
TILECC_EMU_INLINE double exp2(double x) {
  constexpr double coefficients[] = {1,
                                     0.6931471805599453,
                                     0.24022650695910072,
                                     0.05550410866482158,
                                     0.009618129107628477,
                                     0.0013333558146428443,
                                     0.0001540353039338161,
                                     1.5252733804059841e-05,
                                     1.321548679014431e-06,
                                     1.01780860092397e-07,
                                     7.054911620801123e-09,
                                     4.4455382718708116e-10};
  double clamped = x < -1000 ? -1000 : x > 1000 ? 1000 : x;
  double shifted = clamped + roundingShift;
  double power = polynomial(clamped - (shifted - roundingShift), coefficients);
  double result = doubleOf(bitsOf(power) + (bitsOf(shifted) << 52));
  return isNaN(x) ? x : result;
}

// log2(x) for a normal x > 0: with m between sqrt(1/2) and sqrt(2), the series of artanh((m - 1) / (m + 1)).
TILECC_EMU_INLINE double log2(double x) {
  constexpr double coefficients[] = {2.8853900817779268,  0.9617966939259756,  0.5770780163555853,
                                     0.4121985831111324,  0.3205988979753252,  0.2623081892525388,
                                     0.22195308321368667, 0.19235933878519512, 0.16972882833987804};
  constexpr u64 rootHalf = 0x3fe6a09e667f3bcd;
  u64 bits = bitsOf(x);
  s32 exponent = static_cast<s32>((bits - rootHalf) >> 32) >> 20;
  double m = doubleOf(bits - (static_cast<u64>(exponent) << 52)), s = (m - 1) / (m + 1);
  return exponent + s * polynomial(s * s, coefficients);
}

// Returns sin(x + quarters * pi / 2). Beyond 2^51, where one unit in the last place exceeds a period, the result is
// some number in the range.
TILECC_EMU_INLINE double sine(double x, u64 quarters) {
  constexpr double odd[] = {1.5707963267948966,     -0.6459640975062463,    0.07969262624616705,  -0.004681754135318688,
                            0.00016044118478735983, -3.598843235212085e-06, 5.692172921967927e-08};
  constexpr double even[] = {1,
                             -1.2337005501361697,
                             0.25366950790104803,
                             -0.02086348076335296,
                             0.0009192602748394266,
                             -2.5202042373060607e-05,
                             4.710874778818172e-07,
                             -6.386603083791852e-09};
  double turns = x * 0.6366197723675814, fraction = turns - __builtin_rint(turns);
  quarters += bitsOf(turns + roundingShift);
  double square = fraction * fraction;
  double result = quarters & 1 ? polynomial(square, even) : fraction * polynomial(square, odd);
  return doubleOf(bitsOf(result) ^ (quarters & 2) << 62);
}

TILECC_EMU_INLINE double tanh(double x) {
  double magnitude = doubleOf(bitsOf(x) & ~(u64(1) << 63)), square = x * x;
  double small = x * (1 - square * (1.0 / 3 - square * (2.0 / 15)));
  double large = 1 - 2 / (exp2(magnitude * 2.8853900817779268) + 1);
  large = doubleOf(bitsOf(large) | (bitsOf(x) & u64(1) << 63));
  return magnitude < 0x1p-8 ? small : large;
}

} // namespace approximate

//===-- single precision ----------------------------------------------------------------------------------------===//

// rcp.approx{.ftz}.f32: 1 ulp
TILECC_EMU_INLINE float rcpApprox(float a, Modifiers m = {}) { return rcp(a, m); }

// sqrt.approx{.ftz}.f32: 2^-23 relative
TILECC_EMU_INLINE float sqrtApprox(float a, Modifiers m = {}) { return sqrt(a, m); }

// rsqrt.approx{.ftz}.f32: 2^-22.9 relative
TILECC_EMU_INLINE float rsqrtApprox(float a, Modifiers m = {}) {
  return finish(static_cast<float>(1 / __builtin_sqrt(static_cast<double>(input(a, m)))), m);
}

// div.full{.ftz}.f32: 2 ulp
TILECC_EMU_INLINE float divFull(float a, float b, Modifiers m = {}) { return div(a, b, m); }

// div.approx{.ftz}.f32, a * (1 / b): 2 ulp, but the reciprocal of |b| > 2^126 is zero
TILECC_EMU_INLINE float divApprox(float a, float b, Modifiers m = {}) {
  float magnitude = floatOf(bitsOf(b) & 0x7fffffff);
  float zero = floatOf(bitsOf(b) & 0x80000000);
  float result = div(a, b, m), vanished = mul(a, zero, m);
  return magnitude > 0x1p126f && magnitude <= 0x1.fffffep127f ? vanished : result;
}

// ex2.approx{.ftz}.f32: 2 ulp
TILECC_EMU_INLINE float ex2Approx(float a, Modifiers m = {}) {
  return finish(static_cast<float>(approximate::exp2(static_cast<double>(input(a, m)))), m);
}

// lg2.approx{.ftz}.f32: 2^-22, relative or absolute
TILECC_EMU_INLINE float lg2Approx(float a, Modifiers m = {}) {
  a = input(a, m);
  float infinity = floatOf(0x7f800000);
  float result = static_cast<float>(approximate::log2(static_cast<double>(a)));
  result = a == infinity ? infinity : a == 0 ? -infinity : result;
  return finish(a >= 0 ? result : canonicalNaN<float>(), m);
}

// sin.approx{.ftz}.f32, cos.approx{.ftz}.f32: 2^-20.5 absolute up to 2 pi, 2^-14.7 up to 100 pi
TILECC_EMU_INLINE float sinApprox(float a, Modifiers m = {}) {
  a = input(a, m);
  float result = static_cast<float>(approximate::sine(static_cast<double>(a), 0));
  return finish(a == 0 ? a : result, m);
}
TILECC_EMU_INLINE float cosApprox(float a, Modifiers m = {}) {
  return finish(static_cast<float>(approximate::sine(static_cast<double>(input(a, m)), 1)), m);
}

// tanh.approx.f32: 2^-11 relative
TILECC_EMU_INLINE float tanhApprox(float a, Modifiers m = {}) {
  return finish(static_cast<float>(approximate::tanh(static_cast<double>(a))), m);
}

//===-- double precision ----------------------------------------------------------------------------------------===//

namespace approximate {

// Returns x with only the upper word, which has 20 fraction bits; subnormals become zeros.
TILECC_EMU_INLINE double upperWord(double x) { return doubleOf(bitsOf(x) & 0xffffffff00000000); }
TILECC_EMU_INLINE double roundedUpperWord(double x) {
  u64 bits = bitsOf(x);
  if ((bits & ~(u64(1) << 63)) > 0x7ff0000000000000)
    return doubleOf(0x7fffffff00000000);
  return flush(upperWord(doubleOf(bits + 0x80000000)));
}

} // namespace approximate

// rcp.approx.ftz.f64
TILECC_EMU_INLINE double rcpApprox(double a) {
  return approximate::roundedUpperWord(1 / flush(approximate::upperWord(a)));
}

// rsqrt.approx.ftz.f64
TILECC_EMU_INLINE double rsqrtApproxFtz(double a) {
  return approximate::roundedUpperWord(1 / __builtin_sqrt(flush(approximate::upperWord(a))));
}

// rsqrt.approx.f64
TILECC_EMU_INLINE double rsqrtApprox(double a) { return withNaN(1 / __builtin_sqrt(a), a); }

//===-- half precision ------------------------------------------------------------------------------------------===//

namespace approximate {
template <Half T> TILECC_EMU_INLINE T toHalf(double x) {
  return narrow<T>(roundToFloat({x}, Rounding::odd), Rounding::rn);
}
} // namespace approximate

// ex2.approx.f16: 2^-9.9 relative; ex2.approx.ftz.bf16: 2^-7 relative
template <Half T> TILECC_EMU_INLINE T ex2Approx(T a, Modifiers m = {}) {
  return finish(approximate::toHalf<T>(approximate::exp2(toDouble(input(a, m)))), m);
}

// tanh.approx.f16: 2^-10.987 absolute; tanh.approx.bf16: 2^-8 absolute
template <Half T> TILECC_EMU_INLINE T tanhApprox(T a, Modifiers m = {}) {
  return finish(approximate::toHalf<T>(approximate::tanh(toDouble(a))), m);
}

} // namespace tilecc::emu
#endif
