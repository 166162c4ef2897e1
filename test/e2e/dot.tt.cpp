// Matrix products: every element type, tile shapes, numbers of warps, ragged sizes, with and without an initial
// accumulator, and products of products.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t

#include "support/check.h"

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
template <class T> double product(const e2e::buffer<T> &a, const e2e::buffer<T> &b, int sa, int sb, int K, int m, int n) {
  double sum = 0;
  for (int k = 0; k < K; ++k)
    sum += double(a[m * sa + k]) * double(b[k * sb + n]);
  return sum;
}

// What sums of K products of numbers up to 4 * 4 may be off.
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

// Two products in a row, the first one's result an operand of the second; the accumulator is the user's.
template <int M, int N>
__tile_global__ void chain(const float *x, const float *y, const float *z, const float *initial, float *out) {
  auto m = tt::arange<M>()(tt::all, tt::newaxis);
  auto n = tt::arange<N>()(tt::newaxis, tt::all);
  auto k = tt::arange<N>()(tt::all, tt::newaxis);
  auto xy = tt::dot<tt::precision::ieee>(tt::load(x + m * N + n), tt::load(y + k * N + n));
  auto start = tt::load(initial + m * N + n);
  tt::store(out + m * N + n, tt::dot<tt::precision::ieee>(xy * 0.5f, tt::load(z + k * N + n), start));
}

void check_chain() {
  constexpr int M = 16, N = 32;
  e2e::context("chain");
  e2e::buffer<float> x(M * N, e2e::random<float>), y(N * N, e2e::random<float>), z(N * N, e2e::random<float>),
      initial(M * N, e2e::random<float>), out(M * N);
  chain<M, N><<<1>>>(x.data(), y.data(), z.data(), initial.data(), out.data());
  std::vector<double> want(M * N);
  for (int m = 0; m < M; ++m)
    for (int k = 0; k < N; ++k) {
      double xy = product(x, y, N, N, N, m, k) / 2;
      for (int n = 0; n < N; ++n)
        want[m * N + n] += xy * z[k * N + n];
    }
  out.expect(e2e::tolerance{1, 16.0 * 16 * N * N * 0x1p-24}, [&](int i) { return want[i] + initial[i]; });
}

// Without a precision float operands may be rounded to tf32's 11 digits, as in Triton.
__tile_global__ void by_default(const float *a, const float *b, float *c) {
  auto r = tt::arange<32>()(tt::all, tt::newaxis);
  auto k = tt::arange<32>()(tt::newaxis, tt::all);
  tt::store(c + r * 32 + k, tt::dot(tt::load(a + r * 32 + k), tt::load(b + r * 32 + k)));
}

int main() {
  return e2e::run("dot", [] {
    check<float, float, 16, 16, 16>(1, 1, 1);
    check<float, float, 16, 16, 16>(16, 16, 16);
    check<float, float, 32, 64, 16, 1>(33, 63, 17);
    check<float, float, 64, 32, 32, 2>(65, 31, 33);
    check<float, float, 64, 64, 32, 8>(130, 70, 95);
    check<tt::float16, float, 32, 32, 16>(31, 33, 50);
    check<tt::float16, float, 64, 64, 64, 8>(70, 64, 64);
    check<tt::bfloat16, float, 32, 64, 32>(40, 60, 31);
    check<double, double, 16, 32, 16>(17, 33, 15);
    check<int8_t, int, 32, 32, 32>(33, 31, 65);
    check_chain();

    e2e::context("default precision");
    e2e::buffer<float> a(32 * 32, e2e::random<float>), b(32 * 32, e2e::random<float>), c(32 * 32);
    by_default<<<1>>>(a.data(), b.data(), c.data());
    c.expect(e2e::tolerance{1, 32 * 16 * 0x1p-10}, [&](int i) { return product(a, b, 32, 32, 32, i / 32, i % 32); });
  });
}
