// Code shared by the tests of tt::dot on single tiles: a kernel with one dot per program, plain or batched, and the
// comparison of its results with sums in double.
#ifndef TEST_E2E_SUPPORT_DOT_H
#define TEST_E2E_SUPPORT_DOT_H

#include "check.h"

// out = a b + c, each tile whole and in rows one behind the other; TransA and TransB read an operand by columns.
template <class TA, class TB, class R, int M, int N, int K, int W, tt::precision P, int Imprecise, bool TransA,
          bool TransB>
[[tt::num_warps(W)]] __tile_global__ void dot_tile(const TA *a, const TB *b, const R *c,
                                                             R *out) {
  auto m = tt::arange<M>();
  auto n = tt::arange<N>();
  auto k = tt::arange<K>();
  auto pa = a + (TransA ? m(tt::all, tt::newaxis) + k(tt::newaxis, tt::all) * M
                        : m(tt::all, tt::newaxis) * K + k(tt::newaxis, tt::all));
  auto pb = b + (TransB ? k(tt::all, tt::newaxis) + n(tt::newaxis, tt::all) * K
                        : k(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all));
  auto at = m(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all);
  tt::store(out + at, tt::dot<P, Imprecise>(tt::load(pa), tt::load(pb), tt::load(c + at)));
}

template <class T, class R, int B, int M, int N, int K, int W, tt::precision P>
[[tt::num_warps(W)]] __tile_global__ void dot_batches(const T *a, const T *b, const R *c, R *out) {
  auto batch = tt::arange<B>()(tt::all, tt::newaxis, tt::newaxis);
  auto m = tt::arange<M>()(tt::newaxis, tt::all, tt::newaxis);
  auto n = tt::arange<N>()(tt::newaxis, tt::newaxis, tt::all);
  auto x = tt::load(a + ((batch * M + m) * K + tt::arange<K>()(tt::newaxis, tt::newaxis, tt::all)));
  auto y = tt::load(b + ((batch * K + tt::arange<K>()(tt::newaxis, tt::all, tt::newaxis)) * N + n));
  auto at = (batch * M + m) * N + n;
  tt::store(out + at, tt::dot<P>(x, y, tt::load(c + at)));
}

// A reference, and what a result may be off it, for products of T at some precision that are summed in R: the factors'
// share of what all products are in size, and the sum's, for every product.
template <class T, class R> struct sum {
  double value = 0, size = 0;
  void add(double x) {
    value += x;
    size += std::fabs(x);
  }
  double allowed(int K, tt::precision p) const {
    double factors = std::is_same_v<T, float> ? p == tt::precision::tf32     ? 0x1p-9
                                                : p == tt::precision::tf32x3 ? 0x1p-18
                                                : p == tt::precision::bf16x3 ? 0x1p-14
                                                                             : 0
                     : sizeof(T) == 1 && !std::is_integral_v<T> ? 0x1p-12 // what some matrix units keep of their sums
                                                                : 0;
    double each = std::is_same_v<R, double> ? 0x1p-52 : std::is_same_v<R, tt::float16> ? 0x1p-11 : 0x1p-23;
    return size * (factors + K * each);
  }
  bool accepts(R got, int K, tt::precision p) const {
    if constexpr (std::is_integral_v<R>)
      return double(got) == value;
    else
      return e2e::near(got, value, {1, allowed(K, p)});
  }
};

template <class TA, class TB, class R, int M, int N, int K, int W = 4, tt::precision P = tt::precision::ieee,
          int Imprecise = 0, bool TransA = false, bool TransB = false>
void check_tile() {
  e2e::context("%s x %s -> %s, %d x %d x %d, %d warps, precision %d%s%s", e2e::name_of<TA>, e2e::name_of<TB>,
               e2e::name_of<R>, M, N, K, W, int(P), TransA ? ", a by columns" : "", TransB ? ", b by columns" : "");
  e2e::buffer<TA> a(M * K, e2e::random<TA>);
  e2e::buffer<TB> b(K * N, e2e::random<TB>);
  e2e::buffer<R> c(M * N, [](int) { return R(e2e::uniform(-4, 4)); }), out(M * N);
  dot_tile<TA, TB, R, M, N, K, W, P, Imprecise, TransA, TransB><<<1>>>(a.data(), b.data(), c.data(), out.data());
  out.expect_if([&](int i, R got) {
    int m = i / N, n = i % N;
    sum<TA, R> want;
    want.add(double(c[i]));
    for (int k = 0; k < K; ++k)
      want.add(double(a[TransA ? k * M + m : m * K + k]) * double(b[TransB ? n * K + k : k * N + n]));
    return want.accepts(got, K, P);
  });
}

template <class T, class R, int B, int M, int N, int K, int W = 4, tt::precision P = tt::precision::ieee>
void check_batches() {
  e2e::context("%s -> %s, %d of %d x %d x %d, %d warps, precision %d", e2e::name_of<T>, e2e::name_of<R>, B, M, N, K, W,
               int(P));
  e2e::buffer<T> a(B * M * K, e2e::random<T>), b(B * K * N, e2e::random<T>);
  e2e::buffer<R> c(B * M * N, [](int) { return R(e2e::uniform(-4, 4)); }), out(B * M * N);
  dot_batches<T, R, B, M, N, K, W, P><<<1>>>(a.data(), b.data(), c.data(), out.data());
  out.expect_if([&](int i, R got) {
    int batch = i / (M * N), m = i / N % M, n = i % N;
    sum<T, R> want;
    want.add(double(c[i]));
    for (int k = 0; k < K; ++k)
      want.add(double(a[(batch * M + m) * K + k]) * double(b[(batch * K + k) * N + n]));
    return want.accepts(got, K, P);
  });
}

#endif // TEST_E2E_SUPPORT_DOT_H
