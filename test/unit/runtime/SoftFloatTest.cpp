//===-- SoftFloatTest.cpp - tests conversions to bfloat16, bit by bit ---------------------------------------------===//
//
// The reference finds the two bfloat16 numbers around the value and takes the nearer one, by exact subtraction. The
// implementation rounds bits instead. If the compiler has __bf16, conversions also test the functions that clang calls,
// with their calling convention.
//
//===----------------------------------------------------------------------------------------------------------===//
#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <random>

extern "C" float __truncsfbf2(float);
extern "C" float __truncdfbf2(double);
#if LDBL_MANT_DIG == 64
extern "C" float __truncxfbf2(long double);
#endif

namespace {

uint16_t fromFloat(float value) { return std::bit_cast<uint32_t>(__truncsfbf2(value)); }
uint16_t fromDouble(double value) { return std::bit_cast<uint32_t>(__truncdfbf2(value)); }

double valueOf(uint16_t bits) {
  if ((bits & 0x7fff) == 0x7f80) // stands for the number that would follow the largest
    return bits & 0x8000 ? -0x1p128 : 0x1p128;
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

uint16_t nearest(double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(value);
  if (magnitude >= 0x1p128)
    return sign | 0x7f80;
  uint16_t low = 0, high = 0x7f80; // low <= magnitude < high
  while (high - low > 1) {
    uint16_t middle = (low + high) / 2;
    (valueOf(middle) <= magnitude ? low : high) = middle;
  }
  double below = magnitude - valueOf(low), above = valueOf(high) - magnitude;
  if (below != above)
    return sign | (below < above ? low : high);
  return sign | (low & 1 ? high : low);
}

} // namespace

TEST(SoftFloat, FloatsRoundToNearestEven) {
  const uint32_t lowHalves[] = {0, 1, 0x1234, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff};
  for (uint32_t high = 0; high <= 0xffff; ++high)
    for (uint32_t low : lowHalves) {
      float value = std::bit_cast<float>(high << 16 | low);
      if (std::isnan(value))
        continue;
      ASSERT_EQ(fromFloat(value), nearest(value)) << std::hex << (high << 16 | low);
    }
}

TEST(SoftFloat, DoublesRoundOnce) {
  // Values around every bfloat16, and around the midpoint to the next, where rounding to float first would give wrong
  // results.
  for (uint32_t bits = 0; bits < 0x7f80; ++bits) {
    double here = valueOf(bits), middle = here + (valueOf(bits + 1) - here) / 2;
    for (double value : {here, std::nextafter(here, 0), std::nextafter(here, INFINITY), middle,
                         std::nextafter(middle, 0), std::nextafter(middle, INFINITY), middle * (1 + 0x1p-30),
                         middle * (1 - 0x1p-30)})
      for (double signedValue : {value, -value})
        ASSERT_EQ(fromDouble(signedValue), nearest(signedValue)) << std::hexfloat << signedValue;
  }
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000000; ++i) {
    double value = std::bit_cast<double>(random());
    if (std::isnan(value))
      continue;
    ASSERT_EQ(fromDouble(value), nearest(value)) << std::hexfloat << value;
  }
}

TEST(SoftFloat, NansStayNans) {
  EXPECT_EQ(fromFloat(std::bit_cast<float>(0x7f800001u)), 0x7fc0); // signalling; the payload does not fit
  EXPECT_EQ(fromFloat(std::bit_cast<float>(0xffa50000u)), 0xffe5); // sign and payload are kept, made quiet
  EXPECT_EQ(fromFloat(std::bit_cast<float>(0x7fc00000u)), 0x7fc0);
  EXPECT_EQ(fromDouble(std::bit_cast<double>(0x7ff0000000000001u)), 0x7fc0);
  EXPECT_EQ(fromDouble(std::bit_cast<double>(0xfff4a00000000000u)), 0xffe5);
  EXPECT_EQ(fromDouble(INFINITY), 0x7f80);
  EXPECT_EQ(fromDouble(-INFINITY), 0xff80);
}

#if LDBL_MANT_DIG == 64
TEST(SoftFloat, LongDoublesRoundOnce) {
  auto convert = [](long double value) { return uint16_t(std::bit_cast<uint32_t>(__truncxfbf2(value))); };
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000000; ++i) {
    double value = std::ldexp(double(random() >> 11) + 1, int(random() % 300) - 200) * (random() & 1 ? 1 : -1);
    ASSERT_EQ(convert(value), nearest(value)) << std::hexfloat << value;
  }
  // Closer to the midpoint than any double.
  long double middle = 1 + 0x1p-8L;
  EXPECT_EQ(convert(middle), 0x3f80);
  EXPECT_EQ(convert(middle + 0x1p-62L), 0x3f81);
  EXPECT_EQ(convert(middle - 0x1p-62L), 0x3f80);
  EXPECT_EQ(convert(-0.0L), 0x8000);
  EXPECT_EQ(convert(0x1p-16400L), 0);
  EXPECT_EQ(convert(0x1p16000L), 0x7f80);
  EXPECT_EQ(convert(-INFINITY), 0xff80);
  EXPECT_EQ(convert(NAN) & 0x7fff, 0x7fc0);
}
#endif

#if defined(__clang__)
template <class T> static uint16_t converted(T value) {
  volatile T opaque = value;
  return std::bit_cast<uint16_t>(static_cast<__bf16>(opaque));
}

TEST(SoftFloat, IsWhatTheCompilerCalls) {
  EXPECT_EQ(converted(1.0f), 0x3f80);
  EXPECT_EQ(converted(-3.1415926f), 0xc049);
  EXPECT_EQ(converted(1.0 + 0x1p-8 + 0x1p-40), 0x3f81); // 0x3f80 if rounded to float first
  EXPECT_EQ(converted(1.0L + 0x1p-8L + 0x1p-60L), 0x3f81);
  EXPECT_EQ(converted(12345), 0x4641);
}
#endif
