// Tests dots of few tiles with many iterations, such as gradients of weights: several clusters run each program, and
// add up their accumulators in memory of the launch (targets/nvidia/hopper/SplitIterations.cpp). The emulator has a
// multiprocessor for each of its 32 threads, so that up to four clusters of eight blocks run a program.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90
// RUN: env TILECC_NUM_THREADS=32 TILECC_EMU_PROFILE=%t.json %emulate %t.90 && FileCheck %s --check-prefix=PROFILE < %t.json
// RUN: env TILECC_NUM_THREADS=32 %emulate_at_random %t.90
// RUN: env TILECC_NUM_THREADS=6 %emulate %t.90
// PROFILE: $a8_few

#include "support/check.h"

using T = tt::bfloat16;

/// C = A^T B, of matrices with K rows. A grid of rows and columns of tiles.
template <int BM, int BN, int BK>
[[tt::num_stages(3)]] __tile_global__ void gram(const T *a, const T *b, float *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (k.row() * M + m.col()), (m < M).col() && (k < K).row(), T(0));
    acc = tt::dot(x, tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0)), acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc, (m < M).col() && (n < N).row());
}

/// Gradients of a convolution's weights, dw [K, R * S * C], of images x [N, H, W, C] and dy [N, H, W, K]. Each iteration
/// divides to find its pixels.
template <int R, int S, int BM, int BN, int BK>
[[tt::num_stages(3)]] __tile_global__ void weights(const T *x, const T *dy, float *dw, int N, int H, int W, int C, int K) {
  auto k = tt::program_id(0) * BM + tt::arange<BM>();
  auto d = tt::program_id(1) * BN + tt::arange<BN>();
  auto c = d % C, s = d / C % S, r = d / C / S;
  auto acc = tt::zeros<float, BM, BN>();
  for (int from = 0; from < N * H * W; from += BK) {
    auto m = from + tt::arange<BK>();
    auto image = m / (H * W);
    auto h = (m / W % H - R / 2).col() + r.row(), v = (m % W - S / 2).col() + s.row();
    auto inside = (m < N * H * W).col() && h >= 0 && h < H && v >= 0 && v < W && (d < R * S * C).row();
    auto pixels = tt::load(x + (((image.col() * H + h) * W + v) * C + c.row()), inside, T(0));
    auto gradients = tt::load(dy + (m.row() * K + k.col()), (m < N * H * W).row() && (k < K).col(), T(0));
    acc = tt::dot(gradients, pixels, acc);
  }
  tt::store(dw + (k.col() * (R * S * C) + d.row()), acc, (k < K).col() && (d < R * S * C).row());
}

static T small(int) { return T(float(int(e2e::random_bits() % 9) - 4) / 4); }

template <int BM, int BN, int BK> static void check(int M, int N, int K) {
  e2e::context("%dx%dx%d", M, N, K);
  e2e::buffer<T> a(K * M, small), b(K * N, small);
  e2e::buffer<float> c(M * N);
  for (int launch = 0; launch < 2; ++launch) { // the second one uses the memory of the first
    gram<BM, BN, BK><<<dim3(tt::cdiv(M, BM), tt::cdiv(N, BN))>>>(a.data(), b.data(), c.data(), M, N, K);
    c.expect(e2e::tolerance{1e-3, 1e-5}, [&](int i) {
      double sum = 0;
      for (int k = 0; k < K; ++k)
        sum += double(float(a[k * M + i / N])) * double(float(b[k * N + i % N]));
      return sum;
    });
  }
}

template <int R, int S> static void check_weights(int N, int H, int W, int C, int K) {
  constexpr int BM = 64, BN = 32;
  e2e::context("weights %dx%d of %dx%dx%dx%d to %d", R, S, N, H, W, C, K);
  e2e::buffer<T> x(N * H * W * C, small), dy(N * H * W * K, small);
  e2e::buffer<float> dw(K * R * S * C);
  dim3 programs(tt::cdiv(K, BM), tt::cdiv(R * S * C, BN));
  for (int launch = 0; launch < 2; ++launch) {
    weights<R, S, BM, BN, 64><<<programs>>>(x.data(), dy.data(), dw.data(), N, H, W, C, K);
    dw.expect(e2e::tolerance{1e-3, 1e-5}, [&](int i) {
      int c = i % C, s = i / C % S, r = i / C / S % R, k = i / C / S / R;
      double sum = 0;
      for (int n = 0; n < N; ++n)
        for (int h = std::max(0, R / 2 - r); h < std::min(H, H + R / 2 - r); ++h)
          for (int w = std::max(0, S / 2 - s); w < std::min(W, W + S / 2 - s); ++w)
            sum += double(float(dy[((n * H + h) * W + w) * K + k])) *
                   double(float(x[((n * H + h + r - R / 2) * W + w + s - S / 2) * C + c]));
      return sum;
    });
  }
}

int main() {
  return e2e::run("split-clusters", [] {
    check<64, 32, 64>(64, 32, 16384); // two of four clusters have iterations
    check<64, 32, 64>(72, 24, 12000); // two programs, and rows and columns that do not exist
    check<64, 32, 64>(64, 32, 1000); // one part
    check_weights<1, 3>(12, 25, 32, 32, 64);
  });
}
