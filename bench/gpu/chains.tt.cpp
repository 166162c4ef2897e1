// Chains of launches in one stream, each of which depends on the one before, as in the layers of a language model: the
// feed-forward part of a decoder, and additions. The kernels are written as in tutorials, without attributes.
// bench/gpu/chains.py compares them with torch and with Triton:
//   tcc -O2 -shared -fPIC chains.tt.cpp -o libchains.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

using T = tt::bfloat16;

/// residual += x; out = residual / rms(residual) * w.
template <int BLOCK> __tile_global__ void add_rms_norm(const T *x, T *residual, const T *w, T *out, int columns, float epsilon) {
  int row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  auto mask = i < columns;
  auto sum = tt::load(x + row * columns + i, mask, T(0)).template to<float>() +
             tt::load(residual + row * columns + i, mask, T(0)).template to<float>();
  tt::store(residual + row * columns + i, sum.template to<T>(), mask);
  float scale = tt::rsqrt(tt::sum(sum * sum) / float(columns) + epsilon);
  tt::store(out + row * columns + i, (sum * scale * tt::load(w + i, mask, T(0)).template to<float>()).template to<T>(), mask);
}

/// out = silu(x[:, :width]) * x[:, width:].
template <int BLOCK> __tile_global__ void silu_and_mul(const T *x, T *out, int width) {
  int row = tt::program_id(0);
  auto i = tt::program_id(1) * BLOCK + tt::arange<BLOCK>();
  auto gate = tt::load(x + row * 2 * width + i, i < width, T(0)).template to<float>();
  auto up = tt::load(x + row * 2 * width + width + i, i < width, T(0)).template to<float>();
  tt::store(out + row * width + i, (gate / (1.0f + tt::exp(-gate)) * up).template to<T>(), i < width);
}

/// c = a b^T, where b is [N, K], as in torch's linear.
template <int BM, int BN, int BK> __tile_global__ void linear(const T *a, const T *b, T *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    auto y = tt::load(b + (n.row() * K + k.col()), (n < N).row() && (k < K).col(), T(0));
    acc = tt::dot(x, y, acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc.template to<T>(), (m < M).col() && (n < N).row());
}

__tile_global__ void add(const float *x, const float *y, float *out, int n) {
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  tt::store(out + i, tt::load(x + i, i < n) + tt::load(y + i, i < n), i < n);
}

static void multiply(const T *a, const T *b, T *c, int m, int n, int k, ttStream_t stream) {
  linear<128, 128, 64><<<dim3(tt::cdiv(m, 128), tt::cdiv(n, 128)), stream>>>(a, b, c, m, n, k);
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }

/// Runs `layers` layers; those have weights of their own. x, residual, normed: [rows, width]; gates: [rows, 2 inner];
/// hidden: [rows, inner]; w: [layers, width]; up: [layers, 2 inner, width]; down: [layers, width, inner].
extern "C" int bench_layers(T *x, T *residual, const T *w, T *normed, const T *up, T *gates, T *hidden, const T *down,
                            int rows, int width, int inner, int layers, ttStream_t stream) {
  for (int i = 0; i < layers; ++i) {
    add_rms_norm<4096><<<rows, stream>>>(x, residual, w + size_t(i) * width, normed, width, 1e-6f);
    multiply(normed, up + size_t(i) * 2 * inner * width, gates, rows, 2 * inner, width, stream);
    silu_and_mul<1024><<<dim3(rows, tt::cdiv(inner, 1024)), stream>>>(gates, hidden, inner);
    multiply(hidden, down + size_t(i) * width * inner, x, rows, width, inner, stream);
  }
  return ttGetLastError();
}

/// y += x and x += y, in turn.
extern "C" int bench_adds(float *x, float *y, int n, int count, ttStream_t stream) {
  for (int i = 0; i < count; ++i)
    add<<<tt::cdiv(n, 1024), stream>>>(x, y, i % 2 ? x : y, n);
  return ttGetLastError();
}
