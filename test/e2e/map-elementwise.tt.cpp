// Tests map_elementwise: scalar functions with branches and loops that depend on the elements.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

template <int M, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void collatz(const int *x, int *steps, int64_t *largest, float *half) {
  auto at = tt::arange<M>()(tt::all, tt::newaxis) * N + tt::arange<N>();
  auto [count, peak] = tt::map_elementwise(
      [](int n) {
        int count = 0;
        int64_t peak = n;
        for (int64_t k = n; k != 1; ++count) {
          k = k % 2 ? 3 * k + 1 : k / 2;
          if (k > peak)
            peak = k;
        }
        return tt::pair{count, peak};
      },
      tt::load(x + at));
  tt::store(steps + at, count);
  tt::store(largest + at, peak);
  // One result, two operands that broadcast, no branch.
  tt::store(half + at, tt::map_elementwise([](int a, float b) { return a * b; }, tt::load(x + at), 0.5f));
}

template <int M, int N, int W> void check() {
  e2e::context("%d x %d, %d warps", M, N, W);
  e2e::buffer<int> x(M * N, [](int) { return int(e2e::between(1, 30)); }), steps(M * N);
  e2e::buffer<int64_t> largest(M * N);
  e2e::buffer<float> half(M * N);
  collatz<M, N, W><<<1>>>(x.data(), steps.data(), largest.data(), half.data());
  auto walk = [&](int i, bool wants_peak) {
    int64_t k = x[i], peak = k, count = 0;
    for (; k != 1; ++count) {
      k = k % 2 ? 3 * k + 1 : k / 2;
      peak = k > peak ? k : peak;
    }
    return wants_peak ? peak : count;
  };
  steps.expect([&](int i) { return int(walk(i, false)); });
  largest.expect([&](int i) { return walk(i, true); });
  half.expect([&](int i) { return x[i] * 0.5f; });
}

int main() {
  return e2e::run("map-elementwise", [] {
    check<1, 16, 1>();
    check<4, 64, 4>();
    check<32, 8, 8>();
  });
}
