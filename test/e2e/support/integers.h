// The kernel and the check for tests of every operator on integers.
#ifndef TEST_E2E_SUPPORT_INTEGERS_H
#define TEST_E2E_SUPPORT_INTEGERS_H

#include "check.h"

// Each operator once, for two tiles in the kernel and for two numbers in the reference. `put` takes the results.
template <class V, class Put> constexpr void arithmetic(V a, V b, V divisor, V distance, Put put) {
  put(0, a + b);
  put(1, a - b);
  put(2, a * b);
  put(3, a / divisor);
  put(4, a % divisor);
  put(5, a & b);
  put(6, a | b);
  put(7, a ^ b);
  put(8, a << distance);
  put(9, a >> distance);
  put(10, -a);
  put(11, ~a);
}
constexpr int arithmetics = 12;

template <class V, class Put> constexpr void comparisons(V a, V b, Put put) {
  put(0, a < b);
  put(1, a <= b);
  put(2, a > b);
  put(3, a >= b);
  put(4, a == b);
  put(5, a != b);
}

constexpr int block = 128;

template <class T>
__tile_global__ void all_operators(const T *a, const T *b, const T *divisor, const T *distance, T *out, bool *flags,
                                   T *chosen, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  auto x = tt::load(a + i, mask), y = tt::load(b + i, mask);
  arithmetic(x, y, tt::load(divisor + i, mask, 1), tt::load(distance + i, mask, 0),
             [&](int k, auto result) { tt::store(out + k * n + i, result, mask); });
  comparisons(x, y, [&](int k, auto result) { tt::store(flags + k * n + i, result, mask); });
  tt::store(chosen + i, tt::maximum(x, y), mask);
  tt::store(chosen + n + i, tt::minimum(x, y), mask);
  tt::store(chosen + 2 * n + i, tt::abs(x), mask);
  tt::store(chosen + 3 * n + i, tt::where(x < y, x, y * T(2)), mask);
}

template <class T> void check() {
  using W = e2e::wrapping<T>;
  for (int n : e2e::edges(block)) {
    e2e::context("%s, n = %d", e2e::name_of<T>, n);
    e2e::buffer<T> a(n, e2e::random<T>), b(n, e2e::random<T>), distance(n, [](int) {
      return T(e2e::between(0, 8 * sizeof(T) - 1));
    });
    // No division by zero and none of the smallest integer by -1: both are undefined, as in C.
    e2e::buffer<T> divisor(n, [&](int i) {
      T d = e2e::random<T>();
      bool overflows = std::is_signed_v<T> && d == T(-1) && a[i] == std::numeric_limits<T>::min();
      return d == 0 || overflows ? T(7) : d;
    });
    e2e::buffer<T> out(arithmetics * n), chosen(4 * n);
    e2e::buffer<bool> flags(6 * n);
    all_operators<T><<<tt::cdiv(n, block)>>>(a.data(), b.data(), divisor.data(), distance.data(), out.data(),
                                             flags.data(), chosen.data(), n);

    out.expect([&](int i) {
      T result{};
      int e = i % n;
      arithmetic(W{a[e]}, W{b[e]}, W{divisor[e]}, W{distance[e]}, [&](int k, W r) {
        if (k == i / n)
          result = r.value;
      });
      return result;
    });
    flags.expect([&](int i) {
      bool result = false;
      comparisons(a[i % n], b[i % n], [&](int k, bool r) {
        if (k == i / n)
          result = r;
      });
      return result;
    });
    chosen.expect([&](int i) {
      T x = a[i % n], y = b[i % n];
      switch (i / n) {
      case 0: return x > y ? x : y;
      case 1: return x < y ? x : y;
      case 2: return x < T(0) ? (-W{x}).value : x;
      default: return x < y ? x : (W{y} * W{T(2)}).value;
      }
    });
  }
}

#endif // TEST_E2E_SUPPORT_INTEGERS_H
