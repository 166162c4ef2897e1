// Gradients of convolutions of images [N, H, W, C], with steps of 1, as users write them: the loops of
// convolution.tt.cpp. bench/gpu/gradients.py compares them with cuDNN:
//   tcc -O2 -shared -fPIC gradients.tt.cpp -o libgradients.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

#include <string_view>

using T = tt::bfloat16;

/// dx [N, H, W, C] of dy [N, P, Q, K] and w [R, S, K, C]. The filter is visited backwards.
template <int R, int S, int PADDING, int BM, int BN, int BK, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void
of_images(const T *dy, const T *w, T *dx, int N, int H, int W, int C, int K, int P, int Q) {
  int columns = tt::cdiv(C, BN), pid = tt::program_id(0);
  auto m = pid / columns * BM + tt::arange<BM>();
  auto n = pid % columns * BN + tt::arange<BN>();
  auto image = m / (H * W), h = m / W % H, v = m % W;
  auto acc = tt::zeros<float, BM, BN>();
  for (int from = 0; from < R * S * K; from += BK) {
    auto i = from + tt::arange<BK>();
    auto k = i % K, s = i / K % S, r = i / K / S;
    auto p = (h + PADDING).col() - r.row(), q = (v + PADDING).col() - s.row();
    auto inside = (m < N * H * W).col() && p >= 0 && p < P && q >= 0 && q < Q;
    auto pixels = tt::load(dy + (((image.col() * P + p) * Q + q) * K + k.row()), inside, T(0));
    auto weights = tt::load(w + (i.col() * C + n.row()), (i < R * S * K).col() && (n < C).row(), T(0));
    acc = tt::dot(pixels, weights, acc);
  }
  tt::store(dx + (m.col() * C + n.row()), acc.template to<T>(), (m < N * H * W).col() && (n < C).row());
}

/// dw [K, R, S, C] of x [N, H, W, C] and dy [N, P, Q, K]: few tiles, whose loops run over all pixels.
template <int R, int S, int PADDING, int BM, int BN, int BK, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void
of_weights(const T *x, const T *dy, T *dw, int N, int H, int W, int C, int K, int P, int Q) {
  int M = N * P * Q;
  auto k = tt::program_id(0) * BM + tt::arange<BM>();
  auto d = tt::program_id(1) * BN + tt::arange<BN>();
  auto c = d % C, s = d / C % S, r = d / C / S;
  auto acc = tt::zeros<float, BM, BN>();
  for (int from = 0; from < M; from += BK) {
    auto m = from + tt::arange<BK>();
    auto image = m / (P * Q);
    auto h = (m / Q % P - PADDING).col() + r.row(), v = (m % Q - PADDING).col() + s.row();
    auto inside = (m < M).col() && h >= 0 && h < H && v >= 0 && v < W && (d < R * S * C).row();
    auto pixels = tt::load(x + (((image.col() * H + h) * W + v) * C + c.row()), inside, T(0));
    auto gradients = tt::load(dy + (m.row() * K + k.col()), (m < M).row() && (k < K).col(), T(0));
    acc = tt::dot(gradients, pixels, acc);
  }
  tt::store(dw + (k.col() * (R * S * C) + d.row()), acc.template to<T>(), (k < K).col() && (d < R * S * C).row());
}

/// Launches a gradient of a convolution with a filter of `r` x `r` pixels, with the tile configuration `tile`.
extern "C" int bench_gradient(const char *what, int r, const char *tile, const T *a, const T *b, T *out, int N, int H,
                              int W, int C, int K, ttStream_t stream) {
  std::string_view wanted = tile;
  bool ofImages = std::string_view(what) == "images";
#define RUN(TILE, R, BM, BN, BK, WARPS, STAGES)                                                                        \
  if (r == R && wanted == TILE) {                                                                                      \
    if (ofImages)                                                                                                      \
      of_images<R, R, R / 2, BM, BN, BK, WARPS, STAGES>                                                                \
          <<<tt::cdiv(N * H * W, BM) * tt::cdiv(C, BN), stream>>>(a, b, out, N, H, W, C, K, H, W);                     \
    else                                                                                                               \
      of_weights<R, R, R / 2, BM, BN, BK, WARPS, STAGES>                                                               \
          <<<dim3(tt::cdiv(K, BM), tt::cdiv(R * R * C, BN)), stream>>>(a, b, out, N, H, W, C, K, H, W);                     \
    return ttGetLastError();                                                                                           \
  }
#define TILES(R)                                                                                                       \
  RUN("128x128x64, 4 warps, 3 stages", R, 128, 128, 64, 4, 3)                                                          \
  RUN("128x128x64, 8 warps, 4 stages", R, 128, 128, 64, 8, 4)                                                          \
  RUN("128x256x64, 8 warps, 3 stages", R, 128, 256, 64, 8, 3)                                                          \
  RUN("256x128x64, 8 warps, 3 stages", R, 256, 128, 64, 8, 3)                                                          \
  RUN("128x64x64, 4 warps, 4 stages", R, 128, 64, 64, 4, 4)                                                            \
  RUN("64x64x64, 4 warps, 4 stages", R, 64, 64, 64, 4, 4)
  TILES(3) TILES(1)
  return ttErrorInvalidValue;
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
