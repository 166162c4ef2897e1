// If the last programs of a launch do not use all multiprocessors, a second launch runs them, by a variant for few
// programs (targets/nvidia/hopper/NumberPrograms.cpp). The emulator has a multiprocessor for each of its four threads,
// so the last of five programs is divided into halves or quarters. Grids have one, two and three axes.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90
// RUN: env TILECC_NUM_THREADS=4 TILECC_EMU_PROFILE=%t.json %emulate %t.90 && FileCheck %s --check-prefix=PROFILE < %t.json
// RUN: env TILECC_NUM_THREADS=4 %emulate_at_random %t.90
// RUN: env TILECC_NUM_THREADS=2 %emulate %t.90
// PROFILE-DAG: $a8_halves
// PROFILE-DAG: $a8_quarters

#include "support/check.h"

using T = tt::bfloat16;

/// C = A B + bias in a grid of rows and columns, and of batches.
template <int BM, int BN, int BK>
__tile_global__ void grid(const T *a, const T *b, const float *bias, float *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  int batch = tt::program_id(2);
  auto start = tt::load(bias + n, n < N, 0.0f);
  auto pa = a + (batch * M * K + m.col() * K + k.row());
  auto pb = b + (k.col() * N + n.row());
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto x = tt::load(pa, (m < M).col() && k.row() < K - i, T(0));
    acc = tt::dot(x, tt::load(pb, k.col() < K - i && (n < N).row(), T(0)), acc);
    pa += BK;
    pb += BK * N;
  }
  tt::store(c + (batch * M * N + m.col() * N + n.row()), acc + start.row(), (m < M).col() && (n < N).row());
}

/// The same in a grid of one axis, in groups of two rows of tiles, as in Triton's tutorial.
template <int BM, int BN, int BK>
__tile_global__ void groups(const T *a, const T *b, const float *bias, float *c, int M, int N, int K) {
  int columns = tt::cdiv(N, BN), rows = tt::cdiv(M, BM), group = tt::program_id(0) / (2 * columns);
  int size = tt::minimum(rows - 2 * group, 2), inside = tt::program_id(0) % (2 * columns);
  auto m = (2 * group + inside % size) * BM + tt::arange<BM>();
  auto n = inside / size * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    acc = tt::dot(x, tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0)), acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc + tt::load(bias + n, n < N, 0.0f).row(), (m < M).col() && (n < N).row());
}

/// A convolution of 3x3 pixels with a padding of 1, whose blocks run several programs: x [N, H, W, C], w [9 * C, K].
template <int BM, int BN, int BK>
__tile_global__ void convolve(const T *x, const T *w, float *out, int N, int H, int W, int C, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto image = m / (H * W), p = m / W % H, q = m % W;
  auto acc = tt::zeros<float, BM, BN>();
  for (int from = 0; from < 9 * C; from += BK) {
    auto k = from + tt::arange<BK>();
    auto h = (p - 1).col() + (k / C / 3).row(), v = (q - 1).col() + (k / C % 3).row();
    auto inside = (m < N * H * W).col() && h >= 0 && h < H && v >= 0 && v < W && (k < 9 * C).row();
    auto pixels = tt::load(x + (((image.col() * H + h) * W + v) * C + (k % C).row()), inside, T(0));
    auto weights = tt::load(w + (k.col() * K + n.row()), (k < 9 * C).col() && (n < K).row(), T(0));
    acc = tt::dot(pixels, weights, acc);
  }
  tt::store(out + (m.col() * K + n.row()), acc, (m < N * H * W).col() && (n < K).row());
}

static T small(int) { return T(float(int(e2e::random_bits() % 9) - 4) / 4); }

template <class Launch> static void check(const char *name, int batches, int M, int N, int K, Launch launch) {
  e2e::context("%s: %d of %dx%dx%d", name, batches, M, N, K);
  e2e::buffer<T> a(batches * M * K, small), b(K * N, small);
  e2e::buffer<float> c(batches * M * N), bias(N, [](int i) { return float(i % 7) - 3; });
  launch(a.data(), b.data(), bias.data(), c.data());
  c.expect(e2e::tolerance{1e-3, 1e-5}, [&](int i) {
    double sum = bias[i % N];
    for (int k = 0; k < K; ++k)
      sum += double(float(a[i / N * K + k])) * double(float(b[k * N + i % N]));
    return sum;
  });
}

static void checkConvolution(int N, int H, int W, int C, int K) {
  e2e::context("convolution: %dx%dx%dx%d to %d", N, H, W, C, K);
  e2e::buffer<T> x(N * H * W * C, small), w(9 * C * K, small);
  e2e::buffer<float> out(N * H * W * K);
  convolve<128, 128, 32><<<dim3(tt::cdiv(N * H * W, 128), tt::cdiv(K, 128))>>>(x.data(), w.data(), out.data(), N, H, W, C, K);
  out.expect(e2e::tolerance{1e-3, 1e-5}, [&](int i) {
    int k = i % K, q = i / K % W, p = i / K / W % H, n = i / K / W / H;
    double sum = 0;
    for (int tap = 0; tap < 9; ++tap)
      if (int h = p + tap / 3 - 1, v = q + tap % 3 - 1; h >= 0 && h < H && v >= 0 && v < W)
        for (int c = 0; c < C; ++c)
          sum += double(float(x[((n * H + h) * W + v) * C + c])) * double(float(w[(tap * C + c) * K + k]));
    return sum;
  });
}

int main() {
  return e2e::run("split-tails", [] {
    const int sizes[][3] = {{640, 120, 136}, {384, 256, 64}, {520, 128, 72}};
    for (auto [M, N, K] : sizes) {
      check("grid", 1, M, N, K, [&](T *a, T *b, float *bias, float *c) {
        grid<128, 128, 32><<<dim3(tt::cdiv(M, 128), tt::cdiv(N, 128))>>>(a, b, bias, c, M, N, K);
      });
      check("groups", 1, M, N, K, [&](T *a, T *b, float *bias, float *c) {
        groups<128, 128, 64><<<unsigned(tt::cdiv(M, 128) * tt::cdiv(N, 128))>>>(a, b, bias, c, M, N, K);
      });
    }
    check("grid", 3, 256, 128, 72, [&](T *a, T *b, float *bias, float *c) {
      grid<128, 128, 32><<<dim3(2, 1, 3)>>>(a, b, bias, c, 256, 128, 72);
    });
    check("groups", 1, 640, 256, 64, [&](T *a, T *b, float *bias, float *c) {
      groups<128, 256, 64><<<5>>>(a, b, bias, c, 640, 256, 64);
    });
    checkConvolution(10, 8, 8, 32, 128);
    checkConvolution(9, 8, 8, 32, 200);
  });
}
