//===-- Rounding.h - rounding, flushing and clamping ------------------------------------------------------------===//
//
// A result is computed once, exactly or as a pair of doubles whose second element tells in which direction the exact
// value lies (Exact), and then rounded once. The processor's rounding mode is never changed, because a warp's lanes are
// vectorized under the default mode. Directed rounding compares the number rounded to nearest with the exact one and
// steps to its neighbor.
//
// Double rounding, through a wider format, is harmless if the first rounding is to odd: of the two neighbors of an
// inexact value it takes the one with an odd last bit, which can be neither a tie nor on the wrong side of one,
// provided that the wider format has two more bits (Boldo and Melquiond, "Emulation of FMA and correctly rounded
// sums").
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_NUMERICS_ROUNDING_H
#define TILECC_EMULATOR_ISA_NUMERICS_ROUNDING_H

#include "emulator/isa/numerics/Scalar.h"

#include <algorithm>
#include <concepts>

namespace tilecc::emu {

// .rn, .rz, .rm, .rp, .rna; the integer forms .rni, .rzi, .rmi, .rpi are the first four. `odd` is not a PTX mode; it is
// used for intermediate results before rounding to a narrower format.
enum class Rounding : u8 { rn, rz, rm, rp, rna, odd };

// The modifiers of an instruction that affect its result. The instruction table decides which ones an instruction has.
struct Modifiers {
  Rounding rounding = Rounding::rn;
  bool ftz = false; // subnormal inputs and results of the instruction's type become zeros of the same sign
  bool sat = false; // clamps the result to [0, 1], NaN to +0; for integers, to their range
  bool relu = false; // negative results become +0, NaN becomes the canonical NaN
  bool satfinite = false; // results beyond the largest finite number become that number
  friend constexpr bool operator==(Modifiers, Modifiers) = default;
};

// The parameters of a format of at most 32 bits. `overflow` is the code after the largest finite number.
template <class T> struct Format;
template <> struct Format<f16> {
  static constexpr u32 fractionBits = 10, bias = 15, sign = 0x8000, largest = 0x7bff, overflow = 0x7c00, nan = 0x7fff;
};
template <> struct Format<bf16> {
  static constexpr u32 fractionBits = 7, bias = 127, sign = 0x8000, largest = 0x7f7f, overflow = 0x7f80, nan = 0x7fff;
};
template <> struct Format<e4m3> {
  static constexpr u32 fractionBits = 3, bias = 7, sign = 0x80, largest = 0x7e, overflow = 0x7f, nan = 0x7f;
};
template <> struct Format<e5m2> {
  static constexpr u32 fractionBits = 2, bias = 15, sign = 0x80, largest = 0x7b, overflow = 0x7c, nan = 0x7f;
};

template <class T> concept Half = std::same_as<T, f16> || std::same_as<T, bf16>;
template <class T> concept Floating = Half<T> || std::same_as<T, float> || std::same_as<T, double>;

//===-- NaN -----------------------------------------------------------------------------------------------------===//

TILECC_EMU_INLINE bool isNaN(float x) { return x != x; }
TILECC_EMU_INLINE bool isNaN(double x) { return x != x; }
template <Half T> TILECC_EMU_INLINE bool isNaN(T x) { return (x.bits & 0x7fffu) > Format<T>::overflow; }

// The NaN that single and half precision instructions return for any NaN.
template <class T> TILECC_EMU_INLINE T canonicalNaN() { return T{Format<T>::nan}; }
template <> TILECC_EMU_INLINE float canonicalNaN<float>() { return floatOf(0x7fffffff); }

// Canonicalizes a NaN result. Uses integers, because LLVM considers all NaN results of an operation equal and removes a
// select that only replaces one by another (seen for square roots in LLVM 22).
TILECC_EMU_INLINE float canonical(float x) {
  u32 bits = bitsOf(x);
  return floatOf((bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : bits);
}

// In double precision, payloads are kept. Returns the first NaN among b, c and a, made quiet; an invalid operation
// returns the default NaN. PTX leaves this open; this matches an H200. Only this function implements the rule.
constexpr u64 defaultNaN64 = 0xfff8000000000000;
TILECC_EMU_INLINE double resultNaN(double a, double b = 0, double c = 0) {
  u64 kept = isNaN(b) ? bitsOf(b) : isNaN(c) ? bitsOf(c) : isNaN(a) ? bitsOf(a) : defaultNaN64;
  return doubleOf(kept | 0x0008000000000000);
}
TILECC_EMU_INLINE double withNaN(double result, double a, double b = 0, double c = 0) {
  u64 bits = bitsOf(result);
  return doubleOf((bits & ~(u64(1) << 63)) > 0x7ff0000000000000 ? bitsOf(resultNaN(a, b, c)) : bits);
}

//===-- .ftz, .sat, .relu ---------------------------------------------------------------------------------------===//

// Replaces a subnormal by the zero of its sign.
TILECC_EMU_INLINE float flush(float x) {
  u32 bits = bitsOf(x);
  return (bits & 0x7fffffff) < 0x00800000 ? floatOf(bits & 0x80000000) : x;
}
template <Half T> TILECC_EMU_INLINE T flush(T x) {
  return (x.bits & 0x7fffu) < 1u << Format<T>::fractionBits ? T{static_cast<u16>(x.bits & 0x8000)} : x;
}
TILECC_EMU_INLINE double flush(double x) { // only for rcp and rsqrt.approx.ftz.f64
  u64 bits = bitsOf(x);
  return (bits & 0x7fffffffffffffff) < 0x0010000000000000 ? doubleOf(bits & 0x8000000000000000) : x;
}

// Clamps to [0, 1]. NaN and both zeros give +0.
template <class T>
  requires std::floating_point<T>
TILECC_EMU_INLINE T saturate(T x) {
  T positive = x > 0 ? x : T(0);
  return positive < 1 ? positive : T(1);
}
template <Half T> TILECC_EMU_INLINE T saturate(T x) {
  constexpr u16 one = Format<T>::bias << Format<T>::fractionBits;
  bool positive = !(x.bits & Format<T>::sign) && !isNaN(x);
  return {positive ? std::min(x.bits, one) : u16(0)};
}

template <class T> TILECC_EMU_INLINE T relu(T x) {
  if constexpr (std::same_as<T, tf32>) {
    return {(x.bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : x.bits >> 31 ? 0 : x.bits};
  } else {
    using F = Format<T>;
    bool nan = std::same_as<T, e4m3> ? (x.bits & (F::sign - 1)) == F::nan : (x.bits & (F::sign - 1)) > F::overflow;
    return nan ? canonicalNaN<T>() : x.bits & F::sign ? T{0} : x;
  }
}

//===-- rounding ------------------------------------------------------------------------------------------------===//

// A real number: `value` is the number rounded to nearest, and `rest` has the sign of the difference; it is zero if the
// number is exact.
struct Exact {
  double value, rest = 0;
};

// The sum, without overflow (Knuth's TwoSum: rest is exact).
TILECC_EMU_INLINE Exact exactSum(double a, double b) {
  double sum = a + b, bRounded = sum - a;
  return {sum, (a - (sum - bRounded)) + (b - bRounded)};
}

// Converts to one double, rounded to odd.
TILECC_EMU_INLINE double toOdd(Exact x) {
  u64 bits = bitsOf(x.value);
  bool inexact = x.rest < 0 || x.rest > 0, outwards = (x.rest < 0) == (x.value < 0); // both false: NaN
  return doubleOf(bits + (inexact && !(bits & 1) ? (outwards ? u64(1) : ~u64(0)) : u64(0)));
}

// Rounds to single precision. With .rn, the number must be a double: rest is ignored.
TILECC_EMU_INLINE float roundToFloat(Exact x, Rounding rounding) {
  float nearest = static_cast<float>(x.value);
  double back = static_cast<double>(nearest);
  bool below = x.value < back || (x.value == back && x.rest < 0); // than `nearest`
  bool above = x.value > back || (x.value == back && x.rest > 0);
  u32 bits = bitsOf(nearest), negative = bits >> 31;
  u32 up = negative ? ~0u : 1u; // one step towards +infinity; the sign is that of x, even if nearest is 0
  switch (rounding) {
  case Rounding::rn:
  case Rounding::rna: return nearest;
  case Rounding::rz: return floatOf(bits - ((negative ? above : below) ? 1u : 0u));
  case Rounding::rm: return floatOf(bits - (below ? up : 0u));
  case Rounding::rp: return floatOf(bits + (above ? up : 0u));
  case Rounding::odd: return floatOf(bits + ((bits & 1) ? 0u : above ? up : below ? 0u - up : 0u));
  }
  __builtin_unreachable();
}

// Rounds to a narrower format T, in integer arithmetic. The significand is shifted to T's last bit, or further for
// numbers below T's smallest normal. Rounding adds a constant before the shift, whose carry correctly increments the
// exponent. A NaN becomes the canonical one.
template <class T> TILECC_EMU_INLINE u32 roundBits(float x, Rounding rounding, bool satfinite) {
  using F = Format<T>;
  u32 bits = bitsOf(x), magnitude = bits & 0x7fffffff;
  bool negative = bits >> 31;
  u32 exponent = std::max(magnitude >> 23, 1u);
  u32 significand = magnitude - ((exponent - 1) << 23); // including its leading one, if x is normal
  constexpr u32 least = 128 - F::bias; // the exponent of T's smallest normal, biased as in x
  u32 shift = std::min(23 - F::fractionBits + std::max(exponent, least) - exponent, 31u);
  u32 dropped = (1u << shift) - 1, half = 1u << (shift - 1);
  u32 increment = 0;
  switch (rounding) {
  case Rounding::rn: increment = half - 1 + (significand >> shift & 1); break;
  case Rounding::rz: break;
  case Rounding::rm: increment = negative ? dropped : 0; break;
  case Rounding::rp: increment = negative ? 0 : dropped; break;
  case Rounding::rna: increment = half; break;
  case Rounding::odd: __builtin_unreachable();
  }
  u32 result = ((significand + increment) >> shift) + ((std::max(exponent, least) - least) << F::fractionBits);
  // Rounding towards zero stays finite, unless the number is infinite.
  bool inward =
      rounding == Rounding::rz || (rounding == Rounding::rm && !negative) || (rounding == Rounding::rp && negative);
  bool finite = satfinite || (inward && magnitude != 0x7f800000);
  result = result < F::overflow ? result : finite ? F::largest : F::overflow;
  return magnitude > 0x7f800000 ? F::nan : (negative ? F::sign : 0) | result;
}

template <class T> TILECC_EMU_INLINE T narrow(float x, Rounding rounding, bool satfinite = false) {
  return T{static_cast<decltype(T::bits)>(roundBits<T>(x, rounding, satfinite))};
}

} // namespace tilecc::emu
#endif
