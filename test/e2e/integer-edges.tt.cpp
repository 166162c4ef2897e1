// Tests integers in cases that are easily wrong: the ends of the range, division of negative numbers and by constants,
// shifts up to the last bit, products that wrap, offsets beyond 32 bits, and masked-off divisors of zero.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

constexpr int block = 64;

// All pairs of the interesting numbers of a type.
template <class T> std::vector<T> interesting() {
  using limits = std::numeric_limits<T>;
  std::vector<T> values{0, 1, 2, 3, 7, 10, 16, limits::max(), T(limits::max() - 1), T(limits::max() / 2),
                        T(limits::max() / 2 + 1), limits::min(), T(limits::min() + 1), T(limits::min() / 2)};
  for (int v : {-1, -2, -3, -7, -10, -16})
    values.push_back(T(v));
  return values;
}

template <class T> __tile_global__ void pairs(const T *a, const T *b, T *quotient, T *remainder, T *product, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto x = tt::load(a + i, i < n), y = tt::load(b + i, i < n); // beyond n, y may be 0: that must do no harm
  tt::store(quotient + i, x / y, i < n);
  tt::store(remainder + i, x % y, i < n);
  tt::store(product + i, x * y, i < n);
}

// Constant divisors: powers of two and others, of both signs.
template <class T> __tile_global__ void by_constants(const T *a, T *out, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto x = tt::load(a + i, i < n);
  int k = 0;
  auto put = [&](auto v) { tt::store(out + k++ * n + i, v, i < n); };
  put(x / 1);
  put(x / 2);
  put(x % 2);
  put(x / 16);
  put(x % 16);
  put(x / 7);
  put(x % 7);
  put(x / T(-3));
  put(x % T(-3));
  put(100 / (x | T(1)));
}
constexpr int divisions = 10;

template <class T> __tile_global__ void shifts(const T *a, T *out, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto x = tt::load(a + i, i < n);
  for (int s = 0; s < int(8 * sizeof(T)); ++s) {
    tt::store(out + (2 * s) * n + i, x << s, i < n);
    tt::store(out + (2 * s + 1) * n + i, x >> s, i < n);
  }
}

template <class T> void check() {
  using W = e2e::wrapping<T>;
  std::vector<T> values = interesting<T>(), left, right;
  for (T x : values)
    for (T y : values)
      if (y != 0 && !(std::is_signed_v<T> && x == std::numeric_limits<T>::min() && y == T(-1)))
        left.push_back(x), right.push_back(y);
  int n = int(left.size());
  e2e::context("%s, pairs", e2e::name_of<T>);
  e2e::buffer<T> a(n, [&](int i) { return left[i]; }), b(n, [&](int i) { return right[i]; });
  e2e::buffer<T> quotient(n), remainder(n), product(n);
  pairs<<<tt::cdiv(n, block) + 1>>>(a.data(), b.data(), quotient.data(), remainder.data(), product.data(), n);
  quotient.expect([&](int i) { return (W{a[i]} / W{b[i]}).value; });
  remainder.expect([&](int i) { return (W{a[i]} % W{b[i]}).value; });
  product.expect([&](int i) { return (W{a[i]} * W{b[i]}).value; });

  e2e::context("%s, constants", e2e::name_of<T>);
  int m = int(values.size());
  e2e::buffer<T> x(m, [&](int i) { return values[i]; }), out(divisions * m);
  by_constants<<<tt::cdiv(m, block)>>>(x.data(), out.data(), m);
  out.expect([&](int i) {
    T v = x[i % m];
    const T wanted[divisions] = {v,        T(v / 2), T(v % 2),     T(v / 16),    T(v % 16),
                                 T(v / 7), T(v % 7), T(v / T(-3)), T(v % T(-3)), T(T(100) / T(v | 1))};
    return wanted[i / m];
  });

  e2e::context("%s, shifts", e2e::name_of<T>);
  e2e::buffer<T> shifted(16 * sizeof(T) * m);
  shifts<<<tt::cdiv(m, block)>>>(x.data(), shifted.data(), m);
  shifted.expect([&](int i) {
    W v{x[i % m]}, s{T(i / m / 2)};
    return i / m % 2 ? (v >> s).value : (v << s).value;
  });
}

// Offsets: the user widens a 32-bit index that would overflow, and a wide one stays wide; negative ones.
__tile_global__ void offsets(const int8_t *end, int8_t *out, int64_t far) {
  auto i = tt::arange<block>();
  auto back = tt::load(end - i - 1);             // downwards
  auto there = end + (i.to<int64_t>() + far);    // far away,
  auto here = there - far;                       // and here again
  auto narrow = end + (i.to<int8_t>() - 64);     // offsets of 8 bits, negative
  auto positive = end - 256 + (i + 192).to<uint8_t>(); // and unsigned, above 127
  tt::store(out + i, back);
  tt::store(out + block + i, tt::load(here - 64));
  tt::store(out + 2 * block + i, tt::load(narrow));
  tt::store(out + 3 * block + i, tt::load(positive));
}

int main() {
  return e2e::run("integer-edges", [] {
    check<int8_t>();
    check<uint16_t>();
    check<int32_t>();
    check<uint32_t>();
    check<int64_t>();

    e2e::context("offsets");
    e2e::buffer<int8_t> x(256, e2e::random<int8_t>), out(4 * block);
    offsets<<<1>>>(x.data() + 256, out.data(), int64_t(3) << 33);
    out.expect([&](int i) {
      int e = i % block;
      return i < block ? x[255 - e] : x[192 + e];
    });
  });
}
