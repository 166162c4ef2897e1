//===-- Integer.h - integer and bit instructions ------------------------------------------------------------------===//
//
// Operations for which C++ has no operator, or one with other rules for overflow and shift amounts. T is the
// instruction's type; results wrap unless .sat is given.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_NUMERICS_INTEGER_H
#define TILECC_EMULATOR_ISA_NUMERICS_INTEGER_H

#include "emulator/isa/numerics/Scalar.h"

#include <algorithm>
#include <concepts>
#include <limits>

namespace tilecc::emu {

namespace detail {

template <class T> using Unsigned = std::make_unsigned_t<T>;
template <class T> constexpr unsigned bitCount = sizeof(T) * 8;

// An integer of twice the bits.
template <class T> struct WideOf;
template <> struct WideOf<u16> {
  using type = u32;
};
template <> struct WideOf<s16> {
  using type = s32;
};
template <> struct WideOf<u32> {
  using type = u64;
};
template <> struct WideOf<s32> {
  using type = s64;
};
template <> struct WideOf<u64> {
  using type = u128;
};
template <> struct WideOf<s64> {
  using type = s128;
};

} // namespace detail

template <class T> using Wide = typename detail::WideOf<T>::type;

//===-- arithmetic ----------------------------------------------------------------------------------------------===//

template <std::integral T> TILECC_EMU_INLINE T wrappingAdd(T a, T b) {
  return static_cast<T>(static_cast<detail::Unsigned<T>>(a) + static_cast<detail::Unsigned<T>>(b));
}
template <std::integral T> TILECC_EMU_INLINE T wrappingSub(T a, T b) {
  return static_cast<T>(static_cast<detail::Unsigned<T>>(a) - static_cast<detail::Unsigned<T>>(b));
}

// mul.lo; u16 goes through u32, since C++ would promote it to int.
template <std::integral T> TILECC_EMU_INLINE T mulLo(T a, T b) {
  using U = std::common_type_t<detail::Unsigned<T>, u32>;
  return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
}
// mul.wide, and the product whose upper half is mul.hi
template <std::integral T> TILECC_EMU_INLINE Wide<T> mulWide(T a, T b) {
  return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b);
}
template <std::integral T> TILECC_EMU_INLINE T mulHi(T a, T b) {
  return static_cast<T>(mulWide(a, b) >> detail::bitCount<T>);
}

// add.sat.s32, sub.sat.s32
TILECC_EMU_INLINE s32 saturateS32(s64 x) {
  return static_cast<s32>(std::clamp<s64>(x, std::numeric_limits<s32>::min(), std::numeric_limits<s32>::max()));
}
TILECC_EMU_INLINE s32 addSat(s32 a, s32 b) { return saturateS32(s64(a) + b); }
TILECC_EMU_INLINE s32 subSat(s32 a, s32 b) { return saturateS32(s64(a) - b); }
// mad.hi.sat.s32
TILECC_EMU_INLINE s32 madHiSat(s32 a, s32 b, s32 c) { return saturateS32(s64(mulHi(a, b)) + c); }

// mul24: the product of the low 24 bits; .lo is bits 31 to 0, .hi bits 47 to 16
template <class T>
  requires std::same_as<T, u32> || std::same_as<T, s32>
TILECC_EMU_INLINE Wide<T> mul24Wide(T a, T b) {
  T x = static_cast<T>(static_cast<u32>(a) << 8) >> 8, y = static_cast<T>(static_cast<u32>(b) << 8) >> 8;
  return mulWide(x, y);
}
template <class T> TILECC_EMU_INLINE T mul24Lo(T a, T b) { return static_cast<T>(mul24Wide(a, b)); }
template <class T> TILECC_EMU_INLINE T mul24Hi(T a, T b) { return static_cast<T>(mul24Wide(a, b) >> 16); }
// mad24.hi.sat.s32
TILECC_EMU_INLINE s32 mad24HiSat(s32 a, s32 b, s32 c) { return saturateS32(s64(mul24Hi(a, b)) + c); }

// sad: |a - b| + c
template <std::integral T> TILECC_EMU_INLINE T sad(T a, T b, T c) {
  return wrappingAdd(c, a < b ? wrappingSub(b, a) : wrappingSub(a, b));
}

// abs, neg: the smallest number is unchanged
template <std::signed_integral T> TILECC_EMU_INLINE T neg(T a) { return wrappingSub(T(0), a); }
template <std::signed_integral T> TILECC_EMU_INLINE T abs(T a) { return a < 0 ? neg(a) : a; }

// div, rem: round to zero. Division by zero, which is machine-dependent in the manual, gives all ones. The smallest
// number divided by -1 is itself, with remainder 0.
template <std::integral T> TILECC_EMU_INLINE T div(T a, T b) {
  if (b == 0)
    return static_cast<T>(~T(0));
  if (std::is_signed_v<T> && b == static_cast<T>(-1))
    return wrappingSub(T(0), a);
  return static_cast<T>(a / b);
}
template <std::integral T> TILECC_EMU_INLINE T rem(T a, T b) {
  if (b == 0)
    return static_cast<T>(~T(0));
  if (std::is_signed_v<T> && b == static_cast<T>(-1))
    return 0;
  return static_cast<T>(a % b);
}

// min{.relu}, max{.relu}
template <std::integral T> TILECC_EMU_INLINE T min(T a, T b, bool relu = false) {
  T result = a < b ? a : b;
  return relu && result < 1 ? T(0) : result;
}
template <std::integral T> TILECC_EMU_INLINE T max(T a, T b, bool relu = false) {
  T result = a > b ? a : b;
  return relu && result < 1 ? T(0) : result;
}

//===-- carries -------------------------------------------------------------------------------------------------===//

template <class T> struct WithCarry {
  T value;
  bool carry; // CC.CF: the carry of an addition, or the borrow of a subtraction
  friend constexpr bool operator==(WithCarry, WithCarry) = default;
};

// add.cc, addc{.cc}
template <std::integral T> TILECC_EMU_INLINE WithCarry<T> addCarry(T a, T b, bool carry = false) {
  using U = detail::Unsigned<T>;
  U sum, result;
  bool first = __builtin_add_overflow(static_cast<U>(a), static_cast<U>(b), &sum);
  bool second = __builtin_add_overflow(sum, static_cast<U>(carry), &result);
  return {static_cast<T>(result), first || second};
}
// sub.cc, subc{.cc}
template <std::integral T> TILECC_EMU_INLINE WithCarry<T> subBorrow(T a, T b, bool borrow = false) {
  using U = detail::Unsigned<T>;
  U difference, result;
  bool first = __builtin_sub_overflow(static_cast<U>(a), static_cast<U>(b), &difference);
  bool second = __builtin_sub_overflow(difference, static_cast<U>(borrow), &result);
  return {static_cast<T>(result), first || second};
}
// mad.{lo,hi}.cc, madc.{lo,hi}{.cc}: the carry of the addition
template <std::integral T> TILECC_EMU_INLINE WithCarry<T> madLoCarry(T a, T b, T c, bool carry = false) {
  return addCarry(mulLo(a, b), c, carry);
}
template <std::integral T> TILECC_EMU_INLINE WithCarry<T> madHiCarry(T a, T b, T c, bool carry = false) {
  return addCarry(mulHi(a, b), c, carry);
}

//===-- shifts --------------------------------------------------------------------------------------------------===//

// shl, shr: amounts beyond the width count as the width.
template <std::integral T> TILECC_EMU_INLINE T shl(T a, u32 amount) {
  constexpr unsigned bits = detail::bitCount<T>;
  u64 wide = static_cast<detail::Unsigned<T>>(a);
  return amount < bits ? static_cast<T>(wide << amount) : T(0);
}
template <std::integral T> TILECC_EMU_INLINE T shr(T a, u32 amount) {
  constexpr unsigned bits = detail::bitCount<T>;
  if (std::is_signed_v<T>)
    return static_cast<T>(a >> std::min(amount, bits - 1));
  return amount < bits ? static_cast<T>(a >> amount) : T(0);
}

// shf.{l,r}.{clamp,wrap}.b32 d, a, b, c: shifts the 64 bits b:a; returns the upper half for left, the lower for right
TILECC_EMU_INLINE u32 shf(u32 a, u32 b, u32 amount, bool left, bool wrap) {
  u32 n = wrap ? amount & 31 : std::min(amount, 32u);
  u64 both = u64(b) << 32 | a;
  return left ? static_cast<u32>(both << n >> 32) : static_cast<u32>(both >> n);
}

//===-- bits ----------------------------------------------------------------------------------------------------===//

// popc, clz of b32, b64
template <std::unsigned_integral T> TILECC_EMU_INLINE u32 popc(T a) { return static_cast<u32>(std::popcount(a)); }
template <std::unsigned_integral T> TILECC_EMU_INLINE u32 clz(T a) { return static_cast<u32>(std::countl_zero(a)); }

// bfind{.shiftamt}: the first bit from the top that is not a sign; all ones if there is none
template <std::integral T> TILECC_EMU_INLINE u32 bfind(T a, bool shiftAmount) {
  using U = detail::Unsigned<T>;
  U bits = static_cast<U>(a < 0 ? ~a : a);
  u32 leading = clz(bits);
  return bits == 0 ? ~0u : shiftAmount ? leading : detail::bitCount<T> - 1 - leading;
}

// brev
template <std::unsigned_integral T> TILECC_EMU_INLINE T brev(T a) {
  u64 x = a;
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
  return static_cast<T>(__builtin_bswap64(x) >> (64 - detail::bitCount<T>));
}

// fns.b32: the |offset|-th set bit from `base` on, upwards or downwards; with 0, base itself if set
inline u32 fns(u32 mask, u32 base, s32 offset) {
  if (offset == 0)
    return base < 32 && (mask >> base & 1) ? base : ~0u;
  u32 count = offset < 0 ? 0 - static_cast<u32>(offset) : static_cast<u32>(offset);
  for (s64 at = base; at >= 0 && at < 32; at += offset > 0 ? 1 : -1)
    if ((mask >> at & 1) && --count == 0)
      return static_cast<u32>(at);
  return ~0u;
}

// bfe: `length` bits from `start`, sign-extended; beyond a's width, the sign is a's
template <std::integral T> TILECC_EMU_INLINE T bfe(T a, u32 start, u32 length) {
  constexpr u32 bits = detail::bitCount<T>;
  start &= 0xff, length &= 0xff;
  T shifted = shr(a, start);
  if (length >= bits)
    return shifted;
  if (length == 0)
    return 0;
  u32 unused = bits - length;
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(shl(shifted, unused) >> unused);
  else
    return static_cast<T>(shifted & (T(~T(0)) >> unused));
}

// bfi.b32, bfi.b64: inserts the low `length` bits of a into b at `start`
template <std::unsigned_integral T> TILECC_EMU_INLINE T bfi(T a, T b, u32 start, u32 length) {
  start &= 0xff, length &= 0xff;
  T mask = shl(static_cast<T>(~shl(T(~T(0)), length)), start);
  return static_cast<T>((b & ~mask) | (shl(a, start) & mask));
}

// szext.{clamp,wrap}: the low n bits of a, extended
template <class T>
  requires std::same_as<T, u32> || std::same_as<T, s32>
TILECC_EMU_INLINE T szext(T a, u32 n, bool wrap) {
  if (n >= 32 && !wrap)
    return a;
  return bfe(a, 0, n & 31);
}

// bmsk.{clamp,wrap}.b32: `width` ones from `start`
TILECC_EMU_INLINE u32 bmsk(u32 start, u32 width, bool wrap) {
  if (wrap)
    start &= 31, width &= 31;
  return shl(~shl(~0u, width), start);
}

// lop3.b32: for each bit, the bit of `table` at 4a + 2b + c
TILECC_EMU_INLINE u32 lop3(u32 a, u32 b, u32 c, u8 table) {
  auto term = [&](unsigned at) {
    u32 x = (at & 4 ? a : ~a) & (at & 2 ? b : ~b) & (at & 1 ? c : ~c);
    return table >> at & 1 ? x : 0u;
  };
  return term(0) | term(1) | term(2) | term(3) | term(4) | term(5) | term(6) | term(7);
}

// prmt.b32{.mode}
enum class PermuteMode : u8 { byIndex, f4e, b4e, rc8, ecl, ecr, rc16 };

TILECC_EMU_INLINE u32 prmt(u32 a, u32 b, u32 control, PermuteMode mode = PermuteMode::byIndex) {
  u64 source = u64(b) << 32 | a;
  u32 n = control & 3, result = 0;
  for (u32 i = 0; i < 4; ++i) {
    u32 index = 0;
    switch (mode) {
    case PermuteMode::byIndex: index = control >> 4 * i & 15; break;
    case PermuteMode::f4e: index = n + i; break;
    case PermuteMode::b4e: index = (n - i) & 7; break;
    case PermuteMode::rc8: index = n; break;
    case PermuteMode::ecl: index = std::max(n, i); break;
    case PermuteMode::ecr: index = std::min(n, i); break;
    case PermuteMode::rc16: index = (n & 1) * 2 + (i & 1); break;
    }
    u32 byte = static_cast<u32>(source >> 8 * (index & 7)) & 0xff;
    byte = index & 8 ? (byte & 0x80 ? 0xff : 0) : byte; // replicates the byte's sign
    result |= byte << 8 * i;
  }
  return result;
}

//===-- dot products --------------------------------------------------------------------------------------------===//

namespace detail {
// The i-th element of 8 or 16 bits, extended.
template <unsigned Bits> TILECC_EMU_INLINE s32 element(u32 x, unsigned i, bool isSigned) {
  u32 moved = x >> Bits * i << (32 - Bits);
  return isSigned ? static_cast<s32>(moved) >> (32 - Bits) : static_cast<s32>(moved >> (32 - Bits));
}
} // namespace detail

// dp4a.{u32,s32}.{u32,s32}
TILECC_EMU_INLINE u32 dp4a(u32 a, u32 b, u32 c, bool aSigned, bool bSigned) {
  for (unsigned i = 0; i < 4; ++i)
    c += static_cast<u32>(detail::element<8>(a, i, aSigned) * detail::element<8>(b, i, bSigned));
  return c;
}
// dp2a.{lo,hi}.{u32,s32}.{u32,s32}: halves of a times the lower or upper two bytes of b
TILECC_EMU_INLINE u32 dp2a(u32 a, u32 b, u32 c, bool aSigned, bool bSigned, bool upper) {
  for (unsigned i = 0; i < 2; ++i)
    c += static_cast<u32>(detail::element<16>(a, i, aSigned) * detail::element<8>(b, i + (upper ? 2 : 0), bSigned));
  return c;
}

} // namespace tilecc::emu
#endif
