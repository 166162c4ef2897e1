//===-- Scalar.h - PTX's scalar types ---------------------------------------------------------------------------===//
//
// PTX types that C++ lacks, represented by their bits. Equality compares bits, as for a register: a NaN equals itself,
// and zeros of different sign differ. The functions in Compare.h compare numbers.
//
// toFloat and toDouble are exact. They preserve only the fact that a number is NaN; Convert.h has PTX's rules for
// converting NaNs.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_NUMERICS_SCALAR_H
#define TILECC_EMULATOR_ISA_NUMERICS_SCALAR_H

#include <bit>
#include <cstdint>

// Handlers are instantiated per modifiers and loop over the lanes of a warp. The functions they call must be inlined,
// so that constant modifiers fold and the loop is vectorized.
#define TILECC_EMU_INLINE [[gnu::always_inline]] inline

namespace tilecc::emu {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using s8 = int8_t;
using s16 = int16_t;
using s32 = int32_t;
using s64 = int64_t;
using u128 = unsigned __int128;
using s128 = __int128;

TILECC_EMU_INLINE u32 bitsOf(float x) { return std::bit_cast<u32>(x); }
TILECC_EMU_INLINE u64 bitsOf(double x) { return std::bit_cast<u64>(x); }
TILECC_EMU_INLINE float floatOf(u32 bits) { return std::bit_cast<float>(bits); }
TILECC_EMU_INLINE double doubleOf(u64 bits) { return std::bit_cast<double>(bits); }

// IEEE binary16: 1 sign, 5 exponent, 10 fraction bits.
struct f16 {
  u16 bits;
  friend constexpr bool operator==(f16, f16) = default;
};

// The upper half of a binary32: 1 sign, 8 exponent, 7 fraction bits.
struct bf16 {
  u16 bits;
  friend constexpr bool operator==(bf16, bf16) = default;
};

// 1 sign, 4 exponent, 3 fraction bits; no infinities, and one NaN per sign: 0x7f, 0xff. The largest number is 448.
struct e4m3 {
  u8 bits;
  friend constexpr bool operator==(e4m3, e4m3) = default;
};

// The upper half of a binary16: 1 sign, 5 exponent, 2 fraction bits. The largest number is 57344.
struct e5m2 {
  u8 bits;
  friend constexpr bool operator==(e5m2, e5m2) = default;
};

// A binary32 of which the tensor cores read the upper 19 bits.
struct tf32 {
  u32 bits;
  friend constexpr bool operator==(tf32, tf32) = default;
};

// Two numbers in a 32-bit register, the first in the lower half.
struct f16x2 {
  u32 bits;
  constexpr f16 lo() const { return {static_cast<u16>(bits)}; }
  constexpr f16 hi() const { return {static_cast<u16>(bits >> 16)}; }
  static constexpr f16x2 of(f16 lo, f16 hi) { return {static_cast<u32>(hi.bits) << 16 | lo.bits}; }
  friend constexpr bool operator==(f16x2, f16x2) = default;
};

struct bf16x2 {
  u32 bits;
  constexpr bf16 lo() const { return {static_cast<u16>(bits)}; }
  constexpr bf16 hi() const { return {static_cast<u16>(bits >> 16)}; }
  static constexpr bf16x2 of(bf16 lo, bf16 hi) { return {static_cast<u32>(hi.bits) << 16 | lo.bits}; }
  friend constexpr bool operator==(bf16x2, bf16x2) = default;
};

// Two 8-bit numbers in a 16-bit register, the first in the lower half.
struct e4m3x2 {
  u16 bits;
  constexpr e4m3 lo() const { return {static_cast<u8>(bits)}; }
  constexpr e4m3 hi() const { return {static_cast<u8>(bits >> 8)}; }
  static constexpr e4m3x2 of(e4m3 lo, e4m3 hi) { return {static_cast<u16>(hi.bits << 8 | lo.bits)}; }
  friend constexpr bool operator==(e4m3x2, e4m3x2) = default;
};

struct e5m2x2 {
  u16 bits;
  constexpr e5m2 lo() const { return {static_cast<u8>(bits)}; }
  constexpr e5m2 hi() const { return {static_cast<u8>(bits >> 8)}; }
  static constexpr e5m2x2 of(e5m2 lo, e5m2 hi) { return {static_cast<u16>(hi.bits << 8 | lo.bits)}; }
  friend constexpr bool operator==(e5m2x2, e5m2x2) = default;
};

// Written so that loops over lanes are vectorized: computes every case and selects the right one.
TILECC_EMU_INLINE float toFloat(f16 x) {
  u32 magnitude = static_cast<u32>(x.bits & 0x7fff) << 13;
  u32 normal = magnitude + ((127 - 15) << 23);
  u32 special = magnitude + ((255 - 31) << 23);
  // A subnormal: the fraction with the exponent of the smallest normal, minus that normal.
  constexpr u32 leastNormal = (127 - 14) << 23;
  u32 subnormal = bitsOf(floatOf(magnitude + leastNormal) - floatOf(leastNormal));
  u32 bits = magnitude >= 0x0f800000 ? special : magnitude < 0x00800000 ? subnormal : normal;
  return floatOf(static_cast<u32>(x.bits & 0x8000) << 16 | bits);
}

TILECC_EMU_INLINE float toFloat(bf16 x) { return floatOf(static_cast<u32>(x.bits) << 16); }

TILECC_EMU_INLINE float toFloat(e4m3 x) {
  // A binary16 with these bits is the number divided by 2^8, because the exponent biases are 15 and 7.
  u16 sign = static_cast<u16>((x.bits & 0x80) << 8), magnitude = static_cast<u16>((x.bits & 0x7f) << 7);
  float scaled = toFloat(f16{static_cast<u16>(sign | magnitude)}) * 256;
  return (x.bits & 0x7f) == 0x7f ? floatOf(static_cast<u32>(sign) << 16 | 0x7fffffff) : scaled;
}

TILECC_EMU_INLINE float toFloat(e5m2 x) { return toFloat(f16{static_cast<u16>(x.bits << 8)}); }

TILECC_EMU_INLINE float toFloat(tf32 x) { return floatOf(x.bits & 0xffffe000); }

TILECC_EMU_INLINE float toFloat(float x) { return x; }

template <class T> TILECC_EMU_INLINE double toDouble(T x) { return static_cast<double>(toFloat(x)); }
TILECC_EMU_INLINE double toDouble(double x) { return x; }

} // namespace tilecc::emu
#endif
