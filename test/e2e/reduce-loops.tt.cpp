// Tests reductions that a loop accumulates: sums and extremes of long rows, block by block, also with no block.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

template <class T, int M, int B, int W>
[[tt::num_warps(W)]] __tile_global__ void rows(const T *x, T *sums, T *largest, T *smallest, T *total, int n) {
  auto r = tt::arange<M>();
  auto sum = tt::full<T>(tt::shape<M>{}, T(3)), high = tt::full<T>(tt::shape<M>{}, T(-1)),
       low = tt::full<T>(tt::shape<M>{}, T(1));
  T all = 5;
  for (int begin = 0; begin < n; begin += B) {
    auto c = begin + tt::arange<B>();
    auto mask = (r < M)(tt::all, tt::newaxis) && (c < n);
    auto v = tt::load(x + r(tt::all, tt::newaxis) * n + c, mask, T(0));
    sum += tt::sum<1>(v);
    high = tt::maximum(high, tt::max<1>(v));
    low = tt::minimum(tt::min<1>(v), low);
    all += tt::sum(v);
  }
  tt::store(sums + r, sum);
  tt::store(largest + r, high);
  tt::store(smallest + r, low);
  tt::store(total, all);
}

template <class T, int M, int B, int W> void check() {
  for (int n : {0, 1, B - 1, B, 3 * B + 1}) {
    e2e::context("%s, %d x %d by %d, %d warps", e2e::name_of<T>, M, n, B, W);
    // Sums of these are exact.
    e2e::buffer<T> x(M * n, [](int) { return T(e2e::between(-8, 8)); }), sums(M), largest(M), smallest(M), total(1);
    rows<T, M, B, W><<<1>>>(x.data(), sums.data(), largest.data(), smallest.data(), total.data(), n);
    auto reduce = [&](int begin, int count, T init, auto f) {
      for (int i = 0; i < count; ++i)
        init = f(init, x[begin + i]);
      return init;
    };
    sums.expect_value([&](int r) { return reduce(r * n, n, T(3), [](T a, T b) { return a + b; }); });
    largest.expect_value([&](int r) { return reduce(r * n, n, n % B ? std::max(T(-1), T(0)) : T(-1), [](T a, T b) { return a > b ? a : b; }); });
    smallest.expect_value([&](int r) { return reduce(r * n, n, n % B ? std::min(T(1), T(0)) : T(1), [](T a, T b) { return a < b ? a : b; }); });
    total.expect_value([&](int) { return reduce(0, M * n, T(5), [](T a, T b) { return a + b; }); });
  }
}

int main() {
  return e2e::run("reduce-loops", [] {
    check<float, 16, 32, 4>();
    check<float, 1, 512, 8>();
    check<double, 4, 64, 1>();
    check<int32_t, 8, 128, 4>();
    check<int64_t, 32, 16, 8>();
  });
}
