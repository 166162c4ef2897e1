//===-- Convert.h - cvt -----------------------------------------------------------------------------------------===//
//
// convert<To>(x, modifiers) is `cvt` between any two scalar types, always rounded once. Packed destinations
// (cvt.f16x2.f32 etc.) are converted half by half; the first source goes to the upper half.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_NUMERICS_CONVERT_H
#define TILECC_EMULATOR_ISA_NUMERICS_CONVERT_H

#include "emulator/isa/numerics/Rounding.h"

#include <limits>
#include <utility>

namespace tilecc::emu {

//===-- integer to integer --------------------------------------------------------------------------------------===//

// cvt{.sat}.{u,s}{8,16,32,64}.{u,s}{8,16,32,64}: the low bits, or the nearest number that To can represent.
template <std::integral To, std::integral From> TILECC_EMU_INLINE To convertInteger(From x, bool sat) {
  if (!sat)
    return static_cast<To>(x);
  using Limits = std::numeric_limits<To>;
  if (std::cmp_less(x, Limits::min()))
    return Limits::min();
  return std::cmp_greater(x, Limits::max()) ? Limits::max() : static_cast<To>(x);
}

//===-- integer to floating point -------------------------------------------------------------------------------===//

// Converts a magnitude to double. If it has more than 53 bits, the lowest 11 bits are dropped, and the lowest remaining
// bit is set if any of them was set.
TILECC_EMU_INLINE double oddDouble(u64 magnitude) {
  if (magnitude >> 53)
    return static_cast<double>(magnitude >> 11 | ((magnitude & 0x7ff) != 0)) * 2048;
  return static_cast<double>(magnitude);
}

// Converts a 64-bit magnitude to double, rounding down or up.
TILECC_EMU_INLINE double directedDouble(u64 magnitude, bool up) {
  unsigned extra = magnitude >> 53 ? 11 - static_cast<unsigned>(std::countl_zero(magnitude)) : 0;
  u64 kept = magnitude >> extra << extra;
  double down = static_cast<double>(kept);
  return up && kept != magnitude ? doubleOf(bitsOf(down) + 1) : down;
}

template <Floating To, std::integral From> TILECC_EMU_INLINE To fromInteger(From x, Rounding rounding) {
  constexpr bool exactInDouble = sizeof(From) <= 4;
  if constexpr (std::same_as<To, double>) {
    if (exactInDouble || rounding == Rounding::rn)
      return static_cast<double>(x);
  } else if constexpr (std::same_as<To, float>) {
    if (rounding == Rounding::rn)
      return static_cast<float>(x);
  }
  bool negative = x < 0;
  u64 magnitude = negative ? 0 - static_cast<u64>(x) : static_cast<u64>(x);
  if constexpr (std::same_as<To, double>) {
    bool up = rounding == (negative ? Rounding::rm : Rounding::rp);
    double result = directedDouble(magnitude, up);
    return negative ? -result : result;
  } else {
    double odd = exactInDouble ? static_cast<double>(magnitude) : oddDouble(magnitude);
    odd = negative ? -odd : odd;
    if constexpr (std::same_as<To, float>)
      return roundToFloat({odd}, rounding);
    else
      return narrow<To>(roundToFloat({odd}, Rounding::odd), rounding);
  }
}

//===-- floating point to integer -------------------------------------------------------------------------------===//

// Rounds to an integral value; keeps the sign, even of a zero result.
template <std::floating_point T> TILECC_EMU_INLINE T roundToIntegralValue(T x, Rounding rounding) {
  constexpr bool isFloat = std::same_as<T, float>;
  switch (rounding) {
  case Rounding::rz: return isFloat ? __builtin_truncf(x) : __builtin_trunc(x);
  case Rounding::rm: return isFloat ? __builtin_floorf(x) : __builtin_floor(x);
  case Rounding::rp: return isFloat ? __builtin_ceilf(x) : __builtin_ceil(x);
  default: return isFloat ? __builtin_rintf(x) : __builtin_rint(x);
  }
}

// Clamps to the range of To. NaN gives 0, or 1 << (bits - 1) if To has 64 bits or the source is f64.
template <std::integral To> TILECC_EMU_INLINE To toInteger(double x, Rounding rounding, bool sourceIsDouble) {
  using Limits = std::numeric_limits<To>;
  double rounded = roundToIntegralValue(x, rounding);
  if constexpr (sizeof(To) == 8) {
    constexpr u64 top = u64(1) << 63;
    constexpr double beyond = std::is_signed_v<To> ? 0x1p63 : 0x1p64;
    if (isNaN(rounded))
      return static_cast<To>(top);
    if (rounded >= beyond)
      return Limits::max();
    if (rounded < static_cast<double>(Limits::min()))
      return Limits::min();
    if (!std::is_signed_v<To> && rounded >= 0x1p63)
      return static_cast<To>(static_cast<u64>(static_cast<s64>(rounded - 0x1p63)) | top);
    return static_cast<To>(static_cast<s64>(rounded));
  } else {
    constexpr double least = Limits::min(), greatest = Limits::max();
    using Way = std::conditional_t<std::same_as<To, u32>, s64, s32>;
    double clamped = rounded > least ? rounded : least; // also NaN
    clamped = clamped < greatest ? clamped : greatest;
    To result = static_cast<To>(static_cast<Way>(clamped));
    constexpr unsigned bits = sizeof(To) * 8;
    To invalid = static_cast<To>(sourceIsDouble ? 1u << (bits - 1) : 0);
    return isNaN(x) ? invalid : result;
  }
}

//===-- floating point to floating point ------------------------------------------------------------------------===//

// .tf32: the bits of a binary32 whose last 13 bits are 0.
TILECC_EMU_INLINE tf32 toTf32(float x, Rounding rounding, bool satfinite) {
  u32 bits = bitsOf(x), magnitude = bits & 0x7fffffff, sign = bits & 0x80000000;
  u32 increment = rounding == Rounding::rna ? 0x1000 : rounding == Rounding::rn ? 0xfff + (bits >> 13 & 1) : 0; // rz
  u32 result = (magnitude + increment) & 0xffffe000;
  result = satfinite && result >= 0x7f800000 ? 0x7f7fe000 : result;
  return {magnitude > 0x7f800000 ? 0x7fffffff : sign | result};
}

// Converts through the widest type that the conversion needs: double for double, float for all others.
template <class From, class To> TILECC_EMU_INLINE To convertFloating(From x, Modifiers m) {
  if constexpr (std::same_as<To, double>) {
    // A NaN's payload is kept.
    if constexpr (std::same_as<From, double>)
      return x;
    else
      return static_cast<double>(toFloat(x));
  } else if constexpr (std::same_as<To, float>) {
    float result;
    if constexpr (std::same_as<From, double>)
      result = roundToFloat({x}, m.rounding);
    else
      result = toFloat(x);
    return canonical(result);
  } else if constexpr (std::same_as<To, tf32>) {
    return toTf32(x, m.rounding, m.satfinite);
  } else if constexpr (std::same_as<To, From>) {
    return isNaN(x) ? canonicalNaN<To>() : x;
  } else if constexpr (std::same_as<From, double>) {
    return narrow<To>(roundToFloat({x}, Rounding::odd), m.rounding, m.satfinite);
  } else {
    return narrow<To>(toFloat(x), m.rounding, m.satfinite);
  }
}

//===-- cvt -----------------------------------------------------------------------------------------------------===//

// cvt{.rounding}{.ftz}{.sat}{.relu}{.satfinite}.To.From. Same types: no rounding; cvt.rni.f32.f32 and the like are
// roundToIntegral. The 8-bit floating point types convert from float and halves (.satfinite is mandatory there) and to
// halves; tf32 is a destination only, of float.
template <class To, class From> TILECC_EMU_INLINE To convert(From x, Modifiers m = {}) {
  if constexpr (std::integral<From> && std::integral<To>) {
    return convertInteger<To>(x, m.sat);
  } else if constexpr (std::integral<From>) {
    To result = fromInteger<To>(x, m.rounding);
    return m.sat ? saturate(result) : result;
  } else {
    if constexpr (std::same_as<From, float>)
      x = m.ftz ? flush(x) : x;
    if constexpr (std::integral<To>) {
      return toInteger<To>(toDouble(x), m.rounding, std::same_as<From, double>);
    } else {
      To result = convertFloating<From, To>(x, m);
      if constexpr (std::same_as<To, float>)
        result = m.ftz ? flush(result) : result;
      if constexpr (Floating<To>)
        result = m.sat ? saturate(result) : result;
      if constexpr (!std::floating_point<To>)
        result = m.relu ? relu(result) : result;
      return result;
    }
  }
}

// cvt.{rni,rzi,rmi,rpi}{.ftz}{.sat}.T.T
template <Floating T> TILECC_EMU_INLINE T roundToIntegral(T x, Modifiers m) {
  if constexpr (std::same_as<T, double>) {
    double result = withNaN(roundToIntegralValue(x, m.rounding), x);
    return m.sat ? saturate(result) : result;
  } else {
    float value = toFloat(x);
    if constexpr (std::same_as<T, float>)
      value = m.ftz ? flush(value) : value;
    // Integral values and zeros need no rounding in any of the formats.
    return convert<T>(roundToIntegralValue(value, m.rounding), {.sat = m.sat});
  }
}

// cvt.pack.sat.To.s32{.b32}: two numbers of `bits` bits, a above b, below the low bits of c.
template <unsigned Bits, bool Signed> TILECC_EMU_INLINE u32 convertPack(s32 a, s32 b, u32 c = 0) {
  constexpr s32 least = Signed ? -(1 << (Bits - 1)) : 0, greatest = (1 << (Signed ? Bits - 1 : Bits)) - 1;
  constexpr u32 mask = (1u << Bits) - 1;
  u32 packed = (static_cast<u32>(std::clamp(a, least, greatest)) & mask) << Bits |
               (static_cast<u32>(std::clamp(b, least, greatest)) & mask);
  if constexpr (Bits == 16)
    return packed;
  else
    return c << 2 * Bits | packed;
}

} // namespace tilecc::emu
#endif
