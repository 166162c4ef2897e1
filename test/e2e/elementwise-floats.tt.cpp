// Tests every operator on tiles of every floating-point type, with NaNs, infinities, zeros and subnormal numbers.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

constexpr int block = 128;

template <class V, class Put> constexpr void exact(V a, V b, Put put) {
  put(0, a + b);
  put(1, a - b);
  put(2, a * b);
  put(3, -a);
}
template <class V, class Put> constexpr void comparisons(V a, V b, Put put) {
  put(0, a < b);
  put(1, a <= b);
  put(2, a > b);
  put(3, a >= b);
  put(4, a == b);
  put(5, a != b);
}

template <class T>
__tile_global__ void all_operators(const T *a, const T *b, T *results, T *quotients, T *remainders, bool *flags,
                                   T *chosen, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  auto x = tt::load(a + i, mask), y = tt::load(b + i, mask);
  exact(x, y, [&](int k, auto result) { tt::store(results + k * n + i, result, mask); });
  comparisons(x, y, [&](int k, auto result) { tt::store(flags + k * n + i, result, mask); });
  tt::store(quotients + i, x / y, mask);
  tt::store(remainders + i, x % y, mask);
  tt::store(chosen + i, tt::maximum(x, y), mask);
  tt::store(chosen + n + i, tt::minimum(x, y), mask);
  tt::store(chosen + 2 * n + i, tt::maximum<tt::propagate_nan::all>(x, y), mask);
  tt::store(chosen + 3 * n + i, tt::minimum<tt::propagate_nan::all>(x, y), mask);
  tt::store(chosen + 4 * n + i, tt::where(x < y, x, y), mask);
  tt::store(chosen + 5 * n + i, tt::abs(x), mask);
}

template <class T> T special() {
  using format = e2e::float_format<T>;
  double sign = e2e::random_bits() & 1 ? -1 : 1;
  switch (e2e::random_bits() % 6) {
  case 0: return T(NAN);
  case 1: return T(sign * INFINITY);
  case 2: return T(sign * 0.0);
  case 3: return T(sign * std::ldexp(e2e::uniform(0.25, 1), format::min_exponent)); // subnormal, and a product with one
  case 4: return T(sign * std::ldexp(e2e::uniform(1, 2), 1 - format::min_exponent)); // about the largest
  default: return e2e::random<T>();
  }
}

// One operation in T: of the 16-bit types in float and rounded once, which is exact for + - * and /.
template <class T, class Op> T rounded(Op op, T a, T b) {
  if constexpr (sizeof(T) == 2)
    return T(op(float(a), float(b)));
  else
    return op(a, b);
}

template <class T> void check(bool with_specials) {
  for (int n : e2e::edges(block)) {
    e2e::context("%s%s, n = %d", e2e::name_of<T>, with_specials ? " with special values" : "", n);
    auto make = [&](int) { return with_specials && e2e::random_bits() % 2 ? special<T>() : e2e::random<T>(); };
    e2e::buffer<T> a(n, make), b(n, make), results(4 * n), quotients(n), remainders(n), chosen(6 * n);
    e2e::buffer<bool> flags(6 * n);
    all_operators<T><<<tt::cdiv(n, block)>>>(a.data(), b.data(), results.data(), quotients.data(), remainders.data(),
                                             flags.data(), chosen.data(), n);
    results.expect([&](int i) {
      T x = a[i % n], y = b[i % n];
      switch (i / n) {
      case 0: return rounded([](auto p, auto q) { return p + q; }, x, y);
      case 1: return rounded([](auto p, auto q) { return p - q; }, x, y);
      case 2: return rounded([](auto p, auto q) { return p * q; }, x, y);
      default: return T(-x);
      }
    });
    flags.expect([&](int i) {
      bool result = false;
      comparisons(double(a[i % n]), double(b[i % n]), [&](int k, bool r) {
        if (k == i / n)
          result = r;
      });
      return result;
    });
    chosen.expect_value([&](int i) { // the target chooses between zeros of different sign
      T x = a[i % n], y = b[i % n];
      bool x_nan = x != x, y_nan = y != y, either = x_nan || y_nan, all = i / n == 2 || i / n == 3;
      if (i / n == 4)
        return x < y ? x : y;
      if (i / n == 5)
        return T(std::fabs(double(x)));
      if (either)
        return all || (x_nan && y_nan) ? T(NAN) : x_nan ? y : x;
      return (i / n) % 2 == 0 ? (x > y ? x : y) : (x < y ? x : y);
    });
    remainders.expect([&](int i) { return T(std::fmod(double(a[i]), double(b[i]))); });
    if (with_specials)
      continue; // division is approximate there: div.full for float
    // float division on a GPU is good to 2 ulp, as Triton's; the others are rounded correctly.
    quotients.expect(e2e::tolerance{std::is_same_v<T, float> ? 2.0 : 0.5},
                     [&](int i) { return double(a[i]) / double(b[i]); });
  }
}

int main() {
  return e2e::run("elementwise-floats", [] {
    for (bool with_specials : {false, true}) {
      check<tt::float16>(with_specials);
      check<tt::bfloat16>(with_specials);
      check<float>(with_specials);
      check<double>(with_specials);
    }
  });
}
