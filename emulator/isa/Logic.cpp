//===-- Logic.cpp - bits (PTX ISA 9.7.1, 9.7.8) ----------------------------------------------------------------===//
#include "emulator/isa/Table.h"

#include <algorithm>

using namespace tilecc::emu;

template <class T> constexpr u32 width = sizeof(T) * 8;

// Shifts by the width and more clear, or leave the sign.
template <class T> static T shiftLeft(T a, u32 b) { return b < width<T> ? static_cast<T>(u64(a) << b) : T(0); }
template <class T> static T shiftRight(T a, u32 b) {
  return static_cast<T>(a >> std::min(b, width<T> - 1) >> (b >= width<T>));
}

// `length` bits of a from `position` on; beyond the top there are zeros, or copies of the sign.
template <class T> static T extractField(T a, u32 position, u32 length) {
  position &= 0xff;
  length &= 0xff;
  constexpr u32 top = width<T> - 1;
  if (length == 0)
    return 0;
  bool sign = std::is_signed_v<T> && a >> std::min(position + length - 1, top) & 1;
  using Bits = std::make_unsigned_t<T>;
  Bits field = position > top ? 0 : Bits(a) >> position;
  u32 taken = position > top ? 0 : std::min(length, top + 1 - position); // bits that are of a
  Bits mask = taken > top ? ~Bits(0) : (Bits(1) << taken) - 1;
  return static_cast<T>((field & mask) | (sign ? ~mask : 0));
}

template <class T> static T insertField(T a, T b, u32 position, u32 length) {
  position &= 0xff;
  length &= 0xff;
  if (position >= width<T>)
    return b;
  T mask = length >= width<T> ? ~T(0) : (T(1) << length) - 1;
  mask <<= position;
  return (a << position & mask) | (b & ~mask);
}

// The position of the most significant bit that is not the sign; all ones if there is none.
template <class T> static u32 findLeading(T a) {
  u64 bits = static_cast<u64>(std::is_signed_v<T> && a < 0 ? ~a : a);
  return bits ? 63 - __builtin_clzll(bits) : ~0u;
}
template <class T> static u32 findLeadingShift(T a) {
  u32 position = findLeading(a);
  return position == ~0u ? position : width<T> - 1 - position;
}

template <class T> static T reverse(T a) {
  T result = 0;
  for (u32 i = 0; i < width<T>; ++i)
    result |= (a >> i & 1) << (width<T> - 1 - i);
  return result;
}

template <class T> static u32 countLeadingZeros(T a) {
  return a ? __builtin_clzll(a) - (64 - width<T>) : width<T>;
}

// Bytes of {b, a} (a the lower four), picked by the nibbles of c; a nibble's top bit asks for the sign of the byte.
static u32 permute(u32 a, u32 b, u32 selectors) {
  u64 bytes = u64(b) << 32 | a;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    u32 selector = selectors >> 4 * i & 0xf;
    u8 byte = static_cast<u8>(bytes >> 8 * (selector & 7));
    if (selector & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= u32(byte) << 8 * i;
  }
  return result;
}
// The special modes of prmt as selectors, by the two low bits of c.
static u32 permuteMode(u32 a, u32 b, const u16 (&selectors)[4], u32 c) { return permute(a, b, selectors[c & 3]); }

// The n-th bit that is set in mask, counted from base upwards or downwards (offset negative).
static u32 findNthSet(u32 mask, u32 base, s32 offset) {
  if (offset == 0)
    return base < 32 && mask >> base & 1 ? base : ~0u;
  s32 left = offset > 0 ? offset : -offset;
  for (s64 position = base; position >= 0 && position < 32; position += offset > 0 ? 1 : -1)
    if (mask >> position & 1 && --left == 0)
      return static_cast<u32>(position);
  return ~0u;
}

// A bit for each of the eight combinations of the three inputs' bits.
static u32 lookUp(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  for (u32 i = 0; i < 8; ++i)
    if (table >> i & 1)
      result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}

static u32 funnelLeft(u32 a, u32 b, u32 amount) { return static_cast<u32>((u64(b) << 32 | a) << amount >> 32); }
static u32 funnelRight(u32 a, u32 b, u32 amount) { return static_cast<u32>((u64(b) << 32 | a) >> amount); }

static u32 maskOf(u32 position, u32 length, bool wrap) {
  if (wrap) {
    position &= 31;
    length &= 31;
  }
  if (position > 31)
    return 0;
  u32 bits = length > 31 ? ~0u : (1u << length) - 1;
  return bits << position;
}

template <class T> static T extendFrom(T a, u32 bits, bool wrap) {
  if (wrap)
    bits &= 31;
  if (bits > 31)
    return a;
  if (bits == 0)
    return 0;
  return static_cast<T>(static_cast<T>(u32(a) << (32 - bits)) >> (32 - bits));
}

Rows tilecc::emu::logicRows() {
  return {
      op<"and.T d, a, b; T = pred b16 b32 b64">([](auto a, auto b) { return a & b; }),
      op<"or.T d, a, b; T = pred b16 b32 b64">([](auto a, auto b) { return a | b; }),
      op<"xor.T d, a, b; T = pred b16 b32 b64">([](auto a, auto b) { return a ^ b; }),
      op<"not.T d, a; T = b16 b32 b64">([](auto a) { return ~a; }),
      op<"not.T d, a; T = pred">([](bool a) { return !a; }),
      op<"cnot.T d, a; T = b16 b32 b64">([](auto a) { return a == 0; }),
      op<"shl.T d, a, b:u32; T = b16 b32 b64">([](auto a, u32 b) { return shiftLeft(a, b); }),
      op<"shr.T d, a, b:u32; T = b16 b32 b64 u16 u32 u64 s16 s32 s64">([](auto a, u32 b) { return shiftRight(a, b); }),
      op<"shf.l.clamp.T d, a, b, c:u32; T = b32">([](u32 a, u32 b, u32 c) { return funnelLeft(a, b, std::min(c, 32u)); }),
      op<"shf.r.clamp.T d, a, b, c:u32; T = b32">([](u32 a, u32 b, u32 c) { return funnelRight(a, b, std::min(c, 32u)); }),
      op<"shf.l.wrap.T d, a, b, c:u32; T = b32">([](u32 a, u32 b, u32 c) { return funnelLeft(a, b, c & 31); }),
      op<"shf.r.wrap.T d, a, b, c:u32; T = b32">([](u32 a, u32 b, u32 c) { return funnelRight(a, b, c & 31); }),
      op<"lop3.T d, a, b, c, t:u32; T = b32">([](u32 a, u32 b, u32 c, u32 table) { return lookUp(a, b, c, table); }),
      op<"bfe.T d, a, b:u32, c:u32; T = u32 u64 s32 s64">([](auto a, u32 b, u32 c) { return extractField(a, b, c); }),
      op<"bfi.T d, a, b, c:u32, n:u32; T = b32 b64">(
          [](auto a, auto b, u32 position, u32 length) { return insertField(a, b, position, length); }),
      op<"bfind.T d:u32, a; T = u32 u64 s32 s64">([](auto a) { return findLeading(a); }),
      op<"bfind.shiftamt.T d:u32, a; T = u32 u64 s32 s64">([](auto a) { return findLeadingShift(a); }),
      op<"brev.T d, a; T = b32 b64">([](auto a) { return reverse(a); }),
      op<"clz.T d:u32, a; T = b32 b64">([](auto a) { return countLeadingZeros(a); }),
      op<"popc.T d:u32, a; T = b32 b64">([](auto a) { return __builtin_popcountll(a); }),
      op<"fns.T d, a, b, c:s32; T = b32">([](u32 mask, u32 base, s32 offset) { return findNthSet(mask, base, offset); }),
      op<"prmt.T d, a, b, c; T = b32">([](u32 a, u32 b, u32 c) { return permute(a, b, c); }),
      op<"prmt.T.f4e d, a, b, c; T = b32">(
          [](u32 a, u32 b, u32 c) { return permuteMode(a, b, {0x3210, 0x4321, 0x5432, 0x6543}, c); }),
      op<"prmt.T.b4e d, a, b, c; T = b32">(
          [](u32 a, u32 b, u32 c) { return permuteMode(a, b, {0x5670, 0x6701, 0x7012, 0x0123}, c); }),
      op<"prmt.T.rc8 d, a, b, c; T = b32">(
          [](u32 a, u32 b, u32 c) { return permuteMode(a, b, {0x0000, 0x1111, 0x2222, 0x3333}, c); }),
      op<"prmt.T.ecl d, a, b, c; T = b32">(
          [](u32 a, u32 b, u32 c) { return permuteMode(a, b, {0x3210, 0x3211, 0x3222, 0x3333}, c); }),
      op<"prmt.T.ecr d, a, b, c; T = b32">(
          [](u32 a, u32 b, u32 c) { return permuteMode(a, b, {0x0000, 0x1110, 0x2210, 0x3210}, c); }),
      op<"prmt.T.rc16 d, a, b, c; T = b32">(
          [](u32 a, u32 b, u32 c) { return permuteMode(a, b, {0x1010, 0x3232, 0x1010, 0x3232}, c); }),
      op<"bmsk.clamp.T d, a:u32, b:u32; T = b32">([](u32 a, u32 b) { return maskOf(a, b, false); }),
      op<"bmsk.wrap.T d, a:u32, b:u32; T = b32">([](u32 a, u32 b) { return maskOf(a, b, true); }),
      op<"szext.clamp.T d, a, b:u32; T = u32 s32">([](auto a, u32 b) { return extendFrom(a, b, false); }),
      op<"szext.wrap.T d, a, b:u32; T = u32 s32">([](auto a, u32 b) { return extendFrom(a, b, true); }),
  };
}
