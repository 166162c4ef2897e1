//===-- Arithmetic.h - add, sub, mul, fma, div, sqrt, rcp, neg, abs -----------------------------------------------===//
//
// IEEE arithmetic for all floating-point types, rounded once in any of PTX's modes.
//
// Single precision with directed rounding is computed in double. A product is exact. A quotient or root that is not a
// float differs from every float by at least 2^-48 of its value, so the double rounded from it is on the same side of
// them. A sum may be arbitrarily close, so its error term is kept (Exact). Halves are computed in float in the same
// way. A sum is correct although it is rounded twice. So is a product of bfloats that is subnormal as a float: it has
// 16 bits, and a neighbor of a tie would need 17 or be 65535 = 255 * 257. A fused multiply-add is not, and is therefore
// rounded to odd. Directed.h has double precision with directed rounding.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_NUMERICS_ARITHMETIC_H
#define TILECC_EMULATOR_ISA_NUMERICS_ARITHMETIC_H

#include "emulator/isa/numerics/Directed.h"
#include "emulator/isa/numerics/Rounding.h"

namespace tilecc::emu {

// Performs the last step of every operation: the canonical NaN, .ftz, .sat, .relu.
TILECC_EMU_INLINE float finish(float result, Modifiers m) {
  result = canonical(result);
  result = m.ftz ? flush(result) : result;
  return m.sat ? saturate(result) : result;
}
template <Half T> TILECC_EMU_INLINE T finish(T result, Modifiers m) { // its NaN is already canonical
  result = m.ftz ? flush(result) : result;
  result = m.sat ? saturate(result) : result;
  return m.relu ? relu(result) : result;
}

template <class T> TILECC_EMU_INLINE T input(T x, Modifiers m) { return m.ftz ? flush(x) : x; }

// With .ftz, the smallest normal number also becomes zero if it results from rounding up a value that would stay below
// it with an unbounded exponent range. This is IEEE 754's tininess after rounding, and what an H200 does. The exact
// result is scaled to a range without subnormals.
TILECC_EMU_INLINE float flushTiny(float result, Exact exact, Modifiers m) {
  if (!m.ftz || __builtin_fabsf(result) != 0x1p-126f)
    return result;
  float scaled = m.rounding == Rounding::rn ? static_cast<float>(toOdd(exact) * 0x1p64)
                                            : roundToFloat({exact.value * 0x1p64, exact.rest}, m.rounding);
  return __builtin_fabsf(scaled) < 0x1p-62f ? floatOf(bitsOf(result) & 0x80000000) : result;
}
// This overload does the same for 16-bit floats that were rounded to nearest. `exact` is exact or was rounded to odd.
template <Half T> TILECC_EMU_INLINE T flushTiny(T result, float exact, Modifiers m) {
  constexpr u16 leastNormal = 1 << Format<T>::fractionBits;
  if (!m.ftz || (result.bits & 0x7fff) != leastNormal)
    return result;
  T scaled = narrow<T>(exact * 256, Rounding::rn);
  return (scaled.bits & 0x7fff) < leastNormal + (8 << Format<T>::fractionBits)
             ? T{static_cast<u16>(result.bits & 0x8000)}
             : result;
}

//===-- single precision ----------------------------------------------------------------------------------------===//

// An exact zero is negative if the mode is .rm, unless both operands are +0.
TILECC_EMU_INLINE float directedSum(double a, double b, Rounding rounding) {
  Exact sum = exactSum(a, b);
  float result = roundToFloat(sum, rounding);
  u32 sign = static_cast<u32>((bitsOf(a) | bitsOf(b)) >> 32) & 0x80000000;
  return rounding == Rounding::rm && sum.value == 0 ? floatOf(sign) : result;
}

// add{.rnd}{.ftz}{.sat}.f32
TILECC_EMU_INLINE float add(float a, float b, Modifiers m = {}) {
  a = input(a, m), b = input(b, m);
  return finish(m.rounding == Rounding::rn ? a + b : directedSum(a, b, m.rounding), m);
}

// sub{.rnd}{.ftz}{.sat}.f32
TILECC_EMU_INLINE float sub(float a, float b, Modifiers m = {}) { return add(a, -b, m); }

// The common modes of mul and fma take a few instructions. The other modes are separate functions, because compilers
// vectorize loops over lanes only if the body is small.
__attribute__((noinline)) inline float mulModified(float a, float b, Modifiers m) {
  a = input(a, m), b = input(b, m);
  double exact = static_cast<double>(a) * b;
  float result = m.rounding == Rounding::rn ? a * b : roundToFloat({exact}, m.rounding);
  return finish(flushTiny(result, {exact}, m), m);
}

__attribute__((noinline)) inline float fmaModified(float a, float b, float c, Modifiers m) {
  a = input(a, m), b = input(b, m), c = input(c, m);
  double product = static_cast<double>(a) * b;
  float result = m.rounding == Rounding::rn ? __builtin_fmaf(a, b, c) : directedSum(product, c, m.rounding);
  return finish(flushTiny(result, exactSum(product, c), m), m);
}

// mul{.rnd}{.ftz}{.sat}.f32
TILECC_EMU_INLINE float mul(float a, float b, Modifiers m = {}) {
  return m.rounding == Rounding::rn && !m.ftz ? finish(a * b, m) : mulModified(a, b, m);
}

// fma.rnd{.ftz}{.sat}.f32, mad.rnd{.ftz}{.sat}.f32
TILECC_EMU_INLINE float fma(float a, float b, float c, Modifiers m = {}) {
  return m.rounding == Rounding::rn && !m.ftz ? finish(__builtin_fmaf(a, b, c), m) : fmaModified(a, b, c, m);
}

// div.rnd{.ftz}.f32
TILECC_EMU_INLINE float div(float a, float b, Modifiers m = {}) {
  a = input(a, m), b = input(b, m);
  if (m.rounding == Rounding::rn && !m.ftz)
    return finish(a / b, m);
  // A quotient of two floats that is not a float differs from all floats and midpoints by more than a double's last
  // bit.
  double quotient = static_cast<double>(a) / b;
  float result = m.rounding == Rounding::rn ? a / b : roundToFloat({quotient}, m.rounding);
  return finish(flushTiny(result, {quotient}, m), m);
}

// rcp.rnd{.ftz}.f32
TILECC_EMU_INLINE float rcp(float a, Modifiers m = {}) { return div(1.0f, a, m); }

// sqrt.rnd{.ftz}.f32
TILECC_EMU_INLINE float sqrt(float a, Modifiers m = {}) {
  a = input(a, m);
  if (m.rounding == Rounding::rn)
    return finish(__builtin_sqrtf(a), m);
  return finish(roundToFloat({__builtin_sqrt(static_cast<double>(a))}, m.rounding), m);
}

//===-- double precision ----------------------------------------------------------------------------------------===//

// add{.rnd}.f64
TILECC_EMU_INLINE double add(double a, double b, Modifiers m = {}) {
  double result = m.rounding == Rounding::rn ? a + b : directed::add(a, b, m.rounding);
  return withNaN(result, a, b);
}

// sub{.rnd}.f64
TILECC_EMU_INLINE double sub(double a, double b, Modifiers m = {}) {
  double result = m.rounding == Rounding::rn ? a - b : directed::add(a, -b, m.rounding);
  return withNaN(result, a, b);
}

// mul{.rnd}.f64
TILECC_EMU_INLINE double mul(double a, double b, Modifiers m = {}) {
  double result = m.rounding == Rounding::rn ? a * b : directed::mul(a, b, m.rounding);
  return withNaN(result, a, b);
}

// fma.rnd.f64, mad.rnd.f64
TILECC_EMU_INLINE double fma(double a, double b, double c, Modifiers m = {}) {
  double result = m.rounding == Rounding::rn ? __builtin_fma(a, b, c) : directed::fma(a, b, c, m.rounding);
  return withNaN(result, a, b, c);
}

// div.rnd.f64
TILECC_EMU_INLINE double div(double a, double b, Modifiers m = {}) {
  double result = m.rounding == Rounding::rn ? a / b : directed::div(a, b, m.rounding);
  return withNaN(result, b, a); // on GPUs, a division is a sequence of instructions that prefers the dividend
}

// rcp.rnd.f64
TILECC_EMU_INLINE double rcp(double a, Modifiers m = {}) { return div(1.0, a, m); }

// sqrt.rnd.f64
TILECC_EMU_INLINE double sqrt(double a, Modifiers m = {}) {
  double result = m.rounding == Rounding::rn ? __builtin_sqrt(a) : directed::sqrt(a, m.rounding);
  return withNaN(result, a);
}

//===-- half precision ------------------------------------------------------------------------------------------===//

// A sum of floats, without overflow, rounded to odd.
TILECC_EMU_INLINE float oddSum(float a, float b) {
  float sum = a + b, bRounded = sum - a, rest = (a - (sum - bRounded)) + (b - bRounded);
  u32 bits = bitsOf(sum);
  bool inexact = rest < 0 || rest > 0, outwards = (rest < 0) == (sum < 0); // both false: NaN, infinity
  return floatOf(bits + (inexact && !(bits & 1) ? (outwards ? 1u : ~0u) : 0u));
}

// add{.rnd}{.ftz}{.sat}.f16, add{.rnd}.bf16
template <Half T> TILECC_EMU_INLINE T add(T a, T b, Modifiers m = {}) {
  a = input(a, m), b = input(b, m);
  return finish(narrow<T>(toFloat(a) + toFloat(b), Rounding::rn), m);
}

// sub{.rnd}{.ftz}{.sat}.f16, sub{.rnd}.bf16
template <Half T> TILECC_EMU_INLINE T sub(T a, T b, Modifiers m = {}) {
  a = input(a, m), b = input(b, m);
  return finish(narrow<T>(toFloat(a) - toFloat(b), Rounding::rn), m);
}

// mul{.rnd}{.ftz}{.sat}.f16, mul{.rnd}.bf16
template <Half T> TILECC_EMU_INLINE T mul(T a, T b, Modifiers m = {}) {
  a = input(a, m), b = input(b, m);
  float exact = toFloat(a) * toFloat(b);
  return finish(flushTiny(narrow<T>(exact, Rounding::rn), exact, m), m);
}

// fma.rnd{.ftz}{.sat}{.relu}.f16, fma.rnd{.relu}.bf16
template <Half T> TILECC_EMU_INLINE T fma(T a, T b, T c, Modifiers m = {}) {
  a = input(a, m), b = input(b, m), c = input(c, m);
  float x = toFloat(a), y = toFloat(b), z = toFloat(c), sum;
  if constexpr (std::same_as<T, f16>)
    sum = oddSum(x * y, z);
  else
    sum = roundToFloat(exactSum(static_cast<double>(x) * y, z), Rounding::odd);
  return finish(flushTiny(narrow<T>(sum, Rounding::rn), sum, m), m);
}

//===-- signs ---------------------------------------------------------------------------------------------------===//

// neg{.ftz}, abs{.ftz} of f32, f64, f16, bf16. A NaN becomes the canonical one; in double precision it is kept,
// including its sign, and made quiet.
TILECC_EMU_INLINE float neg(float a, Modifiers m = {}) { return finish(floatOf(bitsOf(a) ^ 0x80000000), m); }
TILECC_EMU_INLINE float abs(float a, Modifiers m = {}) { return finish(floatOf(bitsOf(a) & 0x7fffffff), m); }
TILECC_EMU_INLINE double neg(double a, Modifiers = {}) { return withNaN(doubleOf(bitsOf(a) ^ u64(1) << 63), a); }
TILECC_EMU_INLINE double abs(double a, Modifiers = {}) { return withNaN(doubleOf(bitsOf(a) & ~(u64(1) << 63)), a); }
template <Half T> TILECC_EMU_INLINE T neg(T a, Modifiers m = {}) {
  return isNaN(a) ? canonicalNaN<T>() : finish(T{static_cast<u16>(a.bits ^ 0x8000)}, m);
}
template <Half T> TILECC_EMU_INLINE T abs(T a, Modifiers m = {}) {
  return isNaN(a) ? canonicalNaN<T>() : finish(T{static_cast<u16>(a.bits & 0x7fff)}, m);
}

} // namespace tilecc::emu
#endif
