//===- FormulasTest.cpp - measures how accurate the formulas are --------------------------------------------------===//
//
// The formulas are evaluated with an Arithmetic that computes immediately, in float and double on the processor of the
// host. They are compared with long double, for many more arguments than a kernel in a test could get. test/e2e/math
// measures the parts that a target adds (its exp2, its division). FORMULAS_SAMPLES sets the number of arguments of each
// kind.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/math/Formulas.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

using namespace tilecc;

namespace {

/// Values are bit patterns, stored in a pointer.
template <typename T, typename I, typename U> class HostArithmetic final : public Arithmetic {
public:
  HostArithmetic() : Arithmetic(sizeof(T) == 8) {}

  static void *wrap(T x) {
    U bits;
    std::memcpy(&bits, &x, sizeof(T));
    return wrap(bits);
  }
  static void *wrap(U bits) { return reinterpret_cast<void *>(uintptr_t(bits)); }
  static void *wrap(bool truth) { return wrap(U(truth)); }
  static U bits(void *value) { return U(reinterpret_cast<uintptr_t>(value)); }
  static T real(void *value) {
    U u = bits(value);
    T x;
    std::memcpy(&x, &u, sizeof(T));
    return x;
  }

  void *makeReal(double value) override { return wrap(T(value)); }
  void *makeInteger(int64_t value) override { return wrap(U(value)); }
  void *lookUp(llvm::StringRef, llvm::ArrayRef<uint64_t> table, void *index) override {
    EXPECT_LT(bits(index), table.size());
    return wrap(U(table[bits(index)]));
  }
  llvm::SmallVector<void *> rarely(void *condition, llvm::ArrayRef<void *> usual, void *x,
                                   llvm::function_ref<llvm::SmallVector<void *>(void *)> rare) override {
    return bits(condition) ? rare(x) : llvm::SmallVector<void *>(usual);
  }
  void *fastExp2(void *x) override { return wrap(std::exp2(real(x))); }

  void *emit(Op op, llvm::ArrayRef<void *> in) override {
    auto r = [&](int i) { return real(in[i]); };
    auto u = [&](int i) { return bits(in[i]); };
    volatile T product; // rounded
    switch (op) {
    case Add: return wrap(T(r(0) + r(1)));
    case Sub: return wrap(T(r(0) - r(1)));
    case Mul: return product = r(0) * r(1), wrap(T(product));
    case Div: return wrap(T(r(0) / r(1)));
    case Fma:
    case MulAdd: return wrap(T(std::fma(r(0), r(1), r(2))));
    case Neg: return wrap(-r(0));
    case Abs: return wrap(std::fabs(r(0)));
    case CopySign: return wrap(std::copysign(r(0), r(1)));
    case Round: return wrap(std::nearbyint(r(0)));
    case Less: return wrap(r(0) < r(1));
    case Equal: return wrap(r(0) == r(1));
    case Unordered: return wrap(bool(std::isunordered(r(0), r(1))));
    case IAdd: return wrap(U(u(0) + u(1)));
    case ISub: return wrap(U(u(0) - u(1)));
    case IMul: return wrap(U(u(0) * u(1)));
    case MulHigh: return wrap(U(((unsigned __int128)(u(0)) * u(1)) >> (8 * sizeof(T))));
    case IAnd:
    case And: return wrap(U(u(0) & u(1)));
    case IOr:
    case Or: return wrap(U(u(0) | u(1)));
    case ShiftLeft: return wrap(U(u(0) << u(1)));
    case ShiftRight: return wrap(U(u(0) >> u(1)));
    case ShiftRightSigned: return wrap(U(I(u(0)) >> u(1)));
    case ILess: return wrap(I(u(0)) < I(u(1)));
    case ILessUnsigned: return wrap(u(0) < u(1));
    case IEqual: return wrap(u(0) == u(1));
    case ToBits:
    case FromBits: return in[0];
    case ToReal: return wrap(T(I(u(0))));
    case Not: return wrap(!u(0));
    case Select: return u(0) ? in[1] : in[2];
    }
    return nullptr;
  }
};

template <typename T> struct Format;
template <> struct Format<float> {
  using Host = HostArithmetic<float, int32_t, uint32_t>;
  static constexpr int digits = 24, least = -126, top = 127;
};
template <> struct Format<double> {
  using Host = HostArithmetic<double, int64_t, uint64_t>;
  static constexpr int digits = 53, least = -1022, top = 1023;
};

template <typename T> T compute(Real (*formula)(Real), T x) {
  typename Format<T>::Host host;
  return host.real(formula({{&host, host.wrap(x)}}).value);
}
template <typename T> T compute(Real (*formula)(Real, Real), T x, T y) {
  typename Format<T>::Host host;
  return host.real(formula({{&host, host.wrap(x)}}, {{&host, host.wrap(y)}}).value);
}

/// The distance in units in the last place; 0 if both are the same, also for NaN and infinity.
template <typename T> double ulpsOff(T got, long double want) {
  T rounded = T(want);
  if (std::isnan(got) || std::isnan(want))
    return std::isnan(got) && std::isnan(want) ? 0 : INFINITY;
  if (std::isinf(got) || std::isinf(rounded)) {
    if (got == rounded)
      return 0;
    long double beyond = std::ldexp(1.0L, Format<T>::top + 1); // the next after the largest number
    long double a = std::isinf(got) ? std::copysign(beyond, (long double)got) : got;
    return double(std::fabs(a - want) / std::ldexp(1.0L, Format<T>::top - Format<T>::digits + 1));
  }
  int exponent = want == 0 ? Format<T>::least : std::max(std::ilogb(want), Format<T>::least);
  if (got == 0 && want == 0 && std::signbit(got) != std::signbit(want))
    return INFINITY;
  return double(std::fabs(got - want) / std::ldexp(1.0L, exponent - Format<T>::digits + 1));
}

std::mt19937_64 engine(std::random_device{}());
double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
template <typename T> T anyMagnitude() {
  int exponent = std::uniform_int_distribution<int>(Format<T>::least - 3, Format<T>::top)(engine);
  return T(std::ldexp(uniform(1, 2), exponent) * (engine() & 1 ? 1 : -1));
}
int samples() {
  const char *asked = std::getenv("FORMULAS_SAMPLES");
  return asked ? std::atoi(asked) : 20000;
}

template <typename T> class Formulas : public testing::Test {
protected:
  void check(const char *name, Real (*formula)(Real), long double (*reference)(long double), double allowed, double low,
             double high) {
    const double edges[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 0.5, -0.5, 2, 1e30, -1e30, 0.6, -0.6};
    double worst = 0;
    T where = 0;
    auto measure = [&](T x) {
      double off = ulpsOff(compute<T>(formula, x), reference(x));
      if (!(off <= worst)) {
        worst = off;
        where = x;
      }
    };
    for (double x : edges)
      measure(T(x));
    for (int i = 0; i < samples(); ++i) {
      measure(T(uniform(low, high)));
      measure(anyMagnitude<T>());
      measure(T(std::ldexp(uniform(-1, 1), Format<T>::least)));
      // Arguments close to multiples of pi/2, and to whole numbers.
      double n = std::floor(std::ldexp(1.0, int(engine() % (Format<T>::digits + 6))) * uniform(1, 2));
      measure(T(1.57079632679489661923L * n));
      measure(T(1 + uniform(-1, 1) * std::ldexp(1.0, -int(engine() % 30))));
    }
    std::printf("%s: %.3f ulp at %.17g\n", name, worst, double(where));
    EXPECT_LE(worst, allowed) << name << " at " << double(where);
  }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Formulas, Types);

TYPED_TEST(Formulas, Sine) { this->check("sin", formulas::sin, std::sin, 2, -10, 10); }
TYPED_TEST(Formulas, Cosine) { this->check("cos", formulas::cos, std::cos, 2, -10, 10); }
TYPED_TEST(Formulas, HyperbolicTangent) { this->check("tanh", formulas::tanh, std::tanh, 2, -3, 3); }
TYPED_TEST(Formulas, ErrorFunction) { this->check("erf", formulas::erf, std::erf, 2, -4, 4); }
TYPED_TEST(Formulas, Logarithm) { this->check("log", formulas::log, std::log, 1.5, 0, 10); }
TYPED_TEST(Formulas, LogarithmToBase2) { this->check("log2", formulas::log2, std::log2, 1.5, 0, 10); }
TYPED_TEST(Formulas, Exponential) {
  if (sizeof(TypeParam) == 8) // f32 has better ways
    this->check("exp", formulas::exp, std::exp, 1, -750, 720);
}
TYPED_TEST(Formulas, ExponentialToBase2) { this->check("exp2", formulas::exp2, std::exp2, 1, -160, 140); }

TYPED_TEST(Formulas, Power) {
  using T = TypeParam;
  double worst = 0;
  T whereX = 0, whereY = 0;
  auto measure = [&](T x, T y) {
    double off = ulpsOff(compute<T>(formulas::pow, x, y), std::pow((long double)x, (long double)y));
    if (!(off <= worst)) {
      worst = off;
      whereX = x;
      whereY = y;
    }
  };
  const double edges[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 2, -2, 3, -3, 0.5, -0.5, 1e5, -1e5, 1e30, 0x1p24, 0x1p53};
  for (double x : edges)
    for (double y : edges)
      measure(T(x), T(y));
  for (int i = 0; i < samples(); ++i) {
    measure(T(uniform(0, 10)), T(uniform(-30, 30)));
    measure(anyMagnitude<T>(), anyMagnitude<T>());
    measure(anyMagnitude<T>(), T(uniform(-2, 2)));
    measure(T(1 + uniform(-1, 1) * std::ldexp(1.0, -int(engine() % 20))),
            T(uniform(-1, 1) * std::ldexp(1.0, int(engine() % 30))));
    measure(T(uniform(-4, 4)), T(std::floor(uniform(-20, 20))));
  }
  std::printf("pow: %.3f ulp at %.17g, %.17g\n", worst, double(whereX), double(whereY));
  EXPECT_LE(worst, 2) << "at " << double(whereX) << ", " << double(whereY);
}

} // namespace
