// Tests what follows an accumulation before it is stored: vectors along rows and columns, other accumulators, types,
// orders and masks, in programs of one and of several tiles. In tensor memory, the result is stored a few columns at a
// time (test/e2e/blackwell-dots.test).
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90

#include "support/check.h"

using T = tt::float16;

static float small(int) { return float(int(e2e::random_bits() % 9) - 4) / 4; }

/// C = max(scale * (A B) + bias, 0), with a scale for each row and a bias for each column; C is stored by columns if
/// `BY_COLUMNS`. If `GATED`, the product with B's columns from N on is multiplied to it.
template <class R, int BM, int BN, int BK, int WARPS, bool BY_COLUMNS, bool GATED>
[[tt::num_warps(WARPS)]] __tile_global__ void fused(const T *a, const T *b, const float *scale, const T *bias, R *c, int M,
                                                    int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>(), gate = tt::zeros<float, BM, BN>();
  int stride = GATED ? 2 * N : N;
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    auto mask = (k < K).col() && (n < N).row();
    acc = tt::dot(x, tt::load(b + (k.col() * stride + n.row()), mask, T(0)), acc);
    if constexpr (GATED)
      gate = tt::dot(x, tt::load(b + (k.col() * stride + (N + n).row()), mask, T(0)), gate);
  }
  auto scales = tt::load(scale + m, m < M, 0.0f);
  auto added = tt::load(bias + n, n < N, T(0)).template to<float>();
  auto result = tt::maximum(scales.col() * acc + added.row(), 0.0f);
  if constexpr (GATED)
    result = result * gate;
  auto place = BY_COLUMNS ? m.col() + (n * M).row() : m.col() * N + n.row();
  tt::store(c + place, result.template to<R>(), (m < M).col() && (n < N).row());
}

/// The same without a gate, in blocks that compute several tiles; bias[n] is read for each.
template <class R, int BM, int BN, int BK, int WARPS>
[[tt::persistent, tt::num_warps(WARPS)]] __tile_global__ void tiles(const T *a, const T *b, const float *scale, const T *bias,
                                                                   R *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    acc = tt::dot(x, tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0)), acc);
  }
  auto scales = tt::load(scale + m, m < M, 0.0f);
  auto added = tt::load(bias + n, n < N, T(0)).template to<float>();
  auto result = tt::maximum(scales.col() * acc + added.row(), 0.0f);
  tt::store(c + (m.col() * N + n.row()), result.template to<R>(), (m < M).col() && (n < N).row());
}

template <class R, bool BY_COLUMNS, bool GATED, class Launch> static void check(int M, int N, int K, Launch launch) {
  int columns = GATED ? 2 * N : N;
  e2e::buffer<T> a(M * K + 8, [](int i) { return T(small(i)); }), b(K * columns + 8, [](int i) { return T(small(i)); }),
      bias(N + 8, [](int i) { return T(small(i)); });
  e2e::buffer<float> scale(M + 8, small);
  e2e::buffer<R> c(M * N);
  launch(a.data(), b.data(), scale.data(), bias.data(), c.data());
  c.expect(e2e::tolerance{1, 4e-3}, [&](int i) {
    int m = BY_COLUMNS ? i % M : i / N, n = BY_COLUMNS ? i / M : i % N;
    double sum = 0, gate = 0;
    for (int k = 0; k < K; ++k) {
      sum += double(float(a[m * K + k])) * double(float(b[k * columns + n]));
      if (GATED)
        gate += double(float(a[m * K + k])) * double(float(b[k * columns + N + n]));
    }
    double result = std::max(double(scale[m]) * sum + double(float(bias[n])), 0.0);
    return GATED ? result * gate : result;
  });
}

template <class R, int BM, int BN, int BK, int WARPS, bool BY_COLUMNS = false, bool GATED = false>
static void check_fused(int M, int N, int K) {
  e2e::context("%dx%d, %d warps%s%s: %dx%dx%d", BM, BN, WARPS, BY_COLUMNS ? ", by columns" : "", GATED ? ", gated" : "", M,
               N, K);
  dim3 grid(tt::cdiv(M, BM), tt::cdiv(N, BN));
  check<R, BY_COLUMNS, GATED>(M, N, K, [&](auto... p) { fused<R, BM, BN, BK, WARPS, BY_COLUMNS, GATED><<<grid>>>(p..., M, N, K); });
}

template <class R, int BM, int BN, int BK, int WARPS> static void check_tiles(int M, int N, int K) {
  e2e::context("tiles of %dx%d, %d warps: %dx%dx%d", BM, BN, WARPS, M, N, K);
  dim3 grid(tt::cdiv(M, BM), tt::cdiv(N, BN));
  check<R, false, false>(M, N, K, [&](auto... p) { tiles<R, BM, BN, BK, WARPS><<<grid>>>(p..., M, N, K); });
}

int main() {
  return e2e::run("dot-epilogues", [] {
    check_fused<T, 128, 128, 64, 4>(136, 136, 64);
    check_fused<float, 128, 256, 32, 8>(128, 264, 64);
    check_fused<float, 64, 128, 32, 4>(72, 128, 40);
    check_fused<T, 128, 64, 64, 4, /*BY_COLUMNS=*/true>(136, 72, 64);
    check_fused<T, 128, 64, 64, 4, false, /*GATED=*/true>(136, 72, 64);
    check_fused<T, 128, 64, 64, 4>(128, 64, 0);
    check_fused<T, 32, 128, 64, 4>(40, 136, 136);
    check_fused<float, 16, 64, 64, 4>(16, 72, 64);
    check_fused<T, 256, 256, 32, 8>(264, 256, 32);
    check_tiles<T, 128, 64, 64, 4>(392, 136, 136);
    check_tiles<float, 128, 128, 32, 8>(264, 136, 72);
    check_tiles<T, 128, 64, 64, 4>(264, 64, 0);
    check_tiles<T, 256, 64, 64, 8>(520, 64, 72);
    check_tiles<T, 32, 128, 64, 4>(72, 264, 72);
  });
}
