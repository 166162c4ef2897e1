// Twenty kernels from tutorials, papers and model code, written straightforwardly and not tuned: no attributes, one
// tile size, and all strides that Triton's users pass. bench/gpu/tutorials.py compares them with the same kernels in
// Triton (tutorials_peers.py) and with torch, in a shared library that Python opens:
//   tcc -O2 -shared -fPIC tutorials.tt.cpp -o libtutorials.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

using T = tt::bfloat16;
constexpr float infinity = __builtin_inff();

/// C = A B, with all strides.
template <int BM, int BN, int BK>
__tile_global__ void matmul(const T *a, const T *b, T *c, int M, int N, int K, int a_m, int a_k, int b_k, int b_n, int c_m, int c_n) {
  auto [pm, pn] = tt::swizzle2d(tt::program_id(0), tt::program_id(1), tt::num_programs(0), tt::num_programs(1), 8);
  auto m = pm * BM + tt::arange<BM>(), n = pn * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto pa = a + (m.col() * a_m + k.row() * a_k);
  auto pb = b + (k.col() * b_k + n.row() * b_n);
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto x = tt::load(pa, (m < M).col() && k.row() < K - i, T(0));
    auto y = tt::load(pb, k.col() < K - i && (n < N).row(), T(0));
    acc = tt::dot(x, y, acc);
    pa += BK * a_k;
    pb += BK * b_k;
  }
  tt::store(c + (m.col() * c_m + n.row() * c_n), acc.template to<T>(), (m < M).col() && (n < N).row());
}

/// C = gelu(A W^T + bias).
template <int BM, int BN, int BK>
__tile_global__ void linear_gelu(const T *a, const T *w, const T *bias, T *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>(), n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    auto y = tt::load(w + (n.row() * K + k.col()), (k < K).col() && (n < N).row(), T(0));
    acc = tt::dot(x, y, acc);
  }
  acc += tt::load(bias + n, n < N, T(0)).template to<float>().row();
  acc = acc * 0.5f * (1.0f + tt::erf(acc * 0.70710678f));
  tt::store(c + (m.col() * N + n.row()), acc.template to<T>(), (m < M).col() && (n < N).row());
}

template <int BLOCK> __tile_global__ void softmax(const T *x, T *out, int x_row, int out_row, int columns) {
  int row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  auto v = tt::load(x + row * x_row + i, i < columns, T(-infinity)).template to<float>();
  auto e = tt::exp(v - tt::max(v));
  tt::store(out + row * out_row + i, (e / tt::sum(e)).template to<T>(), i < columns);
}

/// residual += x; out = residual / rms(residual) * w.
template <int BLOCK> __tile_global__ void add_rms_norm(const T *x, T *residual, const T *w, T *out, int columns, float epsilon) {
  int64_t row = int64_t(tt::program_id(0)) * columns;
  auto i = tt::arange<BLOCK>();
  auto mask = i < columns;
  auto sum = tt::load(x + row + i, mask, T(0)).template to<float>() + tt::load(residual + row + i, mask, T(0)).template to<float>();
  tt::store(residual + row + i, sum.template to<T>(), mask);
  float scale = tt::rsqrt(tt::sum(sum * sum) / columns + epsilon);
  tt::store(out + row + i, (sum * scale * tt::load(w + i, mask, T(0)).template to<float>()).template to<T>(), mask);
}

template <int BLOCK>
__tile_global__ void layer_norm_backward(const T *dy, const T *x, const T *w, const float *mean, const float *rstd, T *dx, int columns) {
  int row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  auto mask = i < columns;
  auto g = tt::load(dy + row * columns + i, mask, T(0)).template to<float>() * tt::load(w + i, mask, T(0)).template to<float>();
  float r = tt::load(rstd + row);
  auto normal = tt::where(mask, (tt::load(x + row * columns + i, mask, T(0)).template to<float>() - tt::load(mean + row)) * r, 0.0f);
  float c1 = tt::sum(normal * g) / columns, c2 = tt::sum(g) / columns;
  tt::store(dx + row * columns + i, ((g - (normal * c1 + c2)) * r).template to<T>(), mask);
}

/// Rotates both halves of each head in place. x: [tokens, heads, 2 * HALF].
template <int HEADS, int HALF> __tile_global__ void rope(T *x, const float *cosines, const float *sines, int heads) {
  int token = tt::program_id(0);
  auto h = tt::arange<HEADS>();
  auto d = tt::arange<HALF>();
  auto c = tt::load(cosines + token * HALF + d).row(), s = tt::load(sines + token * HALF + d).row();
  auto first = x + ((token * heads + h.col()) * (2 * HALF) + d.row());
  auto mask = (h < heads).col();
  auto a = tt::load(first, mask, T(0)).template to<float>(), b = tt::load(first + HALF, mask, T(0)).template to<float>();
  tt::store(first, (a * c - b * s).template to<T>(), mask);
  tt::store(first + HALF, (b * c + a * s).template to<T>(), mask);
}

/// out = silu(x[:, :width]) * x[:, width:].
template <int BLOCK> __tile_global__ void silu_and_mul(const T *x, T *out, int width) {
  int64_t row = tt::program_id(0);
  auto i = tt::program_id(1) * BLOCK + tt::arange<BLOCK>();
  auto gate = tt::load(x + row * 2 * width + i, i < width, T(0)).template to<float>();
  auto up = tt::load(x + row * 2 * width + width + i, i < width, T(0)).template to<float>();
  tt::store(out + row * width + i, (gate * tt::sigmoid(gate) * up).template to<T>(), i < width);
}

template <int BLOCK> __tile_global__ void cross_entropy(const T *logits, const int64_t *labels, float *loss, int columns) {
  int64_t row = tt::program_id(0);
  float largest = -infinity, sum = 0;
  for (int from = 0; from < columns; from += BLOCK) {
    auto i = from + tt::arange<BLOCK>();
    auto v = tt::load(logits + row * columns + i, i < columns, T(-infinity)).template to<float>();
    float next = tt::maximum(largest, tt::max(v));
    sum = sum * tt::exp(largest - next) + tt::sum(tt::exp(v - next));
    largest = next;
  }
  float chosen = float(tt::load(logits + row * columns + tt::load(labels + row)));
  tt::store(loss + row, tt::log(sum) + largest - chosen);
}

template <int BLOCK> __tile_global__ void embedding(const int64_t *tokens, const T *table, T *out, int columns) {
  int64_t row = tt::program_id(0), token = tt::load(tokens + row);
  auto i = tt::arange<BLOCK>();
  tt::store(out + row * columns + i, tt::load(table + token * columns + i, i < columns), i < columns);
}

/// Quantizes rows to 8-bit numbers with one scale per row.
template <int BLOCK> __tile_global__ void quantize_rows(const T *x, int8_t *out, float *scales, int columns) {
  int64_t row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  auto v = tt::load(x + row * columns + i, i < columns, T(0)).template to<float>();
  float scale = tt::max(tt::abs(v)) / 127.0f + 1e-12f;
  tt::store(out + row * columns + i, tt::rint(v / scale).template to<int8_t>(), i < columns);
  tt::store(scales + row, scale);
}

template <int BM, int BN> __tile_global__ void transpose(const T *x, T *out, int M, int N, int x_m, int x_n, int out_n, int out_m) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>(), n = tt::program_id(1) * BN + tt::arange<BN>();
  auto mask = (m < M).col() && (n < N).row();
  auto v = tt::load(x + (m.col() * x_m + n.row() * x_n), mask);
  tt::store(out + (n.row() * out_n + m.col() * out_m), v, mask);
}

template <int BLOCK> __tile_global__ void cumulative_sum(const float *x, float *out, int columns) {
  int64_t row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  tt::store(out + row * columns + i, tt::cumsum(tt::load(x + row * columns + i, i < columns, 0.0f)), i < columns);
}

template <int BLOCK> __tile_global__ void argmax_rows(const T *x, int64_t *out, int columns) {
  int64_t row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  auto v = tt::load(x + row * columns + i, i < columns, T(-infinity)).template to<float>();
  tt::store(out + row, int64_t(tt::argmax<0>(v)));
}

template <int BLOCK> __tile_global__ void dropout(const T *x, T *out, int n, float p, int seed) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto v = tt::load(x + i, i < n, T(0)).template to<float>();
  tt::store(out + i, tt::where(tt::rand(seed, i) > p, v / (1 - p), 0.0f).template to<T>(), i < n);
}

/// y = x W^T for one row of x, with 8-bit weights and a scale for each output.
template <int BN, int BK> __tile_global__ void int8_vector(const T *x, const int8_t *w, const float *scales, T *y, int N, int K) {
  auto n = tt::program_id(0) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BN, BK>();
  for (int from = 0; from < K; from += BK) {
    auto k = from + tt::arange<BK>();
    auto weights = tt::load(w + (n.col() * K + k.row()), (n < N).col() && (k < K).row(), int8_t(0));
    acc += weights.template to<float>() * tt::load(x + k, k < K, T(0)).template to<float>().row();
  }
  tt::store(y + n, (tt::sum<1>(acc) * tt::load(scales + n, n < N, 0.0f)).template to<T>(), n < N);
}

/// Causal convolution with 4 taps along time for each channel, followed by silu, as in Mamba. x, out: [batch, time,
/// channels].
template <int BT, int BC> __tile_global__ void causal_conv(const T *x, const float *w, T *out, int length, int channels) {
  auto t = tt::program_id(0) * BT + tt::arange<BT>();
  auto c = tt::program_id(1) * BC + tt::arange<BC>();
  int64_t base = int64_t(tt::program_id(2)) * length * channels;
  auto acc = tt::zeros<float, BT, BC>();
  for (int tap = 0; tap < 4; ++tap) {
    auto at = t - 3 + tap;
    auto v = tt::load(x + base + (at.col() * channels + c.row()), (at >= 0 && at < length).col() && (c < channels).row(), T(0));
    acc += v.template to<float>() * tt::load(w + c * 4 + tap, c < channels, 0.0f).row();
  }
  tt::store(out + base + (t.col() * channels + c.row()), (acc * tt::sigmoid(acc)).template to<T>(),
            (t < length).col() && (c < channels).row());
}

/// Writes the keys of new tokens to the pages of a cache. keys: [tokens, heads * D], cache: [slots, heads * D].
template <int BLOCK> __tile_global__ void write_cache(const T *keys, T *cache, const int64_t *slots, int columns) {
  int64_t token = tt::program_id(0), slot = tt::load(slots + token);
  auto i = tt::arange<BLOCK>();
  if (slot >= 0)
    tt::store(cache + slot * columns + i, tt::load(keys + token * columns + i, i < columns), i < columns);
}

/// One decoding step: a group of query heads attends to a key head's pages of PAGE tokens. q, out: [batch, key heads,
/// GROUP, D]; cache: [pages, key heads, PAGE, D]; pages: [batch, most].
template <int GROUP, int PAGE, int D>
__tile_global__ void decode(const T *q, const T *keys, const T *values, const int *pages, const int *lengths, T *out, int heads, int most,
                            float scale) {
  int batch = tt::program_id(0), head = tt::program_id(1), length = tt::load(lengths + batch);
  auto g = tt::arange<GROUP>();
  auto d = tt::arange<D>();
  auto n = tt::arange<PAGE>();
  auto rows = (batch * heads + head) * (GROUP * D) + (g.col() * D + d.row());
  auto query = tt::load(q + rows);
  auto largest = tt::full<float, GROUP>(-infinity);
  auto sum = tt::zeros<float, GROUP>();
  auto acc = tt::zeros<float, GROUP, D>();
  for (int from = 0; from < length; from += PAGE) {
    int64_t page = tt::load(pages + batch * most + from / PAGE);
    auto base = (page * heads + head) * (PAGE * D);
    auto k = tt::load(keys + base + (n.row() * D + d.col()));
    auto scores = tt::where((from + n < length).row(), tt::dot(query, k) * scale, -infinity);
    auto next = tt::maximum(largest, tt::max<1>(scores));
    auto p = tt::exp2(scores - next.col());
    auto shrink = tt::exp2(largest - next);
    sum = sum * shrink + tt::sum<1>(p);
    auto v = tt::load(values + base + (n.col() * D + d.row()));
    acc = tt::dot(p.template to<T>(), v, acc * shrink.col());
    largest = next;
  }
  tt::store(out + rows, (acc / sum.col()).template to<T>());
}

/// Group norm of images, channels first: a program handles a group of an image, `size` consecutive numbers.
template <int BLOCK> __tile_global__ void group_norm(const T *x, const T *w, const T *b, T *out, int groups, int size, int pixels, float epsilon) {
  int64_t base = int64_t(tt::program_id(0)) * size;
  int channel = tt::program_id(0) % groups * (size / pixels);
  auto i = tt::arange<BLOCK>();
  auto sum = tt::zeros<float, BLOCK>(), squares = tt::zeros<float, BLOCK>();
  for (int from = 0; from < size; from += BLOCK) {
    auto v = tt::load(x + base + from + i, from + i < size, T(0)).template to<float>();
    sum += v;
    squares += v * v;
  }
  float mean = tt::sum(sum) / size, scale = tt::rsqrt(tt::sum(squares) / size - mean * mean + epsilon);
  for (int from = 0; from < size; from += BLOCK) {
    auto at = from + i;
    auto mask = at < size;
    auto c = channel + at / pixels;
    auto v = tt::load(x + base + at, mask, T(0)).template to<float>();
    auto y = (v - mean) * scale * tt::load(w + c, mask, T(0)).template to<float>() + tt::load(b + c, mask, T(0)).template to<float>();
    tt::store(out + base + at, y.template to<T>(), mask);
  }
}

/// dst[index[i]] += src[i]: row gradients of an embedding.
template <int BLOCK> __tile_global__ void scatter_add(const float *src, const int64_t *index, float *dst, int columns) {
  int64_t row = tt::program_id(0), to = tt::load(index + row);
  auto i = tt::program_id(1) * BLOCK + tt::arange<BLOCK>();
  tt::atomic_add(dst + to * columns + i, tt::load(src + row * columns + i, i < columns, 0.0f), i < columns);
}

#define BENCH(NAME, PARAMETERS, GRID, KERNEL, ...)                                                                     \
  extern "C" int bench_##NAME PARAMETERS {                                                                             \
    KERNEL<<<GRID, stream>>>(__VA_ARGS__);                                                                             \
    return ttGetLastError();                                                                                           \
  }
#define COMMA ,

BENCH(matmul, (const T *a, const T *b, T *c, int m, int n, int k, int am, int ak, int bk, int bn, int cm, int cn, ttStream_t stream),
      dim3(tt::cdiv(m, 128) COMMA tt::cdiv(n, 128)), (matmul<128, 128, 64>), a, b, c, m, n, k, am, ak, bk, bn, cm, cn)
BENCH(linear_gelu, (const T *a, const T *w, const T *bias, T *c, int m, int n, int k, ttStream_t stream),
      dim3(tt::cdiv(m, 128) COMMA tt::cdiv(n, 128)), (linear_gelu<128, 128, 64>), a, w, bias, c, m, n, k)
BENCH(softmax, (const T *x, T *out, int xs, int os, int rows, int columns, ttStream_t stream), rows, (softmax<8192>), x, out, xs, os, columns)
BENCH(add_rms_norm, (const T *x, T *residual, const T *w, T *out, int rows, int columns, ttStream_t stream), rows, (add_rms_norm<4096>), x,
      residual, w, out, columns, 1e-5f)
BENCH(layer_norm_backward, (const T *dy, const T *x, const T *w, const float *mean, const float *rstd, T *dx, int rows, int columns, ttStream_t stream),
      rows, (layer_norm_backward<4096>), dy, x, w, mean, rstd, dx, columns)
BENCH(rope, (T *x, const float *c, const float *s, int tokens, int heads, ttStream_t stream), tokens, (rope<32, 64>), x, c, s, heads)
BENCH(silu_and_mul, (const T *x, T *out, int rows, int width, ttStream_t stream), dim3(rows COMMA tt::cdiv(width, 1024)), (silu_and_mul<1024>), x,
      out, width)
BENCH(cross_entropy, (const T *logits, const int64_t *labels, float *loss, int rows, int columns, ttStream_t stream), rows,
      (cross_entropy<4096>), logits, labels, loss, columns)
BENCH(embedding, (const int64_t *tokens, const T *table, T *out, int rows, int columns, ttStream_t stream), rows, (embedding<4096>), tokens, table,
      out, columns)
BENCH(quantize_rows, (const T *x, int8_t *out, float *scales, int rows, int columns, ttStream_t stream), rows, (quantize_rows<8192>), x, out,
      scales, columns)
BENCH(transpose, (const T *x, T *out, int m, int n, int xm, int xn, int on, int om, ttStream_t stream),
      dim3(tt::cdiv(m, 64) COMMA tt::cdiv(n, 64)), (transpose<64, 64>), x, out, m, n, xm, xn, on, om)
BENCH(cumulative_sum, (const float *x, float *out, int rows, int columns, ttStream_t stream), rows, (cumulative_sum<4096>), x, out, columns)
BENCH(argmax_rows, (const T *x, int64_t *out, int rows, int columns, ttStream_t stream), rows, (argmax_rows<8192>), x, out, columns)
BENCH(dropout, (const T *x, T *out, int n, int seed, ttStream_t stream), tt::cdiv(n, 1024), (dropout<1024>), x, out, n, 0.5f, seed)
BENCH(int8_vector, (const T *x, const int8_t *w, const float *scales, T *y, int n, int k, ttStream_t stream), tt::cdiv(n, 16),
      (int8_vector<16, 512>), x, w, scales, y, n, k)
BENCH(causal_conv, (const T *x, const float *w, T *out, int batch, int length, int channels, ttStream_t stream),
      dim3(tt::cdiv(length, 64) COMMA tt::cdiv(channels, 64) COMMA batch), (causal_conv<64, 64>), x, w, out, length, channels)
BENCH(write_cache, (const T *keys, T *cache, const int64_t *slots, int tokens, int columns, ttStream_t stream), tokens, (write_cache<1024>), keys,
      cache, slots, columns)
BENCH(decode, (const T *q, const T *k, const T *v, const int *pages, const int *lengths, T *out, int batch, int heads, int most, float scale, ttStream_t stream),
      dim3(batch COMMA heads), (decode<16, 64, 128>), q, k, v, pages, lengths, out, heads, most, scale)
BENCH(group_norm, (const T *x, const T *w, const T *b, T *out, int images, int groups, int size, int pixels, ttStream_t stream), images *groups,
      (group_norm<2048>), x, w, b, out, groups, size, pixels, 1e-5f)
BENCH(scatter_add, (const float *src, const int64_t *index, float *dst, int rows, int columns, ttStream_t stream),
      dim3(rows COMMA tt::cdiv(columns, 1024)), (scatter_add<1024>), src, index, dst, columns)

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
