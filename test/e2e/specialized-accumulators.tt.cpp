// Tests dots with producer warps whose accumulators stay in flight from one iteration to the next, for one tile per
// block and for several. On sm_90, convolutions get both if the source does not decide and the programs do not all run
// at once. Tests partial tiles, loops with no iterations or fewer than slots, and more and fewer programs than blocks.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a -Rtile=blocks %s -o %t.90 2>&1 | FileCheck %s --check-prefix=CHOSEN
// RUN: %emulate %t.90
// RUN: %emulate_at_random %t.90
// CHOSEN: remark: a block of convolve<true> runs several programs, one after the other
// CHOSEN: remark: a block of convolve<false> runs several programs, one after the other
// CHOSEN-NOT: remark

#include "support/check.h"

using T = tt::bfloat16;

/// C = A B, with several tiles for each block.
template <int BM, int BN>
[[tt::persistent]] __tile_global__ void multiply(const T *a, const T *b, float *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int from : tt::range(0, K, 64).warp_specialize()) {
    auto k = from + tt::arange<64>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    auto y = tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0));
    acc = tt::dot(x, y, acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc, (m < M).col() && (n < N).row());
}

/// The same with one tile for each block.
template <int BM, int BN>
[[tt::num_warps(8), tt::num_stages(2)]] __tile_global__ void multiply_ahead(const T *a, const T *b, float *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int from : tt::range(0, K, 64).warp_specialize()) {
    auto k = from + tt::arange<64>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    auto y = tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0));
    acc = tt::dot(x, y, acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc, (m < M).col() && (n < N).row());
}

/// 3x3 with a padding of 1; x: [N, H, W, C], w: [3, 3, C, K], out: [N, H, W, K].
template <bool LARGE> __tile_global__ void convolve(const T *x, const T *w, float *out, int N, int H, int W, int C, int K) {
  constexpr int BM = 128, BN = LARGE ? 256 : 64, BK = 64;
  int columns = tt::cdiv(K, BN), pid = tt::program_id(0);
  auto m = pid / columns * BM + tt::arange<BM>();
  auto n = pid % columns * BN + tt::arange<BN>();
  auto image = m / (H * W), p = m / W % H, q = m % W;
  auto acc = tt::zeros<float, BM, BN>();
  for (int from : tt::range(0, 9 * C, BK).warp_specialize(!LARGE)) {
    auto k = from + tt::arange<BK>();
    auto c = k % C, s = k / C % 3, r = k / C / 3;
    auto h = (p - 1).col() + r.row(), v = (q - 1).col() + s.row();
    auto inside = (m < N * H * W).col() && h >= 0 && h < H && v >= 0 && v < W && (k < 9 * C).row();
    auto pixels = tt::load(x + (((image.col() * H + h) * W + v) * C + c.row()), inside, T(0));
    acc = tt::dot(pixels, tt::load(w + (k.col() * K + n.row()), (k < 9 * C).col() && (n < K).row(), T(0)), acc);
  }
  tt::store(out + (m.col() * K + n.row()), acc, (m < N * H * W).col() && (n < K).row());
}

static T small(int) { return T(float(int(e2e::random_bits() % 9) - 4) / 4); }

template <class Launch> static void check(const char *name, int M, int N, int K, Launch launch) {
  e2e::context("%s: %dx%dx%d", name, M, N, K);
  e2e::buffer<T> a(M * K + 8, small), b(K * N + 8, small);
  e2e::buffer<float> c(M * N);
  launch(a.data(), b.data(), c.data());
  c.expect(e2e::tolerance{1e-3, 1e-5}, [&](int i) {
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(float(a[i / N * K + k])) * double(float(b[k * N + i % N]));
    return sum;
  });
}

template <bool LARGE> static void check(int N, int H, int W, int C, int K) {
  e2e::context("convolution of %dx%dx%dx%d to %d", N, H, W, C, K);
  e2e::buffer<T> x(N * H * W * C, small), w(9 * C * K, small);
  e2e::buffer<float> out(N * H * W * K);
  int blocks = tt::cdiv(N * H * W, 128) * tt::cdiv(K, LARGE ? 256 : 64);
  convolve<LARGE><<<blocks>>>(x.data(), w.data(), out.data(), N, H, W, C, K);
  out.expect(e2e::tolerance{1e-3, 1e-5}, [&](int i) {
    int k = i % K, q = i / K % W, p = i / K / W % H, n = i / K / W / H;
    double sum = 0;
    for (int r = 0; r < 3; ++r)
      for (int s = 0; s < 3; ++s)
        if (int h = p + r - 1, v = q + s - 1; h >= 0 && h < H && v >= 0 && v < W)
          for (int c = 0; c < C; ++c)
            sum += double(float(x[((n * H + h) * W + v) * C + c])) * double(float(w[((r * 3 + s) * C + c) * K + k]));
    return sum;
  });
}

int main() {
  return e2e::run("specialized-accumulators", [] {
    const int sizes[][3] = {{768, 128, 256}, {1040, 136, 72}, {512, 256, 0}, {200, 104, 384}};
    for (auto [M, N, K] : sizes) {
      check("multiply", M, N, K, [&](T *a, T *b, float *c) {
        multiply<256, 128><<<dim3(tt::cdiv(M, 256), tt::cdiv(N, 128))>>>(a, b, c, M, N, K);
      });
      check("multiply_ahead", M, N, K, [&](T *a, T *b, float *c) {
        multiply_ahead<128, 64><<<dim3(tt::cdiv(M, 128), tt::cdiv(N, 64))>>>(a, b, c, M, N, K);
      });
    }
    check<true>(3, 16, 16, 64, 256);
    check<true>(1, 9, 11, 64, 40);
    check<false>(2, 9, 11, 64, 72);
  });
}
