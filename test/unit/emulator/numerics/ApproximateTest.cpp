// Tests .approx and .full: errors must be within the manual's bounds, and results must even be the exact numbers or
// their neighbours. Special inputs must give the results in the manual's tables.
#include "emulator/isa/numerics/Approximate.h"

#include "Oracle.h"

#include <cmath>
#include <gtest/gtest.h>

namespace tilecc::emu {
namespace {

using namespace oracle;

const float inf = floatOf(0x7f800000), nan = floatOf(0xffc12345);
constexpr float tiny = 0x1p-140f; // subnormal

struct Case {
  float input, result;
};
u32 expectedBits(float x) { return isNaN(x) ? 0x7fffffff : bitsOf(x); }

template <class F> void checkTable(F function, Modifiers m, std::initializer_list<Case> cases) {
  for (Case c : cases)
    EXPECT_EQ(bitsOf(function(c.input, m)), expectedBits(c.result)) << c.input << (m.ftz ? " ftz" : "");
}

// The distance in units of the last place. NaN is close only to NaN.
s64 distance(float a, float b) {
  if (isNaN(a) || isNaN(b))
    return isNaN(a) == isNaN(b) ? 0 : 1 << 30;
  auto order = [](float x) {
    s64 bits = bitsOf(x) & 0x7fffffff;
    return bitsOf(x) >> 31 ? -bits : bits;
  };
  return std::abs(order(a) - order(b));
}

// Compares with libm's double function: at most the neighbour, and rarely that.
template <class F, class G> void checkRandom(F function, G reference, u64 seed) {
  Random random(seed);
  int apart = 0;
  for (int i = 0; i < 20000; ++i) {
    float x = random.number<float>();
    float result = function(x, Modifiers{}), wanted = static_cast<float>(reference(static_cast<double>(x)));
    ASSERT_LE(distance(result, wanted), 1) << x << " gives " << result << ", not " << wanted;
    apart += distance(result, wanted) != 0;
  }
  EXPECT_LE(apart, 4);
}

#define FUNCTION(name) [](float x, Modifiers m) { return name(x, m); }

TEST(Approximate, Reciprocal) {
  auto rcp = FUNCTION(rcpApprox);
  checkTable(rcp, {}, {{-inf, -0.0f}, {-0.0f, -inf}, {0.0f, inf}, {inf, 0.0f}, {nan, nan}, {0x1p-127f, 0x1p127f}});
  checkTable(rcp, {.ftz = true},
             {{-inf, -0.0f}, {-tiny, -inf}, {-0.0f, -inf}, {0.0f, inf}, {tiny, inf}, {inf, 0.0f}, {nan, nan},
              {0x1p127f, 0.0f}, {-0x1p127f, -0.0f}});
  checkRandom(rcp, [](double x) { return 1 / x; }, 1);
}

TEST(Approximate, SquareRoots) {
  auto sqrt = FUNCTION(sqrtApprox);
  auto rsqrt = FUNCTION(rsqrtApprox);
  for (bool ftz : {false, true}) {
    checkTable(sqrt, {.ftz = ftz}, {{-inf, nan}, {-1, nan}, {-0.0f, -0.0f}, {0.0f, 0.0f}, {inf, inf}, {nan, nan}});
    checkTable(rsqrt, {.ftz = ftz}, {{-inf, nan}, {-1, nan}, {-0.0f, -inf}, {0.0f, inf}, {inf, 0.0f}, {nan, nan}});
  }
  checkTable(sqrt, {.ftz = true}, {{tiny, 0.0f}, {-tiny, -0.0f}});
  checkTable(sqrt, {}, {{tiny, 0x1p-70f}, {-tiny, nan}});
  checkTable(rsqrt, {.ftz = true}, {{tiny, inf}, {-tiny, -inf}});
  checkTable(rsqrt, {}, {{tiny, 0x1p70f}, {-tiny, nan}});
  checkRandom(sqrt, [](double x) { return std::sqrt(x); }, 2);
  checkRandom(rsqrt, [](double x) { return 1 / std::sqrt(x); }, 3);
}

TEST(Approximate, Divide) {
  Random random(4);
  for (int i = 0; i < 20000; ++i) {
    float a = random.number<float>(), b = random.number<float>(), exact = static_cast<float>(double(a) / b);
    ASSERT_LE(distance(divFull(a, b), exact), 0) << a << " " << b;
    if (std::fabs(b) <= 0x1p126f || isNaN(b)) {
      ASSERT_LE(distance(divApprox(a, b), exact), 0) << a << " " << b;
    }
  }
  EXPECT_EQ(bitsOf(divApprox(1.0f, -0x1.8p126f)), 0x80000000u);
  EXPECT_EQ(bitsOf(divApprox(-3.0f, -0x1p127f)), 0u);
  EXPECT_TRUE(isNaN(divApprox(inf, 0x1p127f)));
  EXPECT_EQ(divApprox(0x1p126f, 0x1p126f), 1.0f);
  EXPECT_EQ(bitsOf(divApprox(inf, -inf)), 0x7fffffffu);
  EXPECT_EQ(bitsOf(divApprox(1.0f, -inf)), 0x80000000u);
  EXPECT_EQ(bitsOf(divApprox(-1.0f, tiny, {.ftz = true})), 0xff800000u);
  EXPECT_EQ(divFull(0x1p127f, 0x1p127f), 1.0f);
  EXPECT_EQ(bitsOf(divFull(-0x1p-100f, 0x1p100f, {.ftz = true})), 0x80000000u);
  EXPECT_EQ(divFull(tiny, tiny), 1.0f);
  EXPECT_TRUE(isNaN(divFull(tiny, tiny, {.ftz = true})));
}

TEST(Approximate, Exponential) {
  auto ex2 = FUNCTION(ex2Approx);
  for (bool ftz : {false, true})
    checkTable(ex2, {.ftz = ftz}, {{-inf, 0.0f}, {-tiny, 1}, {-0.0f, 1}, {0.0f, 1}, {tiny, 1}, {inf, inf}, {nan, nan},
                                   {-1, 0.5f}, {127, 0x1p127f}, {128, inf}, {-126, 0x1p-126f}, {-1e30f, 0.0f}});
  checkTable(ex2, {}, {{-149, 0x1p-149f}, {-130, 0x1p-130f}});
  checkTable(ex2, {.ftz = true}, {{-149, 0.0f}, {-126.5f, 0.0f}});
  checkRandom(ex2, [](double x) { return std::exp2(x); }, 5);
}

TEST(Approximate, Logarithm) {
  auto lg2 = FUNCTION(lg2Approx);
  for (bool ftz : {false, true})
    checkTable(lg2, {.ftz = ftz}, {{-inf, nan}, {-1, nan}, {-0.0f, -inf}, {0.0f, -inf}, {inf, inf}, {nan, nan},
                                   {1, 0.0f}, {0x1p-126f, -126}, {8, 3}});
  checkTable(lg2, {}, {{tiny, -140}, {-tiny, nan}, {0x1p-149f, -149}});
  checkTable(lg2, {.ftz = true}, {{tiny, -inf}, {-tiny, -inf}});
  checkRandom(lg2, [](double x) { return std::log2(x); }, 6);
}

TEST(Approximate, SineAndCosine) {
  auto sin = FUNCTION(sinApprox);
  auto cos = FUNCTION(cosApprox);
  for (bool ftz : {false, true}) {
    checkTable(sin, {.ftz = ftz}, {{-inf, nan}, {-0.0f, -0.0f}, {0.0f, 0.0f}, {inf, nan}, {nan, nan}});
    checkTable(cos, {.ftz = ftz}, {{-inf, nan}, {-0.0f, 1}, {0.0f, 1}, {inf, nan}, {nan, nan}, {tiny, 1}, {-tiny, 1}});
  }
  checkTable(sin, {}, {{tiny, tiny}, {-tiny, -tiny}});
  checkTable(sin, {.ftz = true}, {{tiny, 0.0f}, {-tiny, -0.0f}});
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    float x = random.number<float>();
    x = std::fabs(x) < 314 || isNaN(x) ? x : std::fmod(x, 314.0f);
    if (isNaN(x))
      continue;
    ASSERT_NEAR(sinApprox(x), std::sin(double(x)), 0x1p-24) << x;
    ASSERT_NEAR(cosApprox(x), std::cos(double(x)), 0x1p-24) << x;
    if (std::fabs(x) < 1) {
      ASSERT_LE(distance(sinApprox(x), static_cast<float>(std::sin(double(x)))), 1) << x;
    }
  }
  for (float x : {1e10f, -1e20f, 0x1.fffffep127f, 0x1.234567p51f, 0x1.234567p52f, 0x1.234567p53f}) {
    EXPECT_LE(std::fabs(sinApprox(x)), 1);
    EXPECT_LE(std::fabs(cosApprox(x)), 1);
  }
}

TEST(Approximate, HyperbolicTangent) {
  auto tanh = FUNCTION(tanhApprox);
  checkTable(tanh, {}, {{-inf, -1}, {-0.0f, -0.0f}, {0.0f, 0.0f}, {inf, 1}, {nan, nan}, {tiny, tiny}, {-tiny, -tiny},
                        {100, 1}, {-100, -1}});
  checkRandom(tanh, [](double x) { return std::tanh(x); }, 8);
}

TEST(Approximate, DoubleUpperWords) {
  Random random(9);
  for (int i = 0; i < 20000; ++i) {
    double x = random.number<double>(), upper = doubleOf(bitsOf(x) & 0xffffffff00000000);
    double r = rcpApprox(x), s = rsqrtApproxFtz(x);
    ASSERT_EQ(bitsOf(r) & 0xffffffff, 0u);
    ASSERT_EQ(bitsOf(s) & 0xffffffff, 0u);
    if (std::isnormal(upper) && std::isnormal(1 / upper)) {
      ASSERT_NEAR(r * upper, 1, 0x1p-20) << x;
      if (x > 0) {
        ASSERT_NEAR(s * s * upper, 1, 0x1p-19) << x;
      }
    }
  }
  double infinity = doubleOf(0x7ff0000000000000);
  auto rcp = [](double x) { return bitsOf(rcpApprox(x)); };
  auto rsqrt = [](double x) { return bitsOf(rsqrtApproxFtz(x)); };
  EXPECT_EQ(rcp(-infinity), 0x8000000000000000u);
  EXPECT_EQ(rcp(-0x1p-1050), 0xfff0000000000000u);
  EXPECT_EQ(rcp(-0.0), 0xfff0000000000000u);
  EXPECT_EQ(rcp(0x1p-1050), 0x7ff0000000000000u);
  EXPECT_EQ(rcp(infinity), 0u);
  EXPECT_EQ(rcp(0x1.8p1023), 0u);
  EXPECT_EQ(rcp(doubleOf(0xfff8000000000001)), 0x7fffffff00000000u);
  EXPECT_EQ(rsqrt(-infinity), 0x7fffffff00000000u);
  EXPECT_EQ(rsqrt(-1), 0x7fffffff00000000u);
  EXPECT_EQ(rsqrt(-0x1p-1050), 0xfff0000000000000u);
  EXPECT_EQ(rsqrt(0.0), 0x7ff0000000000000u);
  EXPECT_EQ(rsqrt(infinity), 0u);
  EXPECT_EQ(rsqrtApprox(4.0), 0.5);
  EXPECT_EQ(bitsOf(rsqrtApprox(-0.0)), 0xfff0000000000000u);
  EXPECT_EQ(bitsOf(rsqrtApprox(-2.0)), defaultNaN64);
  EXPECT_EQ(rsqrtApprox(0x1p-1050), 0x1p525);
}

// All functions: the nearest value to libm's.
TEST(Approximate, Halves) {
  auto check = [](auto function, double (*reference)(double), auto type, Modifiers m) {
    using T = decltype(type);
    for (u64 bits = 0; bits < 0x10000; ++bits) {
      T x{u16(bits)};
      u64 result = function(x, m).bits, wanted;
      double exact = reference(toDouble(m.ftz ? flush(x) : x));
      if (oracle::isNaN(bits, specOf<T>()))
        wanted = 0x7fff;
      else if (std::isinf(exact))
        wanted = specOf<T>().infinity();
      else
        wanted = Real::of(rawBits(exact), specF64).round(specOf<T>(), Rounding::rn);
      if (m.ftz)
        wanted = rawBits(flush(T{u16(wanted)}));
      ASSERT_EQ(result, wanted) << std::hex << bits;
    }
  };
  auto ex2 = [](auto x, Modifiers m) { return ex2Approx(x, m); };
  auto tanh = [](auto x, Modifiers m) { return tanhApprox(x, m); };
  check(ex2, std::exp2, f16{}, {});
  check(ex2, std::exp2, bf16{}, {.ftz = true});
  check(tanh, std::tanh, f16{}, {});
  check(tanh, std::tanh, bf16{}, {});
}

} // namespace
} // namespace tilecc::emu
