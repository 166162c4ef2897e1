//===-- Integer.cpp - integer arithmetic (PTX ISA 9.7.1, 9.7.2) ------------------------------------------------===//
#include "emulator/isa/Table.h"

#include <algorithm>
#include <limits>

using namespace tilecc::emu;

// Signed arithmetic wraps around.
template <class T> using Wrapping = std::make_unsigned_t<T>;
template <class T> static T add(T a, T b) { return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b)); }
template <class T> static T sub(T a, T b) { return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b)); }
template <class T> static T mul(T a, T b) { return static_cast<T>(u64(Wrapping<T>(a)) * u64(Wrapping<T>(b))); }

// The integer type that is twice as wide.
template <class T> struct Wider;
template <> struct Wider<u16> { using type = u32; };
template <> struct Wider<s16> { using type = s32; };
template <> struct Wider<u32> { using type = u64; };
template <> struct Wider<s32> { using type = s64; };
template <> struct Wider<u64> { using type = u128; };
template <> struct Wider<s64> { using type = __int128; };
template <class T> using WiderType = typename Wider<T>::type;

template <class T> static WiderType<T> mulWide(T a, T b) { return static_cast<WiderType<T>>(a) * b; }
template <class T> static T mulHigh(T a, T b) { return static_cast<T>(mulWide(a, b) >> (8 * sizeof(T))); }

static s32 saturated(s64 value) {
  return static_cast<s32>(std::clamp<s64>(value, std::numeric_limits<s32>::min(), std::numeric_limits<s32>::max()));
}

// 24-bit factors: the low 24 bits, sign-extended if signed.
static s64 low24(s32 a) { return s64(u64(a) << 40) >> 40; }
static s64 low24(u32 a) { return a & 0xffffff; }

// Division by zero gives all ones, as the hardware does (PTX leaves it open); so does what overflows wrap around.
template <class T> static T divide(T a, T b) {
  if (b == 0)
    return static_cast<T>(~T(0));
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return sub(T(0), a);
  return a / b;
}
template <class T> static T remainder(T a, T b) {
  if (b == 0)
    return a;
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return 0;
  return a % b;
}

template <class T> static T absolute(T a) { return a < 0 ? sub(T(0), a) : a; }

// Sums of products of bytes, and of halves with bytes, each signed or not.
template <class A, class B> static u32 dp4a(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; ++i)
    c += static_cast<u32>(s32(A(a >> 8 * i)) * s32(B(b >> 8 * i)));
  return c;
}
template <class A, class B, int first> static u32 dp2a(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 2; ++i)
    c += static_cast<u32>(s32(A(a >> 16 * i)) * s32(B(b >> 8 * (i + first))));
  return c;
}

Rows tilecc::emu::integerRows() {
  return {
      op<"add.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return add(a, b); }),
      op<"add.sat.T d, a, b; T = s32">([](s32 a, s32 b) { return saturated(s64(a) + b); }),
      op<"add.T d, a, b; T = u16x2 s16x2">([](u32 a, u32 b) {
        return (a + b & 0xffff) | ((a & 0xffff0000) + (b & 0xffff0000));
      }),
      op<"sub.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return sub(a, b); }),
      op<"sub.sat.T d, a, b; T = s32">([](s32 a, s32 b) { return saturated(s64(a) - b); }),
      op<"mul.lo.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return mul(a, b); }),
      op<"mul.hi.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return mulHigh(a, b); }),
      op<"mul.wide.T d:b32, a, b; T = u16 s16">([](auto a, auto b) { return mulWide(a, b); }),
      op<"mul.wide.T d:b64, a, b; T = u32 s32">([](auto a, auto b) { return mulWide(a, b); }),
      op<"mul.wide.T d:b128, a, b; T = u64 s64">([](auto a, auto b) { return mulWide(a, b); }),
      op<"mad.lo.T d, a, b, c; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b, auto c) { return add(mul(a, b), c); }),
      op<"mad.hi.T d, a, b, c; T = u16 u32 u64 s16 s32 s64">(
          [](auto a, auto b, auto c) { return add(mulHigh(a, b), c); }),
      op<"mad.hi.sat.T d, a, b, c; T = s32">([](s32 a, s32 b, s32 c) { return saturated(s64(mulHigh(a, b)) + c); }),
      op<"mad.wide.T d:b32, a, b, c:b32; T = u16 s16">([](auto a, auto b, u32 c) { return u32(mulWide(a, b)) + c; }),
      op<"mad.wide.T d:b64, a, b, c:b64; T = u32 s32">([](auto a, auto b, u64 c) { return u64(mulWide(a, b)) + c; }),
      op<"mul24.lo.T d, a, b; T = u32 s32">([](auto a, auto b) { return u32(low24(a) * low24(b)); }),
      op<"mul24.hi.T d, a, b; T = u32 s32">([](auto a, auto b) { return u32(low24(a) * low24(b) >> 16); }),
      op<"mad24.lo.T d, a, b, c; T = u32 s32">([](auto a, auto b, auto c) { return u32(low24(a) * low24(b)) + u32(c); }),
      op<"mad24.hi.T d, a, b, c; T = u32 s32">(
          [](auto a, auto b, auto c) { return u32(low24(a) * low24(b) >> 16) + u32(c); }),
      op<"mad24.hi.sat.T d, a, b, c; T = s32">(
          [](s32 a, s32 b, s32 c) { return saturated(s64(s32(low24(a) * low24(b) >> 16)) + c); }),
      op<"sad.T d, a, b, c; T = u16 u32 u64 s16 s32 s64">(
          [](auto a, auto b, auto c) { return add(c, a < b ? sub(b, a) : sub(a, b)); }),
      op<"div.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return divide(a, b); }),
      op<"rem.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return remainder(a, b); }),
      op<"abs.T d, a; T = s16 s32 s64">([](auto a) { return absolute(a); }),
      op<"neg.T d, a; T = s16 s32 s64">([](auto a) { return sub(decltype(a)(0), a); }),
      op<"min.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return std::min(a, b); }),
      op<"max.T d, a, b; T = u16 u32 u64 s16 s32 s64">([](auto a, auto b) { return std::max(a, b); }),
      op<"min.relu.T d, a, b; T = s32">([](s32 a, s32 b) { return std::max(0, std::min(a, b)); }),
      op<"max.relu.T d, a, b; T = s32">([](s32 a, s32 b) { return std::max({0, a, b}); }),
      op<"dp4a.u32.u32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp4a<u8, u8>(a, b, c); }),
      op<"dp4a.u32.s32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp4a<u8, s8>(a, b, c); }),
      op<"dp4a.s32.u32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp4a<s8, u8>(a, b, c); }),
      op<"dp4a.s32.s32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp4a<s8, s8>(a, b, c); }),
      op<"dp2a.lo.u32.u32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp2a<u16, u8, 0>(a, b, c); }),
      op<"dp2a.lo.u32.s32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp2a<u16, s8, 0>(a, b, c); }),
      op<"dp2a.lo.s32.u32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp2a<s16, u8, 0>(a, b, c); }),
      op<"dp2a.lo.s32.s32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp2a<s16, s8, 0>(a, b, c); }),
      op<"dp2a.hi.u32.u32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp2a<u16, u8, 2>(a, b, c); }),
      op<"dp2a.hi.u32.s32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp2a<u16, s8, 2>(a, b, c); }),
      op<"dp2a.hi.s32.u32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp2a<s16, u8, 2>(a, b, c); }),
      op<"dp2a.hi.s32.s32 d:u32, a:b32, b:b32, c:u32">([](u32 a, u32 b, u32 c) { return dp2a<s16, s8, 2>(a, b, c); }),
  };
}
