// Compares min, max, setp, testp and copysign with the text of the manual.
#include "emulator/isa/numerics/Compare.h"

#include "Oracle.h"

#include <gtest/gtest.h>

namespace tilecc::emu {
namespace {

using namespace oracle;

// The manual's pseudo code, on values; of equal values, +0 is greater than -0.
template <class T> u64 expectedMinMax(bool isMax, u64 a, u64 b, MinMaxModifiers m) {
  const Spec spec = specOf<T>();
  const u64 sign = u64(1) << spec.signBit(), least = u64(1) << spec.fractionBits;
  if (m.ftz) {
    a = (a & ~sign) < least ? a & sign : a;
    b = (b & ~sign) < least ? b & sign : b;
  }
  u64 xorsign = (a ^ b) & sign;
  if (m.xorsignAbs || m.abs)
    a &= ~sign, b &= ~sign;
  bool aNaN = oracle::isNaN(a, spec), bNaN = oracle::isNaN(b, spec);
  if ((aNaN && bNaN) || (m.nan && (aNaN || bNaN)))
    return std::same_as<T, float>  ? 0x7fffffff
           : std::same_as<T, double> ? (bNaN ? b : a) | u64(1) << 51
                                     : 0x7fff;
  u64 d;
  double x = toDouble(fromRaw<T>(a)), y = toDouble(fromRaw<T>(b));
  if (aNaN || bNaN)
    d = aNaN ? b : a;
  else if (x == y)
    d = isMax == bool(a & sign) ? b : a;
  else
    d = (isMax ? x > y : x < y) ? a : b;
  return m.xorsignAbs ? (d & ~sign) | xorsign : d;
}

template <class T> void checkMinMax(u64 seed) {
  const Spec spec = specOf<T>();
  const u64 sign = u64(1) << spec.signBit();
  std::vector<u64> numbers = {0, 1, spec.one(), spec.largest(), spec.infinity(), spec.infinity() + 1, sign - 1,
                              u64(1) << spec.fractionBits, (u64(1) << spec.fractionBits) - 1};
  Random random(seed);
  for (int i = 0; i < 40; ++i)
    numbers.push_back(random.number(spec) & (sign - 1));
  for (size_t i = 0, n = numbers.size(); i < n; ++i)
    numbers.push_back(numbers[i] | sign);
  for (u64 a : numbers)
    for (u64 b : numbers)
      for (int bits = 0; bits < 8; ++bits) {
        MinMaxModifiers m{.ftz = bool(bits & 1), .nan = bool(bits & 2), .xorsignAbs = bool(bits & 4)};
        if (std::same_as<T, double> && bits)
          break;
        ASSERT_EQ(rawBits(min(fromRaw<T>(a), fromRaw<T>(b), m)), expectedMinMax<T>(false, a, b, m))
            << std::hex << a << " " << b << " modifiers " << bits;
        ASSERT_EQ(rawBits(max(fromRaw<T>(a), fromRaw<T>(b), m)), expectedMinMax<T>(true, a, b, m))
            << std::hex << a << " " << b << " modifiers " << bits;
      }
}

TEST(Compare, MinMax) {
  checkMinMax<f16>(1);
  checkMinMax<bf16>(2);
  checkMinMax<float>(3);
  checkMinMax<double>(4);
}

TEST(Compare, MinMaxKnown) {
  float nan = floatOf(0xffc00000);
  EXPECT_EQ(bitsOf(min(0.0f, -0.0f)), 0x80000000u);
  EXPECT_EQ(bitsOf(max(-0.0f, 0.0f)), 0u);
  EXPECT_EQ(min(nan, 3.0f), 3.0f);
  EXPECT_EQ(bitsOf(min(nan, 3.0f, {.nan = true})), 0x7fffffffu);
  EXPECT_EQ(bitsOf(max(nan, nan)), 0x7fffffffu);
  EXPECT_EQ(max(-3.0f, 2.0f, {.xorsignAbs = true}), -3.0f);
  EXPECT_EQ(max(-2.0f, -3.0f, {.xorsignAbs = true}), 3.0f);
  EXPECT_EQ(min(-2.0f, nan, {.xorsignAbs = true}), 2.0f); // the NaN's sign is used
  EXPECT_EQ(min(3.0f, nan, -1.0f), -1.0f);
  EXPECT_EQ(max(3.0f, -7.0f, 5.0f, {.abs = true}), 7.0f);
  EXPECT_EQ(bitsOf(max(3.0f, nan, 5.0f, {.nan = true})), 0x7fffffffu);
}

TEST(Compare, Setp) {
  struct Row {
    Comparison op;
    bool less, equal, greater, unordered;
  };
  using enum Comparison;
  const Row rows[] = {{eq, 0, 1, 0, 0},  {ne, 1, 0, 1, 0},  {lt, 1, 0, 0, 0},  {le, 1, 1, 0, 0},  {gt, 0, 0, 1, 0},
                      {ge, 0, 1, 1, 0},  {equ, 0, 1, 0, 1}, {neu, 1, 0, 1, 1}, {ltu, 1, 0, 0, 1}, {leu, 1, 1, 0, 1},
                      {gtu, 0, 0, 1, 1}, {geu, 0, 1, 1, 1}, {num, 1, 1, 1, 0}, {Comparison::nan, 0, 0, 0, 1}};
  auto check = [&]<class T>(T one, T two, T zero, T minusZero, T noNumber) {
    for (const Row &row : rows) {
      ASSERT_EQ(compare(row.op, one, two), row.less);
      ASSERT_EQ(compare(row.op, two, one), row.greater);
      ASSERT_EQ(compare(row.op, one, one), row.equal);
      ASSERT_EQ(compare(row.op, zero, minusZero), row.equal);
      ASSERT_EQ(compare(row.op, one, noNumber), row.unordered);
      ASSERT_EQ(compare(row.op, noNumber, one), row.unordered);
      ASSERT_EQ(compare(row.op, noNumber, noNumber), row.unordered);
    }
  };
  check(1.0f, 2.0f, 0.0f, -0.0f, floatOf(0x7fc00000));
  check(1.0, 2.0, 0.0, -0.0, doubleOf(0xfff0000000000001));
  check(f16{0x3c00}, f16{0x4000}, f16{0}, f16{0x8000}, f16{0x7c01});
  check(bf16{0x3f80}, bf16{0x4000}, bf16{0}, bf16{0x8000}, bf16{0x7f81});
  for (const Row &row : rows) {
    ASSERT_EQ(compare(row.op, -1, 1), row.less);
    ASSERT_EQ(compare(row.op, ~0u, 1u), row.greater);
    ASSERT_EQ(compare(row.op, s64(5), s64(5)), row.equal);
  }
  EXPECT_TRUE(compare(lo, 1u, ~0u));
  EXPECT_FALSE(compare(lo, 1u, 1u));
  EXPECT_TRUE(compare(ls, 1u, 1u));
  EXPECT_TRUE(compare(hi, ~u64(0), u64(1)));
  EXPECT_FALSE(compare(hi, 1u, 1u));
  EXPECT_TRUE(compare(hs, u16(1), u16(1)));
}

TEST(Compare, Testp) {
  using enum Property;
  auto check = [](auto x, std::initializer_list<Property> hold) {
    for (Property op : {finite, infinite, number, notanumber, normal, subnormal})
      EXPECT_EQ(testProperty(op, x), std::find(hold.begin(), hold.end(), op) != hold.end()) << x << " " << int(op);
  };
  check(1.0f, {finite, number, normal});
  check(-0.0f, {finite, number, normal});
  check(floatOf(0x007fffff), {finite, number, subnormal});
  check(floatOf(0x80800000), {finite, number, normal});
  check(floatOf(0xff800000), {infinite, number});
  check(floatOf(0x7f800001), {notanumber});
  check(doubleOf(0x000fffffffffffff), {finite, number, subnormal});
  check(doubleOf(0x7ff0000000000000), {infinite, number});
  check(doubleOf(0xfff0000000000001), {notanumber});
}

TEST(Compare, Copysign) {
  EXPECT_EQ(bitsOf(copysign(-0.0f, floatOf(0x7f812345))), 0xff812345u);
  EXPECT_EQ(copysign(3.0, -2.0), 2.0);
}

} // namespace
} // namespace tilecc::emu
