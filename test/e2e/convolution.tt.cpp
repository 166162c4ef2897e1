// Tests convolutions in plain source: matrix multiplications whose rows are pixels, with coordinates computed by / and
// %. On sm_90, the tensor memory accelerator copies the pixels (im2col mode), provided that the launch finds that its
// arguments allow this.
// RUN: %tcc -O2 %s -o %t
// RUN: %emulate %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %tcc -O2 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90

#include "support/check.h"

using T = tt::bfloat16;

/// Images x [N, H, W, C] with weights w [C * R * S, K], one row per (r, s, c), give out [N, P, Q, K]. R, S, strides and
/// padding are known at compile time, sizes at the launch.
template <int R, int S, int STEP, int PADDING, int BM, int BN, int BK>
[[tt::num_warps(4), tt::num_stages(3)]] __tile_global__ void convolve(const T *x, const T *w, T *out, int N, int H,
                                                                      int W, int C, int K, int P, int Q) {
  int M = N * P * Q, columns = tt::cdiv(K, BN), pid = tt::program_id(0);
  auto m = pid / columns * BM + tt::arange<BM>();
  auto n = pid % columns * BN + tt::arange<BN>();
  auto image = m / (P * Q), p = m / Q % P, q = m % Q;
  auto acc = tt::zeros<float, BM, BN>();
  for (int from = 0; from < R * S * C; from += BK) {
    auto k = from + tt::arange<BK>();
    auto c = k % C, s = k / C % S, r = k / C / S;
    auto h = (p * STEP - PADDING).col() + r.row(), v = (q * STEP - PADDING).col() + s.row();
    auto pixels = tt::load(x + (((image.col() * H + h) * W + v) * C + c.row()),
                           (m < M).col() && h >= 0 && h < H && v >= 0 && v < W && (k < R * S * C).row(), T(0));
    auto weights = tt::load(w + (k.col() * K + n.row()), (k < R * S * C).col() && (n < K).row(), T(0));
    acc = tt::dot(pixels, weights, acc);
  }
  tt::store(out + (m.col() * K + n.row()), acc.template to<T>(), (m < M).col() && (n < K).row());
}

/// The same with a loop over parts of the channels of each (r, s), and all sizes known at the launch only.
template <int BM, int BN, int BK>
[[tt::num_warps(4), tt::num_stages(3)]] __tile_global__ void convolve_by_taps(const T *x, const T *w, T *out, int N,
                                                                              int H, int W, int C, int K, int R, int S,
                                                                              int step, int padding, int spread) {
  int P = (H + 2 * padding - spread * (R - 1) - 1) / step + 1, Q = (W + 2 * padding - spread * (S - 1) - 1) / step + 1;
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto q = m % Q, rest = m / Q, p = rest % P, image = rest / P;
  auto acc = tt::zeros<float, BM, BN>();
  int parts = tt::cdiv(C, BK);
  for (int i = 0; i < R * S * parts; ++i) {
    int tap = i / parts, r = tap / S, s = tap % S;
    auto c = i % parts * BK + tt::arange<BK>();
    auto h = p * step + r * spread - padding, v = q * step + s * spread - padding;
    auto inside = image < N && h >= 0 && h < H && v >= 0 && v < W;
    auto pixels = tt::load(x + (((image * H + h) * W + v).col() * C + c.row()), inside.col() && (c < C).row(), T(0));
    auto weights = tt::load(w + ((tap * C + c).col() * K + n.row()), (c < C).col() && (n < K).row(), T(0));
    acc = tt::dot(pixels, weights, acc);
  }
  tt::store(out + (m.col() * K + n.row()), acc.template to<T>(), (m < N * P * Q).col() && (n < K).row());
}

/// Gradients of images: dx [N, H, W, C] of dy [N, P, Q, K], with weights [K * R * S, C], for steps of 1. The filter is
/// visited backwards.
template <int R, int S, int PADDING, int BM, int BN, int BK>
[[tt::num_warps(4), tt::num_stages(3)]] __tile_global__ void
gradients_of_images(const T *dy, const T *w, T *dx, int N, int H, int W, int C, int K, int P, int Q) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto image = m / (H * W), h = m / W % H, v = m % W;
  auto acc = tt::zeros<float, BM, BN>();
  for (int from = 0; from < R * S * K; from += BK) {
    auto i = from + tt::arange<BK>();
    auto k = i % K, s = i / K % S, r = i / K / S;
    auto p = (h + PADDING).col() - r.row(), q = (v + PADDING).col() - s.row();
    auto inside = (m < N * H * W).col() && p >= 0 && p < P && q >= 0 && q < Q;
    auto pixels = tt::load(dy + (((image.col() * P + p) * Q + q) * K + k.row()), inside, T(0));
    acc = tt::dot(pixels, tt::load(w + (i.col() * C + n.row()), (i < R * S * K).col() && (n < C).row(), T(0)), acc);
  }
  tt::store(dx + (m.col() * C + n.row()), acc.template to<T>(), (m < N * H * W).col() && (n < C).row());
}

/// Gradients of weights: dw [K, R * S * C] of x [N, H, W, C] and dy [N, P, Q, K].
template <int R, int S, int STEP, int PADDING, int BM, int BN, int BK>
[[tt::num_warps(4), tt::num_stages(3)]] __tile_global__ void
gradients_of_weights(const T *x, const T *dy, T *dw, int N, int H, int W, int C, int K, int P, int Q) {
  auto k = tt::program_id(0) * BM + tt::arange<BM>();
  auto d = tt::program_id(1) * BN + tt::arange<BN>();
  auto c = d % C, s = d / C % S, r = d / C / S;
  auto acc = tt::zeros<float, BM, BN>();
  for (int from = 0; from < N * P * Q; from += BK) {
    auto m = from + tt::arange<BK>();
    auto image = m / (P * Q), p = m / Q % P, q = m % Q;
    auto h = (p * STEP - PADDING).col() + r.row(), v = (q * STEP - PADDING).col() + s.row();
    auto inside = (m < N * P * Q).col() && h >= 0 && h < H && v >= 0 && v < W && (d < R * S * C).row();
    auto pixels = tt::load(x + (((image.col() * H + h) * W + v) * C + c.row()), inside, T(0));
    acc = tt::dot(tt::load(dy + (m.row() * K + k.col()), (m < N * P * Q).row() && (k < K).col(), T(0)), pixels, acc);
  }
  tt::store(dw + (k.col() * (R * S * C) + d.row()), acc.template to<T>(), (k < K).col() && (d < R * S * C).row());
}

struct Shape {
  int N, H, W, C, K, R, S, step, padding, spread = 1;
  int P() const { return (H + 2 * padding - spread * (R - 1) - 1) / step + 1; }
  int Q() const { return (W + 2 * padding - spread * (S - 1) - 1) / step + 1; }
  int M() const { return N * P() * Q(); }
};

template <class Launch> void check(const char *name, Shape shape, Launch launch) {
  auto [N, H, W, C, K, R, S, step, padding, spread] = shape;
  int P = shape.P(), Q = shape.Q();
  e2e::context("%s: %dx%dx%dx%d to %d, %dx%d, step %d, padding %d, spread %d", name, N, H, W, C, K, R, S, step, padding,
               spread);
  auto small = [](int) { return T(float(int(e2e::random_bits() % 9) - 4) / 4); };
  e2e::buffer<T> x(N * H * W * C, small), w(R * S * C * K, small), out(shape.M() * K);
  launch(x.data(), w.data(), out.data());
  out.expect(e2e::tolerance{1, 2e-2}, [&](int i) {
    int k = i % K, q = i / K % Q, p = i / K / Q % P, n = i / K / Q / P;
    double sum = 0;
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < S; ++s) {
        int h = p * step + r * spread - padding, v = q * step + s * spread - padding;
        if (h >= 0 && h < H && v >= 0 && v < W)
          for (int c = 0; c < C; ++c)
            sum += double(float(x[((n * H + h) * W + v) * C + c])) * double(float(w[((r * S + s) * C + c) * K + k]));
      }
    return sum;
  });
}

template <int R, int S, int STEP, int PADDING> void check(int N, int H, int W, int C, int K) {
  Shape shape = {N, H, W, C, K, R, S, STEP, PADDING};
  int P = shape.P(), Q = shape.Q();
  check("convolve", shape, [&](T *x, T *w, T *out) {
    int blocks = tt::cdiv(shape.M(), 128) * tt::cdiv(K, 64);
    convolve<R, S, STEP, PADDING, 128, 64, 32><<<blocks>>>(x, w, out, N, H, W, C, K, P, Q);
  });
}

void check_by_taps(Shape shape) {
  check("convolve_by_taps", shape, [&](T *x, T *w, T *out) {
    dim3 blocks(tt::cdiv(shape.M(), 64), tt::cdiv(shape.K, 64));
    convolve_by_taps<64, 64, 32><<<blocks>>>(x, w, out, shape.N, shape.H, shape.W, shape.C, shape.K, shape.R, shape.S,
                                             shape.step, shape.padding, shape.spread);
  });
}

template <int R, int S, int PADDING> void check_gradients(int N, int H, int W, int C, int K) {
  int P = H + 2 * PADDING - R + 1, Q = W + 2 * PADDING - S + 1;
  e2e::context("gradients: %dx%dx%dx%d to %d, %dx%d, padding %d", N, H, W, C, K, R, S, PADDING);
  auto small = [](int) { return T(float(int(e2e::random_bits() % 9) - 4) / 4); };
  e2e::buffer<T> x(N * H * W * C, small), w(R * S * K * C, small), dy(N * P * Q * K, small), dx(N * H * W * C),
      dw(K * R * S * C);
  dim3 images(tt::cdiv(N * H * W, 64), tt::cdiv(C, 64)), weights(tt::cdiv(K, 64), tt::cdiv(R * S * C, 32));
  gradients_of_images<R, S, PADDING, 64, 64, 32><<<images>>>(dy.data(), w.data(), dx.data(), N, H, W, C, K, P, Q);
  gradients_of_weights<R, S, 1, PADDING, 64, 32, 64><<<weights>>>(x.data(), dy.data(), dw.data(), N, H, W, C, K, P, Q);
  auto at = [&](const e2e::buffer<T> &image, int n, int h, int v, int c, int rows, int columns, int channels) {
    bool isInside = h >= 0 && h < rows && v >= 0 && v < columns;
    return isInside ? double(float(image[((n * rows + h) * columns + v) * channels + c])) : 0.0;
  };
  dx.expect(e2e::tolerance{1, 2e-2}, [&](int i) {
    int c = i % C, v = i / C % W, h = i / C / W % H, n = i / C / W / H;
    double sum = 0;
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < S; ++s)
        for (int k = 0; k < K; ++k)
          sum += at(dy, n, h + PADDING - r, v + PADDING - s, k, P, Q, K) *
                 double(float(w[((r * S + s) * K + k) * C + c]));
    return sum;
  });
  dw.expect(e2e::tolerance{1, 2e-2}, [&](int i) {
    int c = i % C, s = i / C % S, r = i / C / S % R, k = i / C / S / R;
    double sum = 0;
    for (int n = 0; n < N; ++n)
      for (int p = 0; p < P; ++p)
        for (int q = 0; q < Q; ++q)
          sum += at(x, n, p + r - PADDING, q + s - PADDING, c, H, W, C) * at(dy, n, p, q, k, P, Q, K);
    return sum;
  });
}

int main() {
  return e2e::run("convolution", [] {
    // All sizes are multiples of 8 or 16: the variant that copies pixels runs.
    check<3, 3, 1, 1>(2, 8, 8, 32, 64);
    check<3, 3, 1, 1>(3, 16, 8, 64, 64); // the last block of rows is ragged
    check<1, 1, 1, 0>(16, 8, 8, 32, 64);
    check<3, 3, 2, 1>(8, 16, 16, 32, 64);
    check<2, 2, 2, 0>(8, 16, 16, 32, 64);
    check<5, 1, 1, 0>(8, 12, 8, 32, 64);
    // The launch finds that blocks of columns would belong to two pixels, or that rows are not multiples of 16 bytes.
    check<3, 3, 1, 1>(1, 8, 8, 48, 64);
    check<3, 3, 1, 1>(1, 7, 9, 13, 40);
    check<7, 7, 2, 3>(1, 16, 16, 3, 64);
    check_by_taps({8, 8, 8, 32, 64, 1, 1, 1, 0});
    check_by_taps({2, 8, 8, 64, 64, 3, 3, 1, 1});
    check_by_taps({1, 9, 7, 40, 64, 3, 3, 1, 1});
    check_by_taps({2, 16, 24, 32, 64, 3, 3, 2, 1});
    check_by_taps({2, 16, 24, 32, 64, 3, 3, 1, 2, 2});
    check_gradients<3, 3, 1>(2, 9, 7, 32, 64);
    check_gradients<3, 2, 0>(3, 8, 6, 64, 32);
    check_gradients<1, 1, 0>(2, 8, 6, 40, 64);
  });
}
