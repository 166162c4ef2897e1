// Tests loops over tt::range: their integers with every option, step and number of iterations; and a matrix
// multiplication whose loops request their own numbers of stages.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"
#include <climits>
#include <vector>

// Appends the integers of `range` to `out`, each but the multiples of 7.
template <class R> __tile__ void list(R range, long *out, int *count) {
  int rounds = 0;
  for (auto i : range) {
    if (i % 7 == 0)
      continue;
    tt::store(out + rounds++, long(i));
  }
  tt::store(count, rounds);
}

template <class T, int Step, int Factor, int Stages>
__tile_global__ void integers(long *out, int *count, T lo, T hi, int step) {
  if constexpr (Step != 0)
    list(tt::range(lo, hi, Step).unroll(Factor).num_stages(Stages), out, count);
  else
    list(tt::range(lo, hi, step).num_stages(Stages), out, count);
}

template <class T, int Step, int Factor = 1, int Stages = 2> void check_integers(T lo, T hi, int step = Step) {
  e2e::context("from %lld to %lld by %d, %d at once", (long long)lo, (long long)hi, step, Factor);
  std::vector<long> expected;
  for (__int128 i = lo; step > 0 ? i < hi : i > hi; i += step)
    if (i % 7 != 0)
      expected.push_back(long(i));
  e2e::buffer<long> out(expected.size());
  e2e::buffer<int> count(1);
  integers<T, Step, Factor, Stages><<<1>>>(out.data(), count.data(), lo, hi, step);
  count.expect([&](int) { return int(expected.size()); });
  out.expect([&](int i) { return expected[i]; });
}

template <class T, int Step> void check_steps() {
  for (int rounds = 0; rounds < 9; ++rounds) {
    T hi = T(3 + Step * rounds);
    check_integers<T, Step>(3, hi);
    check_integers<T, Step, 2>(3, hi);
    check_integers<T, Step, 4>(3, T(hi - Step / 3));
  }
  check_integers<T, Step, 3>(Step > 0 ? 40 : -40, Step > 0 ? 17 : -17); // ends before it begins
}

constexpr int M = 32, N = 32, K = 16;

// Two dots in a loop of Outer stages around one of Inner stages: C = the sum over r < rounds of A_r B_r + the sum over
// s < r of A_s B_s.
template <int Outer, int Inner, int Factor>
[[tt::num_warps(4), tt::num_stages(2)]] __tile_global__ void products(const tt::float16 *a, const tt::float16 *b, float *c,
                                                                      int rounds, int stride) {
  auto m = tt::arange<M>();
  auto n = tt::arange<N>();
  auto k = tt::arange<K>();
  auto pa = a + m(tt::all, tt::newaxis) * stride + k(tt::newaxis, tt::all);
  auto pb = b + k(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all);
  auto acc = tt::zeros<float, M, N>();
  for (int r : tt::range(0, rounds).num_stages(Outer)) {
    acc = tt::dot(tt::load(pa + r * K), tt::load(pb + r * K * N), acc);
    auto qa = pa;
    for (int s : tt::range(0, r * K, K).num_stages(Inner).unroll(Factor)) {
      acc = tt::dot(tt::load(qa), tt::load(pb + s * N), acc);
      qa += K;
    }
  }
  tt::store(c + m(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all), acc);
}

template <int Outer, int Inner, int Factor> void check_products() {
  for (int rounds = 0; rounds <= 5; ++rounds) {
    e2e::context("%d and %d stages, %d at once, %d rounds", Outer, Inner, Factor, rounds);
    int tiles = rounds + 1, stride = tiles * K + 8;
    auto small = [](int) { return tt::float16(e2e::between(-3, 3)); }; // sums are exact
    e2e::buffer<tt::float16> a(M * stride, small), b(tiles * K * N, small);
    e2e::buffer<float> c(M * N);
    products<Outer, Inner, Factor><<<1>>>(a.data(), b.data(), c.data(), rounds, stride);
    c.expect([&](int i) {
      double sum = 0;
      for (int r = 0; r < rounds; ++r)
        for (int k = 0; k < (r + 1) * K; ++k) // the products before r, and that of r
          sum += double(a[i / N * stride + k]) * double(b[k * N + i % N]);
      return float(sum);
    });
  }
}

// Unsigned counters up to their largest number: prefetches beyond the last iteration would wrap around. The loop has
// the last `rounds` of them.
template <int Stages>
[[tt::num_stages(Stages)]] __tile_global__ void to_the_end(const tt::float16 *a, const tt::float16 *b, float *c, unsigned lo,
                                                           unsigned hi) {
  auto m = tt::arange<M>();
  auto n = tt::arange<N>();
  auto k = tt::arange<K>();
  auto acc = tt::zeros<float, M, N>();
  for (unsigned r = lo; r < hi; ++r) {
    auto x = tt::load(a + m(tt::all, tt::newaxis) * K + k(tt::newaxis, tt::all) + (r - lo) * (M * K));
    auto y = tt::load(b + k(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all) + (r - lo) * (K * N));
    acc = tt::dot(x, y, acc);
  }
  tt::store(c + m(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all), acc);
}

template <int Stages> void check_unsigned() {
  for (unsigned hi : {7u, UINT_MAX})
    for (unsigned rounds = 0; rounds <= 5; ++rounds) {
      e2e::context("%d stages, %u unsigned rounds up to %u", Stages, rounds, hi);
      auto small = [](int) { return tt::float16(e2e::between(-3, 3)); };
      e2e::buffer<tt::float16> a(rounds * M * K, small), b(rounds * K * N, small);
      e2e::buffer<float> c(M * N);
      to_the_end<Stages><<<1>>>(a.data(), b.data(), c.data(), hi - rounds, hi);
      c.expect([&](int i) {
        double sum = 0;
        for (unsigned r = 0; r < rounds; ++r)
          for (int k = 0; k < K; ++k)
            sum += double(a[r * M * K + i / N * K + k]) * double(b[(r * K + k) * N + i % N]);
        return float(sum);
      });
    }
}

// A loop without a dot is pipelined if it requests that.
template <int Stages> __tile_global__ void column_sums(const float *x, float *out, int rows, int stride) {
  auto n = tt::arange<128>();
  auto sum = tt::zeros<float, 128>();
  for (int row : tt::range(rows).num_stages(Stages))
    sum += tt::load(x + row * stride + n);
  tt::store(out + n, sum);
}

template <int Stages> void check_sums() {
  for (int rows = 0; rows <= 6; ++rows) {
    e2e::context("sums, %d stages, %d rows", Stages, rows);
    int stride = 131;
    e2e::buffer<float> x(rows * stride + 1, [](int) { return float(e2e::between(-9, 9)); }), out(128);
    column_sums<Stages><<<1>>>(x.data(), out.data(), rows, stride);
    out.expect([&](int i) {
      float sum = 0;
      for (int row = 0; row < rows; ++row)
        sum += x[row * stride + i];
      return sum;
    });
  }
}

int main() {
  return e2e::run("range", [] {
    check_steps<int, 1>();
    check_steps<int, 5>();
    check_steps<int, -1>();
    check_steps<int, -3>();
    check_steps<long, 4>();
    check_steps<long, -2>();
    check_steps<unsigned, 1>();
    check_steps<unsigned, 8>();
    // Up to the ends of the types.
    check_integers<int, 3, 2>(INT_MAX - 10, INT_MAX - 2);
    check_integers<int, 1, 4>(INT_MAX - 10, INT_MAX);
    check_integers<int, -3, 2>(INT_MIN + 10, INT_MIN + 2);
    check_integers<int, 1 << 29, 2>(INT_MIN, INT_MAX - (1 << 29));
    check_integers<unsigned, 1, 4>(UINT_MAX - 10, UINT_MAX);
    check_integers<long, 1, 2>(LONG_MAX - 5, LONG_MAX);
    for (int step : {1, 3, 50})
      check_integers<int, 0>(5, 40, step);
    check_products<1, 1, 1>();
    check_products<1, 3, 1>();
    check_products<3, 1, 2>();
    check_products<2, 4, 2>();
    check_products<4, 2, 3>();
    check_unsigned<1>();
    check_unsigned<3>();
    check_unsigned<5>();
    check_sums<1>();
    check_sums<2>();
    check_sums<4>();
  });
}
