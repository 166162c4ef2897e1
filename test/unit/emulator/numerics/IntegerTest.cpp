// Compares integer instructions with the manual's pseudo code, bit by bit, and with wider arithmetic.
#include "emulator/isa/numerics/Integer.h"

#include <gtest/gtest.h>
#include <random>

namespace tilecc::emu {
namespace {

class Random {
public:
  explicit Random(u64 seed) : engine(seed) {}
  u64 below(u64 n) { return engine() % n; }
  // Random bits, or values close to special ones.
  template <class T> T number() {
    u64 x = engine();
    if (below(3) == 0) {
      const u64 specials[] = {0, ~u64(0), u64(1) << (sizeof(T) * 8 - 1), u64(1) << below(64)};
      x = specials[below(4)] + below(3) - 1;
    }
    return static_cast<T>(x);
  }
  u32 amount() { return below(8) ? static_cast<u32>(below(70)) : static_cast<u32>(engine()); }

private:
  std::mt19937_64 engine;
};

template <class Check> void forTypes(Check check) {
  check(u16(0)), check(s16(0)), check(u32(0)), check(s32(0)), check(u64(0)), check(s64(0));
}

TEST(Integer, Multiply) {
  Random random(1);
  forTypes([&]<class T>(T) {
    for (int i = 0; i < 2000; ++i) {
      T a = random.number<T>(), b = random.number<T>(), c = random.number<T>();
      // The exact product from 32-bit halves, unlike in the implementation.
      bool negative = (a < 0) != (b < 0);
      u64 x = a < 0 ? 0 - u64(a) : u64(a), y = b < 0 ? 0 - u64(b) : u64(b);
      u64 low = (x & 0xffffffff) * (y & 0xffffffff), m1 = (x >> 32) * (y & 0xffffffff);
      u64 m2 = (x & 0xffffffff) * (y >> 32), high = (x >> 32) * (y >> 32);
      u128 product = u128(low) + (u128(m1) << 32) + (u128(m2) << 32) + (u128(high) << 64);
      s128 exact = static_cast<s128>(negative ? 0 - product : product);
      constexpr unsigned bits = sizeof(T) * 8;
      ASSERT_EQ(mulLo(a, b), static_cast<T>(exact));
      ASSERT_EQ(mulHi(a, b), static_cast<T>(exact >> bits));
      ASSERT_TRUE(static_cast<s128>(mulWide(a, b)) == exact);
      T distance = static_cast<T>(a < b ? u64(b) - u64(a) : u64(a) - u64(b));
      ASSERT_EQ(sad(a, b, c), static_cast<T>(u64(c) + u64(distance)));
    }
  });
  EXPECT_EQ(mulHi<u64>(~u64(0), ~u64(0)), ~u64(0) - 1);
  EXPECT_EQ(mulHi<s64>(-1, 1), -1);
  EXPECT_EQ(mulLo<u16>(0xffff, 0xffff), 1);
}

TEST(Integer, Multiply24) {
  EXPECT_EQ(mul24Lo<u32>(0xff000002, 0x00000003), 6u);
  EXPECT_EQ(mul24Hi<u32>(0x00ffffff, 0x00ffffff), 0xfffffe00u);
  EXPECT_EQ(mul24Lo<s32>(0x00ffffff, 5), -5);
  EXPECT_EQ(mul24Hi<s32>(0x00800000, 0x007fffff), static_cast<s32>(0xc0000080));
  EXPECT_EQ(mad24HiSat(0x00800000, 0x00800000, 0x7fffffff), 0x7fffffff);
  EXPECT_EQ(mad24HiSat(0x00800000, 0x007fffff, std::numeric_limits<s32>::min()), std::numeric_limits<s32>::min());
}

TEST(Integer, Saturation) {
  constexpr s32 least = std::numeric_limits<s32>::min(), greatest = std::numeric_limits<s32>::max();
  EXPECT_EQ(addSat(greatest, 1), greatest);
  EXPECT_EQ(addSat(least, -1), least);
  EXPECT_EQ(addSat(3, -5), -2);
  EXPECT_EQ(subSat(least, 1), least);
  EXPECT_EQ(subSat(0, least), greatest);
  EXPECT_EQ(madHiSat(greatest, greatest, greatest), greatest);
  EXPECT_EQ(madHiSat(least, greatest, least), least);
  EXPECT_EQ(madHiSat(0x10000, 0x10000, 7), 8);
}

TEST(Integer, Divide) {
  EXPECT_EQ(div(7, -2), -3);
  EXPECT_EQ(rem(7, -2), 1);
  EXPECT_EQ(rem(-7, 2), -1);
  EXPECT_EQ(div(std::numeric_limits<s64>::min(), s64(-1)), std::numeric_limits<s64>::min());
  EXPECT_EQ(rem(std::numeric_limits<s32>::min(), -1), 0);
  EXPECT_EQ(div<u32>(0xfffffffe, 0xffffffff), 0u);
  EXPECT_EQ(rem<u32>(5, 0xffffffff), 5u);
  EXPECT_EQ(div<u16>(9, 0), 0xffff);
  EXPECT_EQ(rem<s16>(-9, 0), -1);
  EXPECT_EQ(div<s16>(-32768, -1), -32768);
  EXPECT_EQ(abs(std::numeric_limits<s32>::min()), std::numeric_limits<s32>::min());
  EXPECT_EQ(abs<s16>(-5), 5);
  EXPECT_EQ(neg<s64>(5), -5);
  EXPECT_EQ(min(-3, 2, true), 0);
  EXPECT_EQ(max(-3, -2, true), 0);
  EXPECT_EQ(max<u32>(0x80000000, 1), 0x80000000u);
  EXPECT_EQ(max<s16>(4, 3, true), 4);
}

TEST(Integer, Carries) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    // 128-bit arithmetic from words, as in the manual's example.
    u128 a = u128(random.number<u64>()) << 64 | random.number<u64>();
    u128 b = u128(random.number<u64>()) << 64 | random.number<u64>();
    auto word = [](u128 x, int n) { return static_cast<u32>(x >> 32 * n); };
    u128 sum = 0, difference = 0;
    bool carry = false, borrow = false;
    for (int n = 0; n < 4; ++n) {
      auto [s, outCarry] = addCarry(word(a, n), word(b, n), carry);
      auto [d, outBorrow] = subBorrow(word(a, n), word(b, n), borrow);
      sum |= u128(s) << 32 * n, difference |= u128(d) << 32 * n;
      carry = outCarry, borrow = outBorrow;
    }
    ASSERT_TRUE(sum == a + b && carry == (a + b < a));
    ASSERT_TRUE(difference == a - b && borrow == (a < b));

    // [r3..r0] = [r5,r4] * [r7,r6]
    u64 x = random.number<u64>(), y = random.number<u64>();
    u32 r4 = u32(x), r5 = x >> 32, r6 = u32(y), r7 = y >> 32, r0 = mulLo(r4, r6), r1 = mulHi(r4, r6), r2, r3;
    auto step = madLoCarry(r5, r6, r1);
    r1 = step.value;
    r2 = madHiCarry(r5, r6, 0u, step.carry).value;
    step = madLoCarry(r4, r7, r1);
    r1 = step.value;
    step = madHiCarry(r4, r7, r2, step.carry);
    r2 = step.value;
    r3 = addCarry(0u, 0u, step.carry).value;
    step = madLoCarry(r5, r7, r2);
    r2 = step.value;
    r3 = madHiCarry(r5, r7, r3, step.carry).value;
    ASSERT_TRUE((u128(r3) << 96 | u128(r2) << 64 | u128(r1) << 32 | r0) == u128(x) * y);
  }
  EXPECT_EQ(addCarry(s64(-1), s64(0), true), (WithCarry<s64>{0, true}));
  EXPECT_EQ(subBorrow(s32(0), s32(-1), true), (WithCarry<s32>{0, true}));
}

TEST(Integer, Shifts) {
  Random random(3);
  forTypes([&]<class T>(T) {
    for (int i = 0; i < 2000; ++i) {
      T a = random.number<T>();
      u32 n = random.amount();
      T left = a, right = a;
      for (u32 k = 0; k < std::min(n, 64u); ++k)
        left = wrappingAdd(left, left), right = static_cast<T>(right >> 1);
      ASSERT_EQ(shl(a, n), left) << n;
      ASSERT_EQ(shr(a, n), right) << n;
    }
  });
  EXPECT_EQ(shf(0x89abcdef, 0x01234567, 8, true, false), 0x23456789u);
  EXPECT_EQ(shf(0x89abcdef, 0x01234567, 8, false, false), 0x6789abcdu);
  EXPECT_EQ(shf(0x89abcdef, 0x01234567, 32, true, false), 0x89abcdefu);
  EXPECT_EQ(shf(0x89abcdef, 0x01234567, 99, false, false), 0x01234567u);
  EXPECT_EQ(shf(0x89abcdef, 0x01234567, 32, true, true), 0x01234567u);
  EXPECT_EQ(shf(0x89abcdef, 0x01234567, 36, false, true), 0x789abcdeu);
  EXPECT_EQ(shf(1, 2, 0, true, false), 2u);
  EXPECT_EQ(shf(1, 2, 0, false, false), 1u);
}

template <class T> bool bitOf(T x, u32 i) { return static_cast<u64>(x) >> i & 1; }

// The manual's pseudo code.
template <class T> T expectedBfe(T a, u32 b, u32 c) {
  u32 msb = sizeof(T) * 8 - 1, pos = b & 0xff, len = c & 0xff;
  bool sbit = std::is_unsigned_v<T> || len == 0 ? false : bitOf(a, std::min(pos + len - 1, msb));
  u64 d = 0;
  for (u32 i = 0; i <= msb; ++i)
    d |= u64(i < len && pos + i <= msb ? bitOf(a, pos + i) : sbit) << i;
  return static_cast<T>(d);
}
template <class T> T expectedBfi(T a, T b, u32 c, u32 d) {
  u32 msb = sizeof(T) * 8 - 1, pos = c & 0xff, len = d & 0xff;
  u64 f = b;
  for (u32 i = 0; i < len && pos + i <= msb; ++i)
    f = (f & ~(u64(1) << (pos + i))) | u64(bitOf(a, i)) << (pos + i);
  return static_cast<T>(f);
}
template <class T> u32 expectedBfind(T a, bool shiftamt) {
  s32 msb = sizeof(T) * 8 - 1;
  if (std::is_signed_v<T> && bitOf(a, u32(msb)))
    a = static_cast<T>(~a);
  u32 d = ~0u;
  for (s32 i = msb; i >= 0 && d == ~0u; --i)
    if (bitOf(a, u32(i)))
      d = u32(i);
  return shiftamt && d != ~0u ? u32(msb) - d : d;
}
u32 expectedFns(u32 mask, u32 base, s32 offset) {
  if (offset == 0)
    return mask >> base & 1 ? base : ~0u;
  s32 pos = s32(base), count = (offset < 0 ? -offset : offset) - 1, inc = offset > 0 ? 1 : -1;
  while (pos >= 0 && pos < 32) {
    if (mask >> pos & 1) {
      if (count == 0)
        return u32(pos);
      --count;
    }
    pos += inc;
  }
  return ~0u;
}
u32 expectedSzext(u32 a, u32 b, bool isSigned, bool wrap) {
  u32 b1 = b & 31;
  bool tooLarge = b >= 32 && !wrap;
  u32 mask = tooLarge ? 0 : ~0u << b1, signPos = (b1 - 1) & 31;
  bool sign = b1 == 0 || tooLarge || !isSigned ? false : a >> signPos & 1;
  return (a & ~mask) | (sign ? mask : 0);
}
u32 expectedBmsk(u32 a, u32 b, bool wrap) {
  u32 a1 = a & 31, mask0 = ~0u << a1, b1 = b & 31, sum = a1 + b1, mask1 = sum < 32 ? ~0u << sum : 0;
  bool overflow = sum >= 32;
  if (!wrap && a >= 32)
    overflow = true, mask0 = 0;
  if (!wrap && b >= 32)
    overflow = true;
  if (overflow)
    mask1 = 0;
  else if (b1 == 0)
    mask1 = ~0u;
  return mask0 & ~mask1;
}

TEST(Integer, BitFields) {
  Random random(4);
  auto check = [&]<class T>(T) {
    for (int i = 0; i < 4000; ++i) {
      T a = random.number<T>(), b = random.number<T>();
      u32 start = random.amount(), length = random.amount();
      ASSERT_EQ(bfe(a, start, length), expectedBfe(a, start, length)) << a << " " << start << " " << length;
      ASSERT_EQ(bfind(a, false), expectedBfind(a, false));
      ASSERT_EQ(bfind(a, true), expectedBfind(a, true));
      if constexpr (std::is_unsigned_v<T>) {
        ASSERT_EQ(bfi(a, b, start, length), expectedBfi(a, b, start, length)) << start << " " << length;
        u32 ones = 0, leading = sizeof(T) * 8;
        u64 reversed = 0;
        for (u32 k = 0; k < sizeof(T) * 8; ++k) {
          ones += bitOf(a, k);
          leading = bitOf(a, k) ? u32(sizeof(T)) * 8 - 1 - k : leading;
          reversed = reversed << 1 | bitOf(a, k);
        }
        ASSERT_EQ(popc(a), ones);
        ASSERT_EQ(clz(a), leading);
        ASSERT_EQ(brev(a), reversed);
      }
    }
  };
  check(u32(0)), check(s32(0)), check(u64(0)), check(s64(0));
}

TEST(Integer, Masks) {
  Random random(5);
  for (int i = 0; i < 4000; ++i) {
    u32 a = random.number<u32>(), n = random.amount(), m = random.amount();
    for (bool wrap : {false, true}) {
      ASSERT_EQ(szext(a, n, wrap), expectedSzext(a, n, false, wrap)) << a << " " << n;
      ASSERT_EQ(static_cast<u32>(szext(static_cast<s32>(a), n, wrap)), expectedSzext(a, n, true, wrap));
      ASSERT_EQ(bmsk(m, n, wrap), expectedBmsk(m, n, wrap)) << m << " " << n << " " << wrap;
    }
    s32 offset = static_cast<s32>(random.below(70)) - 35;
    ASSERT_EQ(fns(a, n & 31, offset), expectedFns(a, n & 31, offset)) << a << " " << (n & 31) << " " << offset;
  }
  EXPECT_EQ(bmsk(1, 2, true), 6u);
  EXPECT_EQ(szext<u32>(0xffffffff, 0, true), 0u);
  EXPECT_EQ(fns(0xaaaaaaaa, 3, 1), 3u);
  EXPECT_EQ(fns(0xaaaaaaaa, 3, -1), 3u);
  EXPECT_EQ(fns(0xaaaaaaaa, 2, 1), 3u);
  EXPECT_EQ(fns(0xaaaaaaaa, 2, -1), 1u);
}

TEST(Integer, Lop3) {
  u32 a = 0xf0f0f0f0, b = 0xcccccccc, c = 0xaaaaaaaa;
  for (unsigned table = 0; table < 256; ++table) // these operands spell the table
    EXPECT_EQ(lop3(a, b, c, static_cast<u8>(table)), table * 0x01010101u);
  EXPECT_EQ(lop3(12, 10, 6, 0x80), 12u & 10u & 6u);
  EXPECT_EQ(lop3(12, 10, 6, 0x96), 12u ^ 10u ^ 6u);
  EXPECT_EQ(lop3(12, 10, 6, 0x1a), ((12u & 10u) | 6u) ^ 12u);
}

TEST(Integer, Permute) {
  u32 a = 0x83020100, b = 0x07068504; // each byte is its number, some with the sign set
  EXPECT_EQ(prmt(a, b, 0x3210), a);
  EXPECT_EQ(prmt(a, b, 0x7654), b);
  EXPECT_EQ(prmt(a, b, 0x0123), 0x00010283u);
  EXPECT_EQ(prmt(a, b, 0xdb80), 0xffff0000u);
  EXPECT_EQ(prmt(a, b, 0xffff3210), a);
  // The manual's table, d.b3 first.
  using enum PermuteMode;
  const struct {
    PermuteMode mode;
    u8 rows[4][4];
  } modes[] = {{f4e, {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}},
               {b4e, {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}},
               {rc8, {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
               {ecl, {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}},
               {ecr, {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}},
               {rc16, {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}}};
  u64 source = u64(b) << 32 | a;
  for (const auto &mode : modes)
    for (u32 n = 0; n < 4; ++n) {
      u32 wanted = 0;
      for (u8 index : mode.rows[n])
        wanted = wanted << 8 | (source >> 8 * index & 0xff);
      EXPECT_EQ(prmt(a, b, 0xabcdef00 | n, mode.mode), wanted) << int(mode.mode) << " " << n;
    }
}

TEST(Integer, DotProducts) {
  EXPECT_EQ(dp4a(0x01020304, 0x01010101, 5, false, false), 15u);
  EXPECT_EQ(dp4a(0xffffffff, 0x02020202, 0, true, false), static_cast<u32>(-8));
  EXPECT_EQ(dp4a(0xffffffff, 0x02020202, 0, false, false), 2040u);
  EXPECT_EQ(dp4a(0x80808080, 0x80808080, 0, true, true), 65536u);
  EXPECT_EQ(dp4a(0x000000ff, 0x000000ff, 0, false, true), static_cast<u32>(-255));
  EXPECT_EQ(dp2a(0x00030002, 0x04030201, 10, false, false, false), 10u + 2 + 6);
  EXPECT_EQ(dp2a(0x00030002, 0x04030201, 10, false, false, true), 10u + 6 + 12);
  EXPECT_EQ(dp2a(0xffff8000, 0x000080ff, 0, true, true, false), 32768u + 128);
  EXPECT_EQ(dp2a(0xffffffff, 0x0000ffff, 0, false, true, false), static_cast<u32>(-2 * 65535));
}

} // namespace
} // namespace tilecc::emu
