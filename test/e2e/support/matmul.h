// The kernel for tests of tt::dot in matrix multiplications, and its check.
#ifndef TEST_E2E_SUPPORT_MATMUL_H
#define TEST_E2E_SUPPORT_MATMUL_H

#include "check.h"

// C = A B for any sizes: the edges are masked, the rows are padded to the strides.
template <class T, class R, int BM, int BN, int BK, int W>
[[tt::num_warps(W)]] __tile_global__ void matmul(const T *a, const T *b, R *c, int M, int N, int K, int sa, int sb,
                                                 int sc) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto pa = a + m(tt::all, tt::newaxis) * sa + k(tt::newaxis, tt::all);
  auto pb = b + k(tt::all, tt::newaxis) * sb + n(tt::newaxis, tt::all);
  auto acc = tt::zeros<R, BM, BN>();
  for (int first = 0; first < K; first += BK) {
    auto inside = k < K - first;
    auto x = tt::load(pa, (m < M)(tt::all, tt::newaxis) && inside(tt::newaxis, tt::all), 0);
    auto y = tt::load(pb, inside(tt::all, tt::newaxis) && (n < N)(tt::newaxis, tt::all), 0);
    acc = tt::dot<tt::precision::ieee>(x, y, acc);
    pa += BK;
    pb += BK * sb;
  }
  tt::store(c + m(tt::all, tt::newaxis) * sc + n(tt::newaxis, tt::all), acc,
            (m < M)(tt::all, tt::newaxis) && (n < N)(tt::newaxis, tt::all));
}

// The exact product of the values in two buffers.
template <class T>
double product(const e2e::buffer<T> &a, const e2e::buffer<T> &b, int sa, int sb, int K, int m, int n) {
  double sum = 0;
  for (int k = 0; k < K; ++k)
    sum += double(a[m * sa + k]) * double(b[k * sb + n]);
  return sum;
}

// The permitted error of sums of K products of numbers up to 4 * 4.
template <class R> e2e::tolerance allowed(int K) {
  if constexpr (std::is_integral_v<R>)
    return {0};
  else
    return {1, 16.0 * K * e2e::ulp<R>(1)};
}

template <class T, class R, int BM, int BN, int BK, int W = 4> void check(int M, int N, int K) {
  e2e::context("%s, %d x %d x %d in tiles of %d x %d x %d, %d warps", e2e::name_of<T>, M, N, K, BM, BN, BK, W);
  int sa = K + 5, sb = N + 1, sc = N + 3;
  e2e::buffer<T> a(M * sa, e2e::random<T>), b(K * sb, e2e::random<T>);
  e2e::buffer<R> c(M * sc);
  matmul<T, R, BM, BN, BK, W>
      <<<dim3(tt::cdiv(M, BM), tt::cdiv(N, BN))>>>(a.data(), b.data(), c.data(), M, N, K, sa, sb, sc);
  c.expect_if([&](int i, R got) {
    int m = i / sc, n = i % sc;
    if (n >= N)
      return e2e::same(got, c[i]);
    double want = product(a, b, sa, sb, K, m, n);
    if constexpr (std::is_integral_v<R>)
      return double(got) == want;
    else
      return e2e::near(got, want, allowed<R>(K));
  });
}

#endif // TEST_E2E_SUPPORT_MATMUL_H
