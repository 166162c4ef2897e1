// Compares add, sub, mul, fma, div, sqrt and rcp in all rounding modes with exact arithmetic.
#include "emulator/isa/numerics/Arithmetic.h"

#include "Oracle.h"

#include <cfenv>
#include <gtest/gtest.h>

namespace tilecc::emu {
namespace {

using namespace oracle;

// The sign of an exact sum that is zero: that of the operands if they agree, else +, or - with .rm.
bool zeroSign(bool a, bool b, Rounding rounding) { return a == b ? a : rounding == Rounding::rm; }

// The rounded exact result, for finite operands.
template <class T> class Expect {
public:
  static u64 add(u64 a, u64 b, Rounding rounding) { return sum(Real::of(a, spec), Real::of(b, spec), rounding); }
  static u64 mul(u64 a, u64 b, Rounding rounding) { return product(a, b, spec).round(spec, rounding); }
  static u64 fma(u64 a, u64 b, u64 c, Rounding rounding) {
    return sum(product(a, b, spec), Real::of(c, spec), rounding);
  }
  static u64 div(u64 a, u64 b, Rounding rounding) { return quotient(a, b, spec).round(spec, rounding); }
  static u64 sqrt(u64 a, Rounding rounding) { return squareRoot(a, spec).round(spec, rounding); }

private:
  static constexpr Spec spec = specOf<T>();
  static u64 sum(const Real &a, const Real &b, Rounding rounding) {
    Real exact = a + b;
    if (exact.isZero())
      exact.negative = zeroSign(a.negative, b.negative, rounding);
    return exact.round(spec, rounding);
  }
};

template <class T> bool finite(u64 x) { return !oracle::isNaN(x, specOf<T>()) && !isInfinite(x, specOf<T>()); }

template <class T> void checkRandom(u64 seed, int count) {
  Random random(seed);
  constexpr Spec spec = specOf<T>();
  const u64 sign = u64(1) << spec.signBit();
  for (int i = 0; i < count; ++i) {
    u64 a = random.number(spec), b = random.number(spec), c = random.number(spec);
    if (i % 4 == 0) { // c close to -a * b
      c = product(a & ~sign, b & ~sign, spec).round(spec, Rounding::rn);
      c = (c + random.below(3)) ^ ((a ^ b) & sign) ^ sign;
      c &= 2 * sign - 1;
    }
    if (i % 5 == 0)
      b = (a ^ sign) + random.below(2);
    if (!finite<T>(a) || !finite<T>(b) || !finite<T>(c))
      continue;
    T x = fromRaw<T>(a), y = fromRaw<T>(b), z = fromRaw<T>(c);
    for (Rounding rounding : directions) {
      if (Half<T> && rounding != Rounding::rn)
        break;
      Modifiers m{.rounding = rounding};
      auto where = [&] {
        std::ostringstream text;
        text << std::hex << a << " " << b << " " << c << " mode " << int(rounding);
        return text.str();
      };
      ASSERT_EQ(rawBits(add(x, y, m)), Expect<T>::add(a, b, rounding)) << where();
      ASSERT_EQ(rawBits(sub(x, y, m)), Expect<T>::add(a, b ^ sign, rounding)) << where();
      ASSERT_EQ(rawBits(mul(x, y, m)), Expect<T>::mul(a, b, rounding)) << where();
      ASSERT_EQ(rawBits(fma(x, y, z, m)), Expect<T>::fma(a, b, c, rounding)) << where();
      if constexpr (std::floating_point<T>) {
        if (y != 0) {
          ASSERT_EQ(rawBits(div(x, y, m)), Expect<T>::div(a, b, rounding)) << where();
          ASSERT_EQ(rawBits(rcp(y, m)), Expect<T>::div(spec.one(), b, rounding)) << where();
        }
        if (x >= 0) {
          ASSERT_EQ(rawBits(sqrt(x, m)), Expect<T>::sqrt(a, rounding)) << where();
        }
      }
    }
  }
}

TEST(Arithmetic, Single) { checkRandom<float>(1, 20000); }
TEST(Arithmetic, Double) { checkRandom<double>(2, 20000); }
TEST(Arithmetic, Half) { checkRandom<f16>(3, 60000); }
TEST(Arithmetic, Bfloat) { checkRandom<bf16>(4, 60000); }

// Products and sums close to the midpoints of the result's format, where rounding twice gives wrong results.
TEST(Arithmetic, HalfFmaTies) {
  Random random(5);
  auto check = [&]<class T>(T) {
    constexpr Spec spec = specOf<T>();
    for (int i = 0; i < 60000; ++i) {
      // a * b is close to c's unit in the last place divided by 2^k for small k: far smaller than c or about half its
      // ulp.
      u64 a = spec.one() + random.below(u64(1) << spec.fractionBits), b = spec.one() + random.below(4);
      u64 c = random.number(spec) & ((u64(1) << spec.signBit()) - 1);
      if (!finite<T>(c))
        continue;
      u64 exponent = c >> spec.fractionBits, down = spec.fractionBits + random.below(4);
      if (exponent <= down)
        b = random.below(64);
      else
        b = (b & ((u64(1) << spec.fractionBits) - 1)) | (exponent - down) << spec.fractionBits;
      if (random.below(2))
        b |= u64(1) << spec.signBit();
      ASSERT_EQ(rawBits(fma(fromRaw<T>(a), fromRaw<T>(b), fromRaw<T>(c))), Expect<T>::fma(a, b, c, Rounding::rn))
          << std::hex << a << " " << b << " " << c;
      ASSERT_EQ(rawBits(mul(fromRaw<T>(a), fromRaw<T>(b))), Expect<T>::mul(a, b, Rounding::rn));
    }
  };
  check(f16{});
  check(bf16{});
}

// All products of two bfloat significands whose result is subnormal or less, with one pair of exponents for each sum of
// exponents. Their last bits are below float's.
TEST(Arithmetic, BfloatSubnormalProducts) {
  for (u64 x = 0x80; x < 0x100; ++x)
    for (u64 y = x; y < 0x100; ++y)
      for (u64 exponent = 38; exponent < 64; ++exponent) {
        u64 a = 64 << 7 | (x & 0x7f), b = exponent << 7 | (y & 0x7f);
        ASSERT_EQ(rawBits(mul(bf16{u16(a)}, bf16{u16(b)})), Expect<bf16>::mul(a, b, Rounding::rn)) << a << " " << b;
      }
}

TEST(Arithmetic, ZeroSigns) {
  using enum Rounding;
  for (Rounding rounding : directions) {
    Modifiers m{.rounding = rounding};
    u32 zero = rounding == rm ? 0x80000000 : 0;
    EXPECT_EQ(bitsOf(add(1.0f, -1.0f, m)), zero);
    EXPECT_EQ(bitsOf(add(0.0f, -0.0f, m)), zero);
    EXPECT_EQ(bitsOf(sub(0.0f, 0.0f, m)), zero);
    EXPECT_EQ(bitsOf(add(-0.0f, -0.0f, m)), 0x80000000u);
    EXPECT_EQ(bitsOf(add(0.0f, 0.0f, m)), 0u);
    EXPECT_EQ(bitsOf(fma(-0.0f, 1.0f, 0.0f, m)), zero);
    EXPECT_EQ(bitsOf(fma(2.0f, 3.0f, -6.0f, m)), zero);
    EXPECT_EQ(bitsOf(add(1.0, -1.0, m)), u64(zero) << 32);
    EXPECT_EQ(bitsOf(sqrt(-0.0f, m)), 0x80000000u);
    EXPECT_EQ(bitsOf(div(-0.0f, 3.0f, m)), 0x80000000u);
  }
}

TEST(Arithmetic, InfinitiesAndNaN) {
  float inf = floatOf(0x7f800000), nan = floatOf(0xffc12345);
  auto bits = [](float x) { return bitsOf(x); };
  for (Rounding rounding : directions) {
    Modifiers m{.rounding = rounding};
    EXPECT_EQ(bits(add(inf, 1.0f, m)), 0x7f800000u);
    EXPECT_EQ(bits(add(-inf, 1.0f, m)), 0xff800000u);
    EXPECT_EQ(bits(add(inf, -inf, m)), 0x7fffffffu);
    EXPECT_EQ(bits(sub(inf, inf, m)), 0x7fffffffu);
    EXPECT_EQ(bits(mul(inf, 0.0f, m)), 0x7fffffffu);
    EXPECT_EQ(bits(mul(-inf, 2.0f, m)), 0xff800000u);
    EXPECT_EQ(bits(add(nan, 1.0f, m)), 0x7fffffffu);
    EXPECT_EQ(bits(fma(1.0f, nan, 1.0f, m)), 0x7fffffffu);
    EXPECT_EQ(bits(fma(inf, 1.0f, -inf, m)), 0x7fffffffu);
    EXPECT_EQ(bits(fma(2.0f, 1.0f, -inf, m)), 0xff800000u);
    EXPECT_EQ(bits(div(1.0f, 0.0f, m)), 0x7f800000u);
    EXPECT_EQ(bits(div(1.0f, -0.0f, m)), 0xff800000u);
    EXPECT_EQ(bits(div(0.0f, 0.0f, m)), 0x7fffffffu);
    EXPECT_EQ(bits(div(inf, inf, m)), 0x7fffffffu);
    EXPECT_EQ(bits(div(1.0f, -inf, m)), 0x80000000u);
    EXPECT_EQ(bits(rcp(-0.0f, m)), 0xff800000u);
    EXPECT_EQ(bits(sqrt(-1.0f, m)), 0x7fffffffu);
    EXPECT_EQ(bits(sqrt(inf, m)), 0x7f800000u);
    // f64: the first NaN among b, c and a, made quiet; else the default one
    double a = doubleOf(0x7ff0000000000123), b = doubleOf(0xfff8000000000456);
    EXPECT_EQ(bitsOf(add(a, b, m)), 0xfff8000000000456u);
    EXPECT_EQ(bitsOf(add(a, 1.0, m)), 0x7ff8000000000123u);
    EXPECT_EQ(bitsOf(fma(a, 1.0, b, m)), 0xfff8000000000456u);
    EXPECT_EQ(bitsOf(fma(1.0, b, a, m)), 0xfff8000000000456u);
    EXPECT_EQ(bitsOf(add(1.0, b, m)), 0xfff8000000000456u);
    EXPECT_EQ(bitsOf(sub(1.0, b, m)), 0xfff8000000000456u);
    EXPECT_EQ(bitsOf(fma(1.0, 2.0, a, m)), 0x7ff8000000000123u);
    EXPECT_EQ(bitsOf(mul(0.0, doubleOf(0x7ff0000000000000), m)), defaultNaN64);
    EXPECT_EQ(bitsOf(sqrt(-1.0, m)), defaultNaN64);
    EXPECT_EQ(bitsOf(div(0.0, 0.0, m)), defaultNaN64);
  }
  EXPECT_EQ(add(f16{0x7c00}, f16{0xfc00}), f16{0x7fff});
  EXPECT_EQ(add(f16{0x7c00}, f16{0x3c00}), f16{0x7c00});
  EXPECT_EQ(fma(f16{0x7c00}, f16{0x3c00}, f16{0xfc00}), f16{0x7fff});
  EXPECT_EQ(fma(f16{0xfe01}, f16{0x3c00}, f16{0}), f16{0x7fff});
  EXPECT_EQ(fma(f16{0x7bff}, f16{0x7bff}, f16{0xfc00}), f16{0xfc00});
  EXPECT_EQ(fma(bf16{0x7f7f}, bf16{0x7f7f}, bf16{0xff80}), bf16{0xff80});
  EXPECT_EQ(mul(bf16{0x7f7f}, bf16{0x7f7f}), bf16{0x7f80});
  EXPECT_EQ(mul(bf16{0x7f80}, bf16{0}), bf16{0x7fff});
  EXPECT_EQ(sub(f16{0x3c00}, f16{0x3c00}), f16{0});
}

TEST(Arithmetic, FlushAndClamp) {
  float tiny = 0x1p-127f, least = 0x1p-126f;
  Modifiers ftz{.ftz = true}, sat{.sat = true};
  EXPECT_EQ(add(tiny, least, ftz), least);
  EXPECT_EQ(add(tiny, least), least + tiny);
  EXPECT_EQ(bitsOf(mul(-least, 0.5f, ftz)), 0x80000000u);
  EXPECT_EQ(bitsOf(mul(-tiny, 8.0f, ftz)), 0x80000000u);
  EXPECT_EQ(fma(tiny, 8.0f, 1.0f, ftz), 1.0f);
  EXPECT_EQ(bitsOf(div(1.0f, -tiny, ftz)), 0xff800000u);
  EXPECT_EQ(bitsOf(rcp(0x1p127f, ftz)), 0u);
  EXPECT_EQ(rcp(0x1p127f), tiny);
  EXPECT_EQ(bitsOf(sqrt(-tiny, ftz)), 0x80000000u);
  EXPECT_EQ(bitsOf(neg(tiny, ftz)), 0x80000000u);
  EXPECT_EQ(bitsOf(abs(-tiny, ftz)), 0u);
  EXPECT_EQ(abs(-tiny), tiny);
  EXPECT_EQ(bitsOf(neg(floatOf(0x7fc00001))), 0x7fffffffu);
  EXPECT_EQ(bitsOf(neg(floatOf(0x7fc00001), ftz)), 0x7fffffffu);
  EXPECT_EQ(bitsOf(neg(doubleOf(0x7ff8000000000001))), 0x7ff8000000000001u);
  // A result that is rounded up to the smallest normal number counts as tiny if, with unlimited exponents, it would be
  // below it.
  EXPECT_EQ(bitsOf(mul(floatOf(0x00800000), floatOf(0x3f7fffff), ftz)), 0u);
  EXPECT_EQ(bitsOf(fma(floatOf(0x00800000), floatOf(0x336915dc), floatOf(0x80800000), ftz)), 0x80000000u);
  EXPECT_EQ(bitsOf(fma(floatOf(0x00800000), floatOf(0x90ebb8e9), floatOf(0x00800000), ftz)), 0x00800000u);
  EXPECT_EQ(mul(f16{0x8400}, f16{0x3bff}, ftz), f16{0x8000});
  EXPECT_EQ(abs(-2.0), 2.0);

  EXPECT_EQ(add(3.0f, 4.0f, sat), 1.0f);
  EXPECT_EQ(bitsOf(add(-3.0f, 2.0f, sat)), 0u);
  EXPECT_EQ(fma(0.5f, 0.5f, 0.5f, sat), 0.75f);
  EXPECT_EQ(bitsOf(mul(floatOf(0x7f800000), 0.0f, sat)), 0u);

  EXPECT_EQ(add(f16{0x0001}, f16{0x0400}, ftz), f16{0x0400});
  EXPECT_EQ(mul(f16{0x8400}, f16{0x3800}, ftz), f16{0x8000});
  EXPECT_EQ(mul(f16{0x8400}, f16{0x3800}), f16{0x8200});
  EXPECT_EQ(add(f16{0x4000}, f16{0x4000}, sat), f16{0x3c00});
  EXPECT_EQ(fma(f16{0x7c00}, f16{0}, f16{0}, sat), f16{0});
  EXPECT_EQ(fma(f16{0xbc00}, f16{0x3c00}, f16{0}, {.relu = true}), f16{0});
  EXPECT_EQ(fma(bf16{0xbf80}, bf16{0x3f80}, bf16{0}, {.relu = true}), bf16{0});
  EXPECT_EQ(fma(bf16{0x7fc1}, bf16{0x3f80}, bf16{0}, {.relu = true}), bf16{0x7fff});
  EXPECT_EQ(neg(f16{0x3c00}), f16{0xbc00});
  EXPECT_EQ(neg(f16{0x0001}, ftz), f16{0x8000});
  EXPECT_EQ(abs(bf16{0xffc1}), bf16{0x7fff});
}

TEST(Arithmetic, TheProcessorsModeIsLeftAlone) {
  ASSERT_EQ(fegetround(), FE_TONEAREST);
  EXPECT_EQ(bitsOf(add(1.0, 0x1p-80, {.rounding = Rounding::rp})), 0x3ff0000000000001u);
  EXPECT_EQ(fegetround(), FE_TONEAREST);
}

} // namespace
} // namespace tilecc::emu
