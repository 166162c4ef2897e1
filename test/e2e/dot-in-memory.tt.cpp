// Tests operands that a dot can use directly in memory, as the CPU device does, and operands for which this is nearly
// so. Memory between rows and behind masks contains NaNs, to detect wrong reads. Accumulators depend on operands.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=3 %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
#include "support/check.h"

constexpr int M = 32, N = 64, K = 32;

// Rows wrap around at the end, columns are masked off, or the other way around.
template <bool Wraps>
__tile_global__ void product(const float *a, const float *b, float *c, int m, int n, int k, int a_row, int b_row) {
  auto rm = tt::program_id(0) * M + tt::arange<M>();
  auto rn = tt::program_id(1) * N + tt::arange<N>();
  auto acc = tt::zeros<float, M, N>();
  for (int i = 0; i < k; i += K) {
    auto rk = i + tt::arange<K>();
    if constexpr (Wraps) {
      auto x = tt::load(a + ((rm % m).col() * a_row + rk.row()), (rk < k).row());
      auto y = tt::load(b + (rk.col() * b_row + (rn % n).row()), (rk < k).col());
      acc = tt::dot<tt::precision::ieee>(x, y, acc);
    } else {
      auto x = tt::load(a + (rm.col() * a_row + rk.row()), (rm < m).col() && (rk < k).row());
      auto y = tt::load(b + (rk.col() * b_row + rn.row()), (rn < n).row() && (rk < k).col());
      acc = tt::dot<tt::precision::ieee>(x, y, acc * ((rm & 1) + 1).col().to<float>());
    }
  }
  tt::store(c + (rm.col() * n + rn.row()), acc, (rm < m).col() && (rn < n).row());
}

// A mask that is not separable by rows and columns: only the tile's last element is masked.
__tile_global__ void but_one(const float *a, const float *b, float *c) {
  auto m = tt::arange<M>(), k = tt::arange<K>();
  auto n = tt::arange<N>();
  auto at = m.col() * K + k.row();
  auto x = tt::load(a + at, at < M * K - 1);
  auto y = tt::load(b + (k.col() * N + n.row()));
  tt::store(c + (m.col() * N + n.row()), tt::dot<tt::precision::ieee>(x, y));
}

// `count` rows of `length` numbers with the row stride `row`, and NaN elsewhere.
static e2e::buffer<float> matrix(int count, int length, int row) {
  return e2e::buffer<float>(count * row, [&](int i) { return i % row < length ? float(e2e::between(-8, 8)) : NAN; });
}

int main() {
  return e2e::run("dot-in-memory", [] {
    struct shape {
      int m, n, k, a_row, b_row;
    };
    // Rows of b that are 4096 bytes apart would conflict in a cache.
    for (auto [m, n, k, a_row, b_row] : {shape{64, 128, 64, 64, 128}, {64, 128, 64, 67, 131}, {32, 64, 96, 1024, 1024},
                                         {32, 64, 32, 100, 320}, {61, 128, 64, 64, 160}, {64, 120, 64, 80, 128},
                                         {64, 128, 50, 50, 144}, {61, 120, 50, 67, 131}})
      for (bool wraps : {false, true}) {
        e2e::context("%d x %d x %d, rows of %d and %d%s", m, n, k, a_row, b_row, wraps ? ", wrapping" : "");
        auto a = matrix(m, k, a_row), b = matrix(k, n, b_row);
        e2e::buffer<float> c(m * n, [](int) { return NAN; });
        dim3 grid(tt::cdiv(m, M), tt::cdiv(n, N));
        if (wraps)
          product<true><<<grid>>>(a.data(), b.data(), c.data(), m, n, k, a_row, b_row);
        else
          product<false><<<grid>>>(a.data(), b.data(), c.data(), m, n, k, a_row, b_row);
        c.expect([&](int i) {
          double sum = 0;
          for (int j = 0; j < k; ++j) {
            if (j % K == 0 && !wraps)
              sum *= (i / n & 1) + 1;
            sum += double(a[i / n * a_row + j]) * b[j * b_row + i % n];
          }
          return float(sum);
        });
      }
    auto a = matrix(M, K, K), b = matrix(K, N, N);
    e2e::buffer<float> c(M * N, [](int) { return NAN; });
    but_one<<<1>>>(a.data(), b.data(), c.data());
    e2e::context("but one");
    c.expect([&](int i) {
      double sum = 0;
      for (int j = 0; j < K - (i / N == M - 1); ++j)
        sum += double(a[i / N * K + j]) * b[j * N + i % N];
      return float(sum);
    });
  });
}
