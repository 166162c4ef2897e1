// Tests tt::libdevice: on a GPU NVIDIA's functions, on the CPU device the host's, compared with the host's results.
// REQUIRES: cuda
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t

#include "support/ulps.h"

#include <tilecc/libdevice.h>

constexpr int block = 128;

#define FUNCTIONS(F)                                                                                                   \
  F(sin, 3) F(cos, 3) F(tan, 5) F(asin, 4) F(acos, 4) F(atan, 3) F(sinh, 4) F(cosh, 4) F(tanh, 3) F(asinh, 4)          \
  F(expm1, 3) F(exp10, 4) F(log1p, 3) F(log10, 4) F(cbrt, 1) F(erf, 4) F(erfc, 8) F(tgamma, 12) F(round, 0)            \
  F(rint, 0) F(trunc, 0) F(logb, 0)

template <class T> __tile_global__ void functions(const T *x, T *out, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  auto v = tt::load(x + i, mask, 0.5f);
  int k = 0;
#define STORE(name, ulps) tt::store(out + k++ * n + i, tt::libdevice::name(v), mask);
  FUNCTIONS(STORE)
#undef STORE
}

template <class T> void check_functions() {
  const int n = 200;
  e2e::buffer<T> x(n, [](int i) { return T(i == 0 ? 0 : i == 1 ? 0.5 : e2e::uniform(-0.99, 0.99) * (i % 2 ? 1 : 4)); });
  constexpr int count = 0
#define ONE(name, ulps) +1
      FUNCTIONS(ONE);
#undef ONE
  e2e::buffer<T> out(count * n);
  functions<T><<<tt::cdiv(n, block)>>>(x.data(), out.data(), n);
  e2e::context("%s", e2e::name_of<T>);
  struct entry {
    const char *name;
    long double (*reference)(long double);
    double ulps;
  };
  static const entry entries[] = {
#define ENTRY(name, ulps) {#name, [](long double v) -> long double { return ::name##l(v); }, ulps},
      FUNCTIONS(ENTRY)
#undef ENTRY
  };
  out.expect_if([&](int i, T got) {
    const entry &e = entries[i / n];
    double argument = double(x[i % n]);
    return e2e::within_ulps(e.name, got, e.reference(argument), e.ulps, argument);
  });
  e2e::print_ulps(e2e::name_of<T>);
}

template <class T> __tile_global__ void others(const T *x, const T *y, const int *k, T *out, int *integers, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  auto v = tt::load(x + i, mask, 0.5f), w = tt::load(y + i, mask, 0.5f);
  auto m = tt::load(k + i, mask, 1);
  tt::store(out + i, tt::libdevice::copysign(v, w), mask);
  tt::store(out + n + i, tt::libdevice::add_rd(v, w), mask);
  tt::store(out + 2 * n + i, tt::libdevice::add_ru(v, w), mask);
  tt::store(out + 3 * n + i, tt::libdevice::ldexp(v, m), mask);
  tt::store(out + 4 * n + i, tt::libdevice::fmod(v, w), mask);
  tt::store(integers + i, tt::libdevice::isnan(v), mask);
  tt::store(integers + n + i, tt::libdevice::popc(m), mask);
  tt::store(integers + 2 * n + i, tt::libdevice::clz(m), mask);
  tt::store(integers + 3 * n + i, tt::libdevice::mulhi(m, m), mask);
  tt::store(integers + 4 * n + i, tt::libdevice::byte_perm(m, m * 3, m), mask);
}

template <class T> void check_others() {
  const int n = 150;
  e2e::buffer<T> x(n, [](int i) { return i == 3 ? T(NAN) : T(e2e::uniform(-9, 9)); });
  e2e::buffer<T> y(n, [](int) { return T(e2e::uniform(-2, 2)); });
  e2e::buffer<int> k(n, [](int i) { return i < 100 ? int(e2e::between(-20, 20)) : e2e::random<int>(); });
  e2e::buffer<T> out(5 * n);
  e2e::buffer<int> integers(5 * n);
  others<T><<<tt::cdiv(n, block)>>>(x.data(), y.data(), k.data(), out.data(), integers.data(), n);
  e2e::context("others, %s", e2e::name_of<T>);
  out.expect_if([&](int i, T got) {
    T a = x[i % n], b = y[i % n];
    long double sum = (long double)a + b;
    if (a != a)
      return got != got || i / n == 0;
    switch (i / n) {
    case 0: return e2e::same(got, std::copysign(a, b));
    case 1: return got <= sum && std::nextafter(got, T(INFINITY)) > sum;
    case 2: return got >= sum && std::nextafter(got, T(-INFINITY)) < sum;
    case 3: return e2e::same(got, std::ldexp(a, k[i % n]));
    default: return e2e::same(got, std::fmod(a, b));
    }
  });
  integers.expect([&](int i) {
    int m = k[i % n];
    switch (i / n) {
    case 0: return int(x[i % n] != x[i % n]);
    case 1: return __builtin_popcount(unsigned(m));
    case 2: return m ? __builtin_clz(unsigned(m)) : 32;
    case 3: return int((int64_t(m) * m) >> 32);
    default: {
      uint64_t bytes = uint64_t(uint32_t(m) * 3u) << 32 | uint32_t(m);
      uint32_t result = 0;
      for (int j = 0; j < 4; ++j) {
        uint32_t choice = uint32_t(m) >> (4 * j) & 7; // the fourth bit is not looked at
        result |= (uint32_t(bytes >> (8 * choice)) & 255) << (8 * j);
      }
      return int(result);
    }
    }
  });
}

int main() {
  return e2e::run("libdevice", [] {
    check_functions<float>();
    check_functions<double>();
    check_others<float>();
    check_others<double>();
  });
}
