//===-- Compare.h - min, max, setp, testp, copysign ---------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_NUMERICS_COMPARE_H
#define TILECC_EMULATOR_ISA_NUMERICS_COMPARE_H

#include "emulator/isa/numerics/Rounding.h"

namespace tilecc::emu {

//===-- min and max ---------------------------------------------------------------------------------------------===//

struct MinMaxModifiers {
  bool ftz = false;
  bool nan = false; // .NaN: the canonical NaN if any operand is NaN; otherwise the number is returned
  bool xorsignAbs = false; // .xorsign.abs: compares magnitudes; the result has the product's sign, unless it is NaN
  bool abs = false; // .abs in the three-operand forms
  friend constexpr bool operator==(MinMaxModifiers, MinMaxModifiers) = default;
};

namespace detail {

template <class T> struct BitsOf {
  using type = decltype(T::bits);
};
template <> struct BitsOf<float> {
  using type = u32;
};
template <> struct BitsOf<double> {
  using type = u64;
};
template <class T> using Bits = typename BitsOf<T>::type;
template <class T> constexpr Bits<T> signBit = Bits<T>(Bits<T>(1) << (sizeof(T) * 8 - 1));

template <class T> TILECC_EMU_INLINE T withoutSign(T x) {
  return std::bit_cast<T>(static_cast<Bits<T>>(std::bit_cast<Bits<T>>(x) & ~signBit<T>));
}

// Maps numbers to signed integers in the same order, -0 before +0.
template <class T> TILECC_EMU_INLINE auto ordered(T x) {
  using Signed = std::make_signed_t<Bits<T>>;
  Signed bits = std::bit_cast<Signed>(x);
  return static_cast<Signed>(bits ^ (static_cast<Bits<T>>(bits >> (sizeof(T) * 8 - 1)) >> 1));
}

template <bool Max, Floating T> TILECC_EMU_INLINE T minMax(T a, T b, MinMaxModifiers m) {
  if (m.ftz)
    a = flush(a), b = flush(b);
  using B = Bits<T>;
  B product = (std::bit_cast<B>(a) ^ std::bit_cast<B>(b)) & signBit<T>;
  if (m.xorsignAbs || m.abs)
    a = withoutSign(a), b = withoutSign(b);
  bool first = Max ? ordered(a) > ordered(b) : ordered(a) < ordered(b);
  bool aNaN = isNaN(a), bNaN = isNaN(b);
  T chosen = aNaN ? b : bNaN ? a : first ? a : b;
  if (m.xorsignAbs)
    chosen = std::bit_cast<T>(static_cast<B>((std::bit_cast<B>(chosen) & ~signBit<T>) | product));
  bool invalid = m.nan ? aNaN || bNaN : aNaN && bNaN;
  if constexpr (std::same_as<T, double>)
    return invalid ? resultNaN(a, b) : chosen;
  else
    return invalid ? canonicalNaN<T>() : chosen;
}

} // namespace detail

// min{.ftz}{.NaN}{.xorsign.abs} of f32, f16, bf16; min.f64
template <Floating T> TILECC_EMU_INLINE T min(T a, T b, MinMaxModifiers m = {}) {
  return detail::minMax<false>(a, b, m);
}
// max{.ftz}{.NaN}{.xorsign.abs} of f32, f16, bf16; max.f64
template <Floating T> TILECC_EMU_INLINE T max(T a, T b, MinMaxModifiers m = {}) {
  return detail::minMax<true>(a, b, m);
}
// min{.ftz}{.NaN}{.abs}.f32 d, a, b, c
TILECC_EMU_INLINE float min(float a, float b, float c, MinMaxModifiers m = {}) { return min(min(a, b, m), c, m); }
// max{.ftz}{.NaN}{.abs}.f32 d, a, b, c
TILECC_EMU_INLINE float max(float a, float b, float c, MinMaxModifiers m = {}) { return max(max(a, b, m), c, m); }

//===-- setp ----------------------------------------------------------------------------------------------------===//

// The comparisons of set and setp. Those ending in u, and nan, hold if an operand is NaN; lo, ls, hi, hs are for
// unsigned integers.
enum class Comparison : u8 { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan, lo, ls, hi, hs };

// setp.op{.ftz}.T, for integers and for floats to which .ftz has been applied.
template <class T> TILECC_EMU_INLINE bool compare(Comparison op, T a, T b) {
  if constexpr (Half<T>) {
    return compare(op, toFloat(a), toFloat(b));
  } else {
    bool unordered = a != a || b != b;
    switch (op) {
    case Comparison::eq: return a == b;
    case Comparison::ne: return a != b && !unordered;
    case Comparison::lt:
    case Comparison::lo: return a < b;
    case Comparison::le:
    case Comparison::ls: return a <= b;
    case Comparison::gt:
    case Comparison::hi: return a > b;
    case Comparison::ge:
    case Comparison::hs: return a >= b;
    case Comparison::equ: return a == b || unordered;
    case Comparison::neu: return a != b;
    case Comparison::ltu: return !(a >= b);
    case Comparison::leu: return !(a > b);
    case Comparison::gtu: return !(a <= b);
    case Comparison::geu: return !(a < b);
    case Comparison::num: return !unordered;
    case Comparison::nan: return unordered;
    }
    __builtin_unreachable();
  }
}

//===-- testp, copysign -----------------------------------------------------------------------------------------===//

// testp.op.{f32,f64}. Zeros are normal.
enum class Property : u8 { finite, infinite, number, notanumber, normal, subnormal };

template <std::floating_point T> TILECC_EMU_INLINE bool testProperty(Property op, T x) {
  constexpr bool isFloat = std::same_as<T, float>;
  constexpr detail::Bits<T> infinity = isFloat ? 0x7f800000 : 0x7ff0000000000000;
  constexpr detail::Bits<T> leastNormal = isFloat ? 0x00800000 : 0x0010000000000000;
  detail::Bits<T> magnitude = bitsOf(detail::withoutSign(x));
  bool subnormal = magnitude != 0 && magnitude < leastNormal;
  switch (op) {
  case Property::finite: return magnitude < infinity;
  case Property::infinite: return magnitude == infinity;
  case Property::number: return magnitude <= infinity;
  case Property::notanumber: return magnitude > infinity;
  case Property::normal: return magnitude < infinity && !subnormal;
  case Property::subnormal: return subnormal;
  }
  __builtin_unreachable();
}

// copysign.{f32,f64} d, a, b: the sign is a's, the rest b's.
TILECC_EMU_INLINE float copysign(float a, float b) {
  return floatOf((bitsOf(a) & 0x80000000) | (bitsOf(b) & 0x7fffffff));
}
TILECC_EMU_INLINE double copysign(double a, double b) {
  constexpr u64 sign = u64(1) << 63;
  return doubleOf((bitsOf(a) & sign) | (bitsOf(b) & ~sign));
}

} // namespace tilecc::emu
#endif
