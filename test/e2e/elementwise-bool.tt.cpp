// Tests tiles of bool: logic, comparisons, arithmetic (which gives integers as in C), and conditions from numbers.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

constexpr int block = 64;

__tile_global__ void logic(const bool *a, const bool *b, const int *number, bool *out, int *counts, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  auto x = tt::load(a + i, mask), y = tt::load(b + i, mask);
  auto v = tt::load(number + i, mask);
  int k = 0;
  auto put = [&](auto result) { tt::store(out + k++ * n + i, result, mask); };
  put(x & y);
  put(x | y);
  put(x ^ y);
  put(!x);
  put(~x);
  put(x && y);
  put(x || y);
  put(x == y);
  put(x != y);
  put(x && true);
  put(v && y); // a number is true where it is not zero
  put(!v);
  put(tt::where(x, y, !y));
  put(tt::where(v, x, y));
  put(v.to<bool>());

  k = 0;
  auto count = [&](auto result) { tt::store(counts + k++ * n + i, result, mask); };
  count(x + y);
  count(x - y);
  count(x * y);
  count(-x);
  count(x.to<int>());
  count(x + v);
  count(tt::where(x, v, -v));
  count(tt::where(x, 1, 2));
}

// The mask of a load is a tile of bool that was loaded itself, and a program's own condition.
__tile_global__ void select_by_flags(const bool *flags, const float *x, float *out, int n, bool negate) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto flag = tt::load(flags + i, i < n, false);
  if (negate)
    flag = !flag && i < n;
  tt::store(out + i, tt::load(x + i, flag, 0.0f), flag);
}

int main() {
  return e2e::run("elementwise-bool", [] {
    for (int n : e2e::edges(block)) {
      e2e::context("n = %d", n);
      e2e::buffer<bool> a(n, e2e::random<bool>), b(n, e2e::random<bool>), out(15 * n);
      e2e::buffer<int> number(n, [](int) { return int(e2e::between(-2, 2)); }), counts(8 * n);
      logic<<<tt::cdiv(n, block)>>>(a.data(), b.data(), number.data(), out.data(), counts.data(), n);
      out.expect([&](int i) {
        bool x = a[i % n], y = b[i % n];
        int v = number[i % n];
        const bool wanted[] = {x && y, x || y, x != y, !x,      !x, x && y,     x || y,    x == y,
                               x != y, x,      v && y, v == 0, x ? y : !y, v ? x : y, v != 0};
        return wanted[i / n];
      });
      counts.expect([&](int i) {
        int x = a[i % n], y = b[i % n], v = number[i % n];
        const int wanted[] = {x + y, x - y, x * y, -x, x, x + v, x ? v : -v, x ? 1 : 2};
        return wanted[i / n];
      });

      for (bool negate : {false, true}) {
        e2e::buffer<float> x(n, e2e::random<float>), chosen(n);
        select_by_flags<<<tt::cdiv(n, block)>>>(a.data(), x.data(), chosen.data(), n, negate);
        chosen.expect([&](int i) { return a[i] != negate ? x[i] : chosen[i]; });
      }
    }
  });
}
