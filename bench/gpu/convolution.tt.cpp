// Convolutions of images [N, H, W, C] as users write them, as matrix products: rows are pixels, whose coordinates are
// computed with / and %. The program times each with several tile sizes, checks samples of the output against the
// definition, and prints the fastest:
//   tcc -O2 -arch=sm_90 convolution.tt.cpp -o convolution && ./convolution
// With --tensor-maps=false, threads do the copies. bench/gpu/convolution.py opens the same source as a shared library
// and compares it with cuDNN:
//   tcc -O2 -arch=sm_90 -shared -fPIC convolution.tt.cpp -o libconvolution.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using T = tt::bfloat16;

/// w: [R, S, C, K]; out: [N, P, Q, K].
template <int R, int S, int STEP, int PADDING, int BM, int BN, int BK, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void
convolve(const T *x, const T *w, T *out, int N, int H, int W, int C, int K, int P, int Q) {
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

#define TILES(RUN, R, S, STEP, PADDING)                                                                                \
  RUN("128x128x64, 4 warps, 3 stages", R, S, STEP, PADDING, 128, 128, 64, 4, 3)                                        \
  RUN("128x128x64, 8 warps, 4 stages", R, S, STEP, PADDING, 128, 128, 64, 8, 4)                                        \
  RUN("128x256x64, 8 warps, 3 stages", R, S, STEP, PADDING, 128, 256, 64, 8, 3)                                        \
  RUN("256x128x64, 8 warps, 3 stages", R, S, STEP, PADDING, 256, 128, 64, 8, 3)                                        \
  RUN("128x64x64, 4 warps, 4 stages", R, S, STEP, PADDING, 128, 64, 64, 4, 4)

/// Launches the convolution `name` with the tile configuration `tile`.
extern "C" int bench_convolution(const char *name, const char *tile, const T *x, const T *w, T *out, int N, int H,
                                 int W, int C, int K, int P, int Q, ttStream_t stream) {
  std::string_view kind = name, wanted = tile;
#define RUN(TILE, R, S, STEP, PADDING, BM, BN, BK, WARPS, STAGES)                                                      \
  if (wanted == TILE) {                                                                                                \
    dim3 grid(tt::cdiv(N * P * Q, BM) * tt::cdiv(K, BN));                                                              \
    convolve<R, S, STEP, PADDING, BM, BN, BK, WARPS, STAGES><<<grid, stream>>>(x, w, out, N, H, W, C, K, P, Q);        \
    return ttGetLastError();                                                                                           \
  }
  if (kind == "3x3") {
    TILES(RUN, 3, 3, 1, 1)
  } else if (kind == "3x3 step 2") {
    TILES(RUN, 3, 3, 2, 1)
  } else if (kind == "1x1") {
    TILES(RUN, 1, 1, 1, 0)
  } else if (kind == "1x1 step 2") {
    TILES(RUN, 1, 1, 2, 0)
  }
#undef RUN
  return ttErrorInvalidValue;
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }

namespace {

void check(ttError_t error) {
  if (error == ttSuccess)
    return;
  std::fprintf(stderr, "%s\n", ttGetLastErrorMessage());
  std::exit(1);
}

struct Buffer {
  std::vector<T> host;
  T *device = nullptr;
  explicit Buffer(size_t count) : host(count) {
    check(ttMalloc(reinterpret_cast<void **>(&device), count * sizeof(T)));
  }
  Buffer(const Buffer &) = delete;
  ~Buffer() { ttFree(device); }
  void fill() {
    for (T &value : host)
      value = T(float(std::rand() % 2001 - 1000) / 1000);
    check(ttMemcpy(device, host.data(), host.size() * sizeof(T), ttMemcpyHostToDevice));
  }
};

struct Shape {
  int N, H, W, C, K, P, Q;
};

struct Kind {
  const char *name;
  int R, S, step, padding;
};

/// The largest error of sampled outputs, relative to the rounding error of their terms.
double worstOf(const Kind &kind, const Shape &s, const Buffer &x, const Buffer &w, Buffer &out) {
  check(ttMemcpy(out.host.data(), out.device, out.host.size() * sizeof(T), ttMemcpyDeviceToHost));
  double worst = 0;
  for (int sample = 0; sample < 4000; ++sample) {
    // Includes the first and last rows of tiles, and rows at image edges.
    size_t rows = size_t(s.N) * s.P * s.Q, row = sample < 1000   ? sample % rows
                                                 : sample < 2000 ? rows - 1 - sample % rows
                                                                 : (size_t(std::rand()) * 32768 + std::rand()) % rows;
    int k = std::rand() % s.K, q = row % s.Q, p = row / s.Q % s.P, n = row / s.Q / s.P;
    double sum = 0, size = 1;
    for (int r = 0; r < kind.R; ++r)
      for (int t = 0; t < kind.S; ++t) {
        int h = p * kind.step - kind.padding + r, v = q * kind.step - kind.padding + t;
        for (int c = 0; c < s.C && h >= 0 && h < s.H && v >= 0 && v < s.W; ++c) {
          double term = double(float(x.host[((size_t(n) * s.H + h) * s.W + v) * s.C + c])) *
                        double(float(w.host[(size_t(r * kind.S + t) * s.C + c) * s.K + k]));
          sum += term;
          size += std::abs(term) / 64;
        }
      }
    double difference = std::abs(double(float(out.host[row * s.K + k])) - sum) / std::max(std::abs(sum), size);
    worst = std::isnan(difference) ? 1e30 : std::max(worst, difference);
  }
  return worst;
}

double microseconds(const Kind &kind, const char *tile, const Shape &s, const Buffer &x, const Buffer &w,
                    const Buffer &out) {
  ttEvent_t begin, end;
  check(ttEventCreate(&begin));
  check(ttEventCreate(&end));
  std::vector<float> times;
  for (int round = 0; round < 23; ++round) {
    constexpr int calls = 10;
    check(ttEventRecord(begin, nullptr));
    for (int call = 0; call < calls; ++call)
      check(ttError_t(bench_convolution(kind.name, tile, x.device, w.device, out.device, s.N, s.H, s.W, s.C, s.K, s.P,
                                        s.Q, nullptr)));
    check(ttEventRecord(end, nullptr));
    check(ttEventSynchronize(end));
    float milliseconds;
    check(ttEventElapsedTime(&milliseconds, begin, end));
    if (round >= 3) // after the warm-up
      times.push_back(milliseconds * 1000 / calls);
  }
  ttEventDestroy(begin);
  ttEventDestroy(end);
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

} // namespace

int main() {
  const Kind kinds[] = {
      {"3x3", 3, 3, 1, 1}, {"3x3 step 2", 3, 3, 2, 1}, {"1x1", 1, 1, 1, 0}, {"1x1 step 2", 1, 1, 2, 0}};
  const Shape sizes[] = {{32, 56, 56, 128, 256, 0, 0},
                         {32, 28, 28, 256, 256, 0, 0},
                         {32, 14, 14, 256, 512, 0, 0},
                         {32, 56, 56, 64, 64, 0, 0}};
  bool isRight = true;
  for (const Kind &kind : kinds)
    for (Shape s : sizes) {
      s.P = (s.H + 2 * kind.padding - kind.R) / kind.step + 1;
      s.Q = (s.W + 2 * kind.padding - kind.S) / kind.step + 1;
      size_t outputs = size_t(s.N) * s.P * s.Q * s.K;
      Buffer x(size_t(s.N) * s.H * s.W * s.C), w(size_t(kind.R) * kind.S * s.C * s.K), out(outputs);
      x.fill();
      w.fill();
      std::string best;
      double least = 1e30;
#define RUN(TILE, ...)                                                                                                 \
  {                                                                                                                    \
    check(ttMemset(out.device, 0xff, outputs * sizeof(T)));                                                            \
    check(ttError_t(bench_convolution(kind.name, TILE, x.device, w.device, out.device, s.N, s.H, s.W, s.C, s.K, s.P, s.Q, nullptr))); \
    double off = worstOf(kind, s, x, w, out);                                                                          \
    if (off > 1.0 / 64) {                                                                                              \
      std::printf("%s %dx%dx%dx%d to %d, %s: WRONG, off by %g\n", kind.name, s.N, s.H, s.W, s.C, s.K, TILE, off);      \
      isRight = false;                                                                                                 \
    }                                                                                                                  \
    double time = microseconds(kind, TILE, s, x, w, out);                                                              \
    std::printf("  %s: %.1f us\n", TILE, time);                                                                        \
    if (time < least)                                                                                                  \
      least = time, best = TILE;                                                                                       \
  }
      TILES(RUN, , , , )
#undef RUN
      std::printf("%s %dx%dx%dx%d to %d: %.1f us, %.0f TFLOP/s (%s)\n", kind.name, s.N, s.H, s.W, s.C, s.K, least,
                  2.0 * outputs * kind.R * kind.S * s.C / least / 1e6, best.c_str());
      std::fflush(stdout);
    }
  return isRight ? 0 : 1;
}
