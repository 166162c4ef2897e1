// Compares cvt between all types with exact arithmetic.
#include "emulator/isa/numerics/Convert.h"

#include "Oracle.h"

#include <gtest/gtest.h>

namespace tilecc::emu {
namespace {

using namespace oracle;

const char *name(Rounding rounding) {
  static const char *const names[] = {"rn", "rz", "rm", "rp", "rna", "odd"};
  return names[static_cast<int>(rounding)];
}

// PTX's canonical NaN.
template <class T> u64 nanBits() {
  return std::same_as<T, float> ? 0x7fffffff : sizeof(T) == 2 ? 0x7fff : 0x7f;
}

// The expected result of converting the bits of a number in `from` to T.
template <class T> u64 expected(u64 bits, const Spec &from, Rounding rounding, bool satfinite) {
  Spec to = specOf<T>();
  if (oracle::isNaN(bits, from))
    return nanBits<T>();
  if (isInfinite(bits, from))
    return u64(bits >> from.signBit() & 1) << to.signBit() | (satfinite ? to.largest() : to.infinity());
  return Real::of(bits, from).round(to, rounding, satfinite);
}

template <class To, class From> void checkFloating(u64 bits, Rounding rounding, bool satfinite) {
  From x = fromRaw<From>(bits);
  u64 result = rawBits(convert<To>(x, {.rounding = rounding, .satfinite = satfinite}));
  ASSERT_EQ(result, expected<To>(bits, specOf<From>(), rounding, satfinite))
      << std::hex << "of " << bits << " ." << name(rounding) << (satfinite ? " satfinite" : "");
}

template <class To, class From> void checkRandom(u64 seed) {
  Random random(seed);
  for (int i = 0; i < 4000; ++i) {
    u64 x = random.number(specOf<From>());
    for (Rounding rounding : directions)
      checkFloating<To, From>(x, rounding, Half<To> && i % 2);
  }
}

// Every number of T, the midpoint between it and the next, and the adjacent doubles or floats.
template <class To, class From> void checkTies(Rounding rounding, bool satfinite) {
  Spec to = specOf<To>(), from = specOf<From>();
  for (u64 h = 0; h < to.largest(); ++h) {
    u64 low = Real::of(h, to).round(from, Rounding::rz), high = Real::of(h + 1, to).round(from, Rounding::rz);
    Real sum = Real::of(low, from) + Real::of(high, from);
    u64 twice = sum.round(from, Rounding::rz);
    From middle = fromRaw<From>(twice) / 2;
    for (int beside = -1; beside <= 1; ++beside) {
      checkFloating<To, From>(rawBits(middle) + static_cast<u64>(beside), rounding, satfinite);
      checkFloating<To, From>((rawBits(middle) + static_cast<u64>(beside)) | u64(1) << from.signBit(), rounding,
                              satfinite);
    }
  }
}

TEST(Scalar, ToFloatIsExact) {
  for (u64 bits = 0; bits < 0x10000; ++bits) {
    if (!isNaN(f16{u16(bits)})) {
      ASSERT_EQ(rawBits(toFloat(f16{u16(bits)})), expected<float>(bits, specF16, Rounding::rn, false)) << bits;
    }
    ASSERT_EQ(isNaN(f16{u16(bits)}), oracle::isNaN(bits, specF16));
    ASSERT_EQ(isNaN(bf16{u16(bits)}), oracle::isNaN(bits, specBf16));
    ASSERT_EQ(isNaN(toFloat(f16{u16(bits)})), oracle::isNaN(bits, specF16));
    ASSERT_EQ(rawBits(toFloat(bf16{u16(bits)})), bits << 16);
  }
  for (u64 bits = 0; bits < 0x100; ++bits) {
    if (!oracle::isNaN(bits, specE4m3)) {
      ASSERT_EQ(rawBits(toFloat(e4m3{u8(bits)})), expected<float>(bits, specE4m3, Rounding::rn, false)) << bits;
    } else {
      ASSERT_TRUE(isNaN(toFloat(e4m3{u8(bits)})));
    }
    if (!oracle::isNaN(bits, specE5m2)) {
      ASSERT_EQ(rawBits(toFloat(e5m2{u8(bits)})), expected<float>(bits, specE5m2, Rounding::rn, false)) << bits;
    } else {
      ASSERT_TRUE(isNaN(toFloat(e5m2{u8(bits)})));
    }
  }
  EXPECT_EQ(toFloat(e4m3{0x7e}), 448.0f);
  EXPECT_EQ(toFloat(e5m2{0x7b}), 57344.0f);
  EXPECT_EQ(toDouble(tf32{0x3f801fff}), 1.0); // the lower bits are ignored
}

TEST(Convert, FloatsRandom) {
  checkRandom<f16, float>(1), checkRandom<f16, double>(2), checkRandom<f16, bf16>(3);
  checkRandom<bf16, float>(4), checkRandom<bf16, double>(5), checkRandom<bf16, f16>(6);
  checkRandom<float, double>(7), checkRandom<float, f16>(8), checkRandom<float, bf16>(9);
}

TEST(Convert, FloatsTies) {
  for (Rounding rounding : {Rounding::rn, Rounding::rz})
    checkTies<f16, float>(rounding, false);
  checkTies<bf16, float>(Rounding::rn, false);
  checkTies<f16, double>(Rounding::rn, false);
  checkTies<e4m3, float>(Rounding::rn, true);
  checkTies<e5m2, float>(Rounding::rn, true);
  for (Rounding rounding : directions)
    checkTies<e5m2, double>(rounding, false); // the same code as for f16 and bf16, and fast
}

TEST(Convert, HalvesTo8Bits) {
  for (u64 bits = 0; bits < 0x10000; ++bits) {
    checkFloating<e4m3, f16>(bits, Rounding::rn, true);
    checkFloating<e5m2, f16>(bits, Rounding::rn, true);
    if (bits < 0x100) {
      checkFloating<f16, e4m3>(bits, Rounding::rn, false);
      checkFloating<f16, e5m2>(bits, Rounding::rn, false);
    }
  }
}

TEST(Convert, WideningToDouble) {
  Random random(10);
  for (int i = 0; i < 4000; ++i) {
    float x = random.number<float>();
    if (!isNaN(x)) {
      ASSERT_EQ(convert<double>(x), static_cast<double>(x));
    }
  }
  EXPECT_EQ(convert<double>(f16{0x0001}), 0x1p-24);
  EXPECT_EQ(convert<double>(bf16{0x0001}), 0x1p-133);
  // The payload is kept.
  EXPECT_EQ(bitsOf(convert<double>(floatOf(0x7fc12345))), 0x7ff82468a0000000u);
}

TEST(Convert, Tf32) {
  Random random(11);
  for (int i = 0; i < 20000; ++i) {
    u64 x = random.number(specF32);
    for (Rounding rounding : {Rounding::rn, Rounding::rz, Rounding::rna}) {
      // The exponents are those of binary32, so the format is binary32 without the last 13 bits.
      u64 wanted = oracle::isNaN(x, specF32) ? 0x7fffffff
                   : isInfinite(x, specF32)  ? x
                                             : Real::of(x, specF32).round(specTf32, rounding) << 13;
      ASSERT_EQ(convert<tf32>(fromRaw<float>(x), {.rounding = rounding}).bits, wanted)
          << std::hex << x << " ." << name(rounding);
    }
  }
  EXPECT_EQ(convert<tf32>(floatOf(0x7f800000), {.satfinite = true}).bits, 0x7f7fe000u);
  EXPECT_EQ(convert<tf32>(floatOf(0xff7fffff), {.rounding = Rounding::rna, .satfinite = true}).bits, 0xff7fe000u);
  EXPECT_EQ(convert<tf32>(-1.5f, {.relu = true}).bits, 0u);
  EXPECT_EQ(convert<tf32>(floatOf(0xffc00000), {.relu = true}).bits, 0x7fffffffu);
}

TEST(Convert, Modifiers) {
  using enum Rounding;
  // .relu
  EXPECT_EQ(convert<f16>(-2.0f, {.relu = true}), f16{0});
  EXPECT_EQ(convert<f16>(-0.0f, {.relu = true}), f16{0});
  EXPECT_EQ(convert<f16>(2.0f, {.relu = true}), f16{0x4000});
  EXPECT_EQ(convert<bf16>(floatOf(0xffc00001), {.relu = true}), bf16{0x7fff});
  EXPECT_EQ(convert<e4m3>(-1.0f, {.relu = true, .satfinite = true}), e4m3{0});
  EXPECT_EQ(convert<e4m3>(floatOf(0xffc00000), {.relu = true, .satfinite = true}), e4m3{0x7f});
  EXPECT_EQ(convert<e4m3>(448.0f, {.relu = true, .satfinite = true}), e4m3{0x7e});
  EXPECT_EQ(convert<e5m2>(-1.0f, {.relu = true, .satfinite = true}), e5m2{0});
  // .satfinite
  EXPECT_EQ(convert<f16>(1e6f, {.satfinite = true}), f16{0x7bff});
  EXPECT_EQ(convert<f16>(-1e6f, {.satfinite = true}), f16{0xfbff});
  EXPECT_EQ(convert<f16>(-1e6f, {.relu = true, .satfinite = true}), f16{0});
  EXPECT_EQ(convert<e4m3>(floatOf(0x7f800000), {.satfinite = true}), e4m3{0x7e});
  EXPECT_EQ(convert<e5m2>(floatOf(0xff800000), {.satfinite = true}), e5m2{0xfb});
  // .sat
  EXPECT_EQ(convert<f16>(1.5f, {.sat = true}), f16{0x3c00});
  EXPECT_EQ(convert<f16>(-1.5f, {.sat = true}), f16{0});
  EXPECT_EQ(convert<f16>(0.5f, {.sat = true}), f16{0x3800});
  EXPECT_EQ(convert<f16>(floatOf(0x7fc00000), {.sat = true}), f16{0});
  EXPECT_EQ(bitsOf(convert<float>(floatOf(0x80000000), {.sat = true})), 0u);
  EXPECT_EQ(bitsOf(convert<float>(floatOf(0xffc00000), {.sat = true})), 0u);
  EXPECT_EQ(convert<float>(0x1p400, {.sat = true}), 1.0f);
  EXPECT_EQ(convert<double>(7.0f, {.sat = true}), 1.0);
  EXPECT_EQ(convert<float>(-7, {.sat = true}), 0.0f);
  // .ftz: only for single precision
  EXPECT_EQ(convert<f16>(0x1p-130f, {.rounding = rp, .ftz = true}), f16{0});
  EXPECT_EQ(convert<f16>(0x1p-130f, {.rounding = rp}), f16{1});
  EXPECT_EQ(bitsOf(convert<float>(-0x1p-140, {.ftz = true})), 0x80000000u);
  EXPECT_EQ(bitsOf(convert<float>(-0x1p-140)), 0x80000200u);
  EXPECT_EQ(convert<float>(bf16{0x0040}, {.ftz = true}), 0.0f);
  EXPECT_EQ(convert<float>(f16{0x0001}, {.ftz = true}), 0x1p-24f);
  EXPECT_EQ(convert<s32>(0x1p-130f, {.rounding = rp, .ftz = true}), 0);
  EXPECT_EQ(convert<s32>(0x1p-130f, {.rounding = rp}), 1);
}

template <class To, class From> void checkFromInteger(u64 seed) {
  Random random(seed);
  Spec to = specOf<To>();
  for (int i = 0; i < 3000; ++i) {
    From x = static_cast<From>(static_cast<s64>(random.bits()) >> random.below(64));
    if (i % 4 == 0) // near a power of two
      x = static_cast<From>((u64(1) << random.below(sizeof(From) * 8)) + random.below(3) - 1);
    bool negative = std::is_signed_v<From> && x < 0;
    u64 magnitude = negative ? 0 - static_cast<u64>(static_cast<s64>(x)) : static_cast<u64>(x);
    for (Rounding rounding : directions)
      ASSERT_EQ(rawBits(convert<To>(x, {.rounding = rounding})), Real(negative, magnitude, 0).round(to, rounding))
          << std::hex << +x << " ." << name(rounding);
  }
}

template <class To> void checkFromIntegers(u64 seed) {
  checkFromInteger<To, u8>(seed), checkFromInteger<To, s8>(seed + 1);
  checkFromInteger<To, u16>(seed + 2), checkFromInteger<To, s16>(seed + 3);
  checkFromInteger<To, u32>(seed + 4), checkFromInteger<To, s32>(seed + 5);
  checkFromInteger<To, u64>(seed + 6), checkFromInteger<To, s64>(seed + 7);
}

TEST(Convert, FromIntegers) {
  checkFromIntegers<f16>(20);
  checkFromIntegers<bf16>(30);
  checkFromIntegers<float>(40);
  checkFromIntegers<double>(50);
}

// A finite number rounded to an integer, up to a magnitude beyond all integer types.
s128 integerOf(u64 bits, const Spec &spec, Rounding rounding) {
  Parts x = parts(bits, spec);
  s128 magnitude;
  if (x.exponent >= 0) {
    magnitude = x.significand && x.exponent > 70 ? s128(1) << 100 : s128(x.significand) << std::min(x.exponent, 70);
  } else {
    unsigned shift = std::min(static_cast<unsigned>(-x.exponent), 120u);
    s128 scaled = s128(x.significand), one = s128(1) << shift;
    magnitude = scaled / one;
    s128 twice = 2 * (scaled % one);
    bool up = rounding == Rounding::rn ? twice > one || (twice == one && magnitude % 2)
                                       : twice && rounding == (x.negative ? Rounding::rm : Rounding::rp);
    magnitude += up;
  }
  return x.negative ? -magnitude : magnitude;
}

template <class To, class From> void checkToInteger(u64 seed) {
  Random random(seed);
  Spec from = specOf<From>();
  using Limits = std::numeric_limits<To>;
  for (int i = 0; i < 4000; ++i) {
    u64 bits = random.number(from);
    if (i % 2) { // in about the range of the integers
      u64 integer = random.bits() >> random.below(64);
      bits = Real(random.below(2), integer, -static_cast<int>(random.below(4))).round(from, Rounding::rz);
    }
    for (Rounding rounding : directions) {
      To result = convert<To>(fromRaw<From>(bits), {.rounding = rounding});
      To wanted;
      if (oracle::isNaN(bits, from))
        wanted = sizeof(To) == 8 || sizeof(From) == 8 ? static_cast<To>(u64(1) << (sizeof(To) * 8 - 1)) : To(0);
      else if (isInfinite(bits, from))
        wanted = bits >> from.signBit() & 1 ? Limits::min() : Limits::max();
      else
        wanted = static_cast<To>(std::clamp(integerOf(bits, from, rounding), s128(Limits::min()), s128(Limits::max())));
      ASSERT_EQ(result, wanted) << std::hex << bits << " ." << name(rounding);
    }
  }
}

template <class From> void checkToIntegers(u64 seed) {
  checkToInteger<u8, From>(seed), checkToInteger<s8, From>(seed + 1);
  checkToInteger<u16, From>(seed + 2), checkToInteger<s16, From>(seed + 3);
  checkToInteger<u32, From>(seed + 4), checkToInteger<s32, From>(seed + 5);
  checkToInteger<u64, From>(seed + 6), checkToInteger<s64, From>(seed + 7);
}

TEST(Convert, ToIntegers) {
  checkToIntegers<f16>(60);
  checkToIntegers<bf16>(70);
  checkToIntegers<float>(80);
  checkToIntegers<double>(90);
}

TEST(Convert, ToIntegerKnown) {
  using enum Rounding;
  EXPECT_EQ(convert<s32>(floatOf(0x7fc00000), {.rounding = rz}), 0);
  EXPECT_EQ(convert<s32>(doubleOf(0x7ff8000000000000), {.rounding = rz}), std::numeric_limits<s32>::min());
  EXPECT_EQ(convert<u32>(doubleOf(0x7ff8000000000000), {.rounding = rz}), 0x80000000u);
  EXPECT_EQ(convert<s64>(floatOf(0x7fc00000), {.rounding = rz}), std::numeric_limits<s64>::min());
  EXPECT_EQ(convert<u64>(f16{0x7e00}, {.rounding = rz}), u64(1) << 63);
  EXPECT_EQ(convert<s32>(2.5f), 2);
  EXPECT_EQ(convert<s32>(3.5f), 4);
  EXPECT_EQ(convert<s8>(-200.0f), -128);
  EXPECT_EQ(convert<u8>(300.0f), 255);
}

template <class T> void checkRoundToIntegral(u64 seed) {
  Random random(seed);
  Spec spec = specOf<T>();
  for (int i = 0; i < 4000; ++i) {
    u64 bits = random.number(spec);
    for (Rounding rounding : directions) {
      u64 result = rawBits(roundToIntegral(fromRaw<T>(bits), {.rounding = rounding}));
      if (oracle::isNaN(bits, spec)) {
        u64 quiet = bits | 0x0008000000000000; // f64 keeps its payload
        ASSERT_EQ(result, (std::same_as<T, double>) ? quiet : nanBits<T>());
        continue;
      }
      u64 sign = u64(1) << spec.signBit(), wanted = bits;
      if ((bits & ~sign) < specOf<T>().one() + (u64(spec.fractionBits) << spec.fractionBits)) { // else integral
        s128 integer = integerOf(bits, spec, rounding);
        u64 magnitude = static_cast<u64>(integer < 0 ? -integer : integer);
        wanted = (bits & sign) | Real(false, magnitude, 0).round(spec, Rounding::rz);
      }
      ASSERT_EQ(result, wanted) << std::hex << bits << " ." << name(rounding);
    }
  }
}

TEST(Convert, RoundToIntegral) {
  checkRoundToIntegral<f16>(100);
  checkRoundToIntegral<bf16>(101);
  checkRoundToIntegral<float>(102);
  checkRoundToIntegral<double>(103);
  EXPECT_EQ(roundToIntegral(0x1p-130f, {.rounding = Rounding::rp}), 1.0f);
  EXPECT_EQ(roundToIntegral(0x1p-130f, {.rounding = Rounding::rp, .ftz = true}), 0.0f);
  EXPECT_EQ(bitsOf(roundToIntegral(-0.25f, {})), 0x80000000u);
  EXPECT_EQ(roundToIntegral(2.5f, {.sat = true}), 1.0f);
}

TEST(Convert, Integers) {
  EXPECT_EQ(convert<s8>(300), 44);
  EXPECT_EQ(convert<s8>(300, {.sat = true}), 127);
  EXPECT_EQ(convert<s8>(-300, {.sat = true}), -128);
  EXPECT_EQ(convert<u8>(-1, {.sat = true}), 0);
  EXPECT_EQ(convert<u32>(s64(-1), {.sat = true}), 0u);
  EXPECT_EQ(convert<u64>(-1), ~u64(0));
  EXPECT_EQ(convert<u64>(0xffffffffu), 0xffffffffu);
  EXPECT_EQ(convert<s32>(0xffffffffu, {.sat = true}), 0x7fffffff);
  EXPECT_EQ(convert<s64>(~u64(0), {.sat = true}), std::numeric_limits<s64>::max());
}

TEST(Convert, Pack) {
  EXPECT_EQ((convertPack<16, true>(-40000, 7)), 0x80000007u);
  EXPECT_EQ((convertPack<16, false>(-1, 70000)), 0x0000ffffu);
  EXPECT_EQ((convertPack<8, true>(-1, 300, 0xabcd1234)), 0x1234ff7fu);
  EXPECT_EQ((convertPack<8, false>(-1, 300, 0xabcd1234)), 0x123400ffu);
  EXPECT_EQ((convertPack<4, true>(-9, 9, 0x00abcdef)), 0xabcdef87u);
  EXPECT_EQ((convertPack<2, false>(9, 1, 0x0abcdef0)), 0xabcdef0du);
}

} // namespace
} // namespace tilecc::emu
