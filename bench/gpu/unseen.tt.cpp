// Kernels of kinds that tutorials.tt.cpp does not have: recurrences, quantized products, attention with biases,
// lengths and splits, gradients, images, sparse and indexed data. They are written straightforwardly, without
// attributes. bench/gpu/unseen.py compares them with the same kernels in Triton (unseen_peers.py) and with torch, in a
// shared library that Python opens:
//   tcc -O2 -shared -fPIC unseen.tt.cpp -o libunseen.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

using T = tt::bfloat16;
using fp8 = tt::float8_e4m3fn;
constexpr float infinity = tt::inf<float>;

// Recurrences.

/// Mamba's selective scan. x, dt, out: [batch, time, channels]; a: [channels, STATES]; b, c: [batch, time, STATES].
template <int BC, int STATES>
__tile_global__ void selective_scan(const T *x, const T *dt, const float *a, const T *b, const T *c, const float *d,
                                    T *out, int length, int channels) {
  int64_t first = int64_t(tt::program_id(0)) * length;
  auto i = tt::program_id(1) * BC + tt::arange<BC>();
  auto s = tt::arange<STATES>();
  auto mask = i < channels;
  auto rates = tt::load(a + (i.col() * STATES + s.row()), mask.col(), 0.0f);
  auto skip = tt::load(d + i, mask, 0.0f);
  auto state = tt::zeros<float, BC, STATES>();
  for (int t = 0; t < length; ++t) {
    auto step = tt::cast<float>(tt::load(dt + (first + t) * channels + i, mask, T(0)));
    step = tt::where(step > 20, step, tt::log(1 + tt::exp(step)));
    auto v = tt::cast<float>(tt::load(x + (first + t) * channels + i, mask, T(0)));
    auto in = tt::cast<float>(tt::load(b + (first + t) * STATES + s));
    auto read = tt::cast<float>(tt::load(c + (first + t) * STATES + s));
    state = tt::exp(rates * step.col()) * state + (step * v).col() * in.row();
    auto y = tt::sum<1>(state * read.row()) + skip * v;
    tt::store(out + (first + t) * channels + i, tt::cast<T>(y), mask);
  }
}

/// RWKV's weighted average of the past, with a running maximum of exponents. k, v, out: [batch, time, channels].
template <int BC>
__tile_global__ void rwkv(const T *k, const T *v, const float *w, const float *u, T *out, int length, int channels) {
  int64_t first = int64_t(tt::program_id(0)) * length;
  auto i = tt::program_id(1) * BC + tt::arange<BC>();
  auto mask = i < channels;
  auto decay = tt::load(w + i, mask, 0.0f), bonus = tt::load(u + i, mask, 0.0f);
  auto numerator = tt::zeros<float, BC>(), denominator = tt::zeros<float, BC>();
  auto largest = tt::full<float, BC>(-1e30f);
  for (int t = 0; t < length; ++t) {
    auto key = tt::cast<float>(tt::load(k + (first + t) * channels + i, mask, T(0)));
    auto value = tt::cast<float>(tt::load(v + (first + t) * channels + i, mask, T(0)));
    auto next = tt::maximum(largest, bonus + key);
    auto past = tt::exp(largest - next), now = tt::exp(bonus + key - next);
    auto y = (past * numerator + now * value) / (past * denominator + now);
    tt::store(out + (first + t) * channels + i, tt::cast<T>(y), mask);
    next = tt::maximum(largest - decay, key);
    past = tt::exp(largest - decay - next);
    now = tt::exp(key - next);
    numerator = past * numerator + now * value;
    denominator = past * denominator + now;
    largest = next;
  }
}

/// Retention (linear attention with a decay per head) in chunks. q, k: [heads, length, DK], v, out: [heads, length,
/// width]; a program computes DV columns of a head.
template <int CHUNK, int DK, int DV>
__tile_global__ void retention(const T *q, const T *k, const T *v, const float *log_decay, T *out, int length,
                               int width, float scale) {
  int head = tt::program_id(0);
  float g = tt::load(log_decay + head);
  auto i = tt::arange<CHUNK>();
  auto dk = tt::arange<DK>();
  auto dv = tt::program_id(1) * DV + tt::arange<DV>();
  auto within = tt::where(i.col() >= i.row(), tt::exp2(tt::cast<float>(i.col() - i.row()) * g), 0.0f);
  auto since_start = tt::exp2(tt::cast<float>(i + 1) * g), to_end = tt::exp2(tt::cast<float>(CHUNK - 1 - i) * g);
  float whole = tt::exp2(CHUNK * g);
  q += int64_t(head) * length * DK;
  k += int64_t(head) * length * DK;
  v += int64_t(head) * length * width;
  out += int64_t(head) * length * width;
  auto state = tt::zeros<float, DK, DV>();
  for (int from = 0; from < length; from += CHUNK) {
    auto rows = from + i;
    auto mask = rows < length;
    auto queries = tt::load(q + (rows.col() * DK + dk.row()), mask.col(), T(0));
    auto keys = tt::load(k + (rows.row() * DK + dk.col()), mask.row(), T(0));
    auto values = tt::load(v + (rows.col() * width + dv.row()), mask.col(), T(0));
    auto scores = tt::dot(queries, keys) * within;
    auto y = tt::dot(queries, tt::cast<T>(state)) * since_start.col();
    y = tt::dot(tt::cast<T>(scores), values, y);
    state = tt::dot(keys, tt::cast<T>(tt::cast<float>(values) * to_end.col()), state * whole);
    tt::store(out + (rows.col() * width + dv.row()), tt::cast<T>(y * scale), mask.col());
  }
}

/// The inverse of I + A for strictly lower triangular blocks A, row by row, as the delta rule in chunks needs it. a,
/// out: [tokens, heads, N]; a program inverts the block of N tokens of a head.
template <int N> __tile_global__ void solve_lower(const float *a, float *out, int heads) {
  int64_t first = (int64_t(tt::program_id(0)) * N * heads + tt::program_id(1)) * N;
  auto i = tt::arange<N>();
  auto at = i.col() * (heads * N) + i.row();
  auto inverse = -tt::where(i.col() > i.row(), tt::load(a + first + at), 0.0f);
  for (int r = 1; r < N; ++r) {
    auto row = tt::where(i < r, -tt::load(a + first + r * heads * N + i), 0.0f);
    row += tt::sum<0>(row.col() * inverse);
    inverse = tt::where((i == r).col(), row.row(), inverse);
  }
  tt::store(out + first + at, inverse + tt::cast<float>(i.col() == i.row()));
}

// Products.

/// C = A W, with 4-bit weights, eight along K in a word, and a scale for each GROUP of them. w: [K / 8, N], scales:
/// [K / GROUP, N].
template <int BM, int BN, int BK, int GROUP>
__tile_global__ void int4_matmul(const T *a, const int *w, const T *scales, T *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int from = 0; from < K; from += BK) {
    auto k = from + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    auto words = tt::load(w + ((k / 8).col() * N + n.row()), (k < K).col() && (n < N).row(), 0);
    auto scale = tt::load(scales + from / GROUP * N + n, n < N, T(0));
    auto digits = (words >> (k % 8 * 4).col()) & 15;
    acc = tt::dot(x, tt::cast<T>(digits - 8) * scale.row(), acc);
  }
  tt::store(c + (m.col() * N + n.row()), tt::cast<T>(acc), (m < M).col() && (n < N).row());
}

/// C = A B^T of 8-bit floats with a scale for each 128 elements of a row of A, and for each 128 x 128 block of B.
template <int BM, int BN>
__tile_global__ void fp8_blocks(const fp8 *a, const float *a_scales, const fp8 *b, const float *b_scales, T *c, int M,
                                int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  int blocks = tt::cdiv(K, 128);
  auto acc = tt::zeros<float, BM, BN>();
  for (int block = 0; block < blocks; ++block) {
    auto k = block * 128 + tt::arange<128>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row());
    auto y = tt::load(b + (n.row() * K + k.col()), (n < N).row() && (k < K).col());
    auto x_scale = tt::load(a_scales + m * blocks + block, m < M, 0.0f);
    auto y_scale = tt::load(b_scales + n / 128 * blocks + block, n < N, 0.0f);
    acc += tt::dot(x, y) * x_scale.col() * y_scale.row();
  }
  tt::store(c + (m.col() * N + n.row()), tt::cast<T>(acc), (m < M).col() && (n < N).row());
}

/// Rows of x times the matrix of their expert. `sorted` has the numbers of (token, choice) pairs by expert, in blocks
/// of BM; numbers of no pair pad the blocks. w: [experts, N, K], out: [pairs, N].
template <int BM, int BN, int BK>
__tile_global__ void experts(const T *x, const T *w, T *out, const int *sorted, const int *expert_of, const int *padded,
                             int pairs, int choices, int N, int K) {
  int block = tt::program_id(0);
  if (block * BM >= tt::load(padded))
    return;
  auto pair = tt::load(sorted + block * BM + tt::arange<BM>());
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  int64_t expert = tt::load(expert_of + block);
  auto px = x + ((pair / choices).col() * K + k.row());
  auto pw = w + expert * N * K + (n.row() * K + k.col());
  auto acc = tt::zeros<float, BM, BN>();
  for (int from = 0; from < K; from += BK) {
    auto rows = tt::load(px, (pair < pairs).col() && k.row() < K - from, T(0));
    auto columns = tt::load(pw, (n < N).row() && k.col() < K - from, T(0));
    acc = tt::dot(rows, columns, acc);
    px += BK;
    pw += BK;
  }
  tt::store(out + (pair.col() * N + n.row()), tt::cast<T>(acc), (pair < pairs).col() && (n < N).row());
}

/// Many small products: C[i] = A[i] B[i], all of S x S.
template <int S> __tile_global__ void small_products(const T *a, const T *b, T *c) {
  int64_t first = int64_t(tt::program_id(0)) * (S * S);
  auto i = tt::arange<S>();
  auto at = i.col() * S + i.row();
  tt::store(c + first + at, tt::cast<T>(tt::dot(tt::load(a + first + at), tt::load(b + first + at))));
}

/// C = silu(A W) * (A V).
template <int BM, int BN, int BK>
__tile_global__ void swiglu(const T *a, const T *w, const T *v, T *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto gate = tt::zeros<float, BM, BN>(), up = tt::zeros<float, BM, BN>();
  for (int from = 0; from < K; from += BK) {
    auto k = from + tt::arange<BK>();
    auto mask = (k < K).col() && (n < N).row();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    gate = tt::dot(x, tt::load(w + (k.col() * N + n.row()), mask, T(0)), gate);
    up = tt::dot(x, tt::load(v + (k.col() * N + n.row()), mask, T(0)), up);
  }
  tt::store(c + (m.col() * N + n.row()), tt::cast<T>(gate * tt::sigmoid(gate) * up), (m < M).col() && (n < N).row());
}

/// C = A B^T of bytes, times a scale for each row and each column, plus a bias and a residual.
template <int BM, int BN, int BK>
__tile_global__ void int8_scaled(const int8_t *a, const int8_t *b, const float *row_scales, const float *column_scales,
                                 const T *bias, const T *residual, T *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<int, BM, BN>();
  for (int from = 0; from < K; from += BK) {
    auto k = from + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), int8_t(0));
    auto y = tt::load(b + (n.row() * K + k.col()), (n < N).row() && (k < K).col(), int8_t(0));
    acc = tt::dot(x, y, acc);
  }
  auto mask = (m < M).col() && (n < N).row();
  auto at = m.col() * N + n.row();
  auto y = tt::cast<float>(acc) * tt::load(row_scales + m, m < M, 0.0f).col() *
           tt::load(column_scales + n, n < N, 0.0f).row();
  y += tt::cast<float>(tt::load(bias + n, n < N, T(0))).row();
  y += tt::cast<float>(tt::load(residual + at, mask, T(0)));
  tt::store(c + at, tt::cast<T>(y), mask);
}

// Attention.

/// Full attention with a bias for each pair of positions, bias: [heads, length, length]; q, k, v, out: [batch, heads,
/// length, D].
template <int BM, int BN, int D>
__tile_global__ void attention_bias(const T *q, const T *k, const T *v, const T *bias, T *out, int heads, int length,
                                    float scale) {
  int64_t base = int64_t(tt::program_id(1)) * length * D;
  int64_t bias_base = int64_t(tt::program_id(1) % heads) * length * length;
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto d = tt::arange<D>();
  auto rows = m.col() * D + d.row();
  auto queries = tt::load(q + base + rows, (m < length).col(), T(0));
  auto largest = tt::full<float, BM>(-infinity), sum = tt::zeros<float, BM>();
  auto acc = tt::zeros<float, BM, D>();
  for (int from = 0; from < length; from += BN) {
    auto n = from + tt::arange<BN>();
    auto keys = tt::load(k + base + (n.row() * D + d.col()), (n < length).row(), T(0));
    auto extra = tt::load(bias + bias_base + (m.col() * length + n.row()), (m < length).col() && (n < length).row());
    auto scores = tt::dot(queries, keys) * scale + tt::cast<float>(extra);
    scores = tt::where((n < length).row(), scores, -infinity);
    auto next = tt::maximum(largest, tt::max<1>(scores));
    auto p = tt::exp(scores - next.col());
    auto shrink = tt::exp(largest - next);
    sum = sum * shrink + tt::sum<1>(p);
    auto values = tt::load(v + base + (n.col() * D + d.row()), (n < length).col(), T(0));
    acc = tt::dot(tt::cast<T>(p), values, acc * shrink.col());
    largest = next;
  }
  tt::store(out + base + rows, tt::cast<T>(acc / sum.col()), (m < length).col());
}

/// Causal attention of sequences that follow each other, `starts` has where. q, out: [tokens, heads, D], k, v: [tokens,
/// heads / shared, D].
template <int BM, int BN, int D>
__tile_global__ void attention_varlen(const T *q, const T *k, const T *v, T *out, const int *starts, int heads,
                                      int shared, float scale) {
  int head = tt::program_id(1), sequence = tt::program_id(2);
  int start = tt::load(starts + sequence), length = tt::load(starts + sequence + 1) - start;
  if (tt::program_id(0) * BM >= length)
    return;
  int key_heads = heads / shared;
  q += (int64_t(start) * heads + head) * D;
  out += (int64_t(start) * heads + head) * D;
  k += (int64_t(start) * key_heads + head / shared) * D;
  v += (int64_t(start) * key_heads + head / shared) * D;
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto d = tt::arange<D>();
  auto rows = m.col() * (heads * D) + d.row();
  auto queries = tt::load(q + rows, (m < length).col(), T(0));
  auto largest = tt::full<float, BM>(-infinity), sum = tt::zeros<float, BM>();
  auto acc = tt::zeros<float, BM, D>();
  int end = tt::minimum(length, (tt::program_id(0) + 1) * BM);
  for (int from = 0; from < end; from += BN) {
    auto n = from + tt::arange<BN>();
    auto keys = tt::load(k + (n.row() * (key_heads * D) + d.col()), (n < length).row(), T(0));
    auto scores = tt::dot(queries, keys) * scale;
    scores = tt::where(m.col() >= n.row() && (n < length).row(), scores, -infinity);
    auto next = tt::maximum(largest, tt::max<1>(scores));
    auto p = tt::exp2(scores - next.col());
    auto shrink = tt::exp2(largest - next);
    sum = sum * shrink + tt::sum<1>(p);
    auto values = tt::load(v + (n.col() * (key_heads * D) + d.row()), (n < length).col(), T(0));
    acc = tt::dot(tt::cast<T>(p), values, acc * shrink.col());
    largest = next;
  }
  tt::store(out + rows, tt::cast<T>(acc / sum.col()), (m < length).col());
}

/// Attention to the last `window` tokens, and to a sink, a key without a value whose score is a number per head. q, out:
/// [batch, length, heads, D], k, v: [batch, length, heads / shared, D].
template <int BM, int BN, int D>
__tile_global__ void attention_sink(const T *q, const T *k, const T *v, const float *sinks, T *out, int length,
                                    int heads, int shared, int window, float scale) {
  int head = tt::program_id(1) % heads, batch = tt::program_id(1) / heads, key_heads = heads / shared;
  q += (int64_t(batch) * length * heads + head) * D;
  out += (int64_t(batch) * length * heads + head) * D;
  k += (int64_t(batch) * length * key_heads + head / shared) * D;
  v += (int64_t(batch) * length * key_heads + head / shared) * D;
  int first = tt::program_id(0) * BM;
  auto m = first + tt::arange<BM>();
  auto d = tt::arange<D>();
  auto rows = m.col() * (heads * D) + d.row();
  auto queries = tt::load(q + rows, (m < length).col(), T(0));
  auto largest = tt::full<float, BM>(tt::load(sinks + head) * 1.44269504f), sum = tt::full<float, BM>(1.0f);
  auto acc = tt::zeros<float, BM, D>();
  int begin = tt::maximum(0, first - window + 1) / BN * BN, end = tt::minimum(length, first + BM);
  for (int from = begin; from < end; from += BN) {
    auto n = from + tt::arange<BN>();
    auto keys = tt::load(k + (n.row() * (key_heads * D) + d.col()), (n < length).row(), T(0));
    auto scores = tt::dot(queries, keys) * (scale * 1.44269504f);
    scores = tt::where(m.col() >= n.row() && m.col() - n.row() < window, scores, -infinity);
    auto next = tt::maximum(largest, tt::max<1>(scores));
    auto p = tt::exp2(scores - next.col());
    auto shrink = tt::exp2(largest - next);
    sum = sum * shrink + tt::sum<1>(p);
    auto values = tt::load(v + (n.col() * (key_heads * D) + d.row()), (n < length).col(), T(0));
    acc = tt::dot(tt::cast<T>(p), values, acc * shrink.col());
    largest = next;
  }
  tt::store(out + rows, tt::cast<T>(acc / sum.col()), (m < length).col());
}

/// Decoding with the tokens divided among programs: the first part computes, for each split, a result and the logarithm
/// of its sum. q: [batch, key heads, GROUP, D], k, v: [batch, length, key heads, D], partial: [batch, key heads, GROUP,
/// splits, D].
template <int GROUP, int BN, int D>
__tile_global__ void decode_split(const T *q, const T *k, const T *v, const int *lengths, float *partial, float *logs,
                                  int heads, int most, float scale) {
  int batch = tt::program_id(0), head = tt::program_id(1), split = tt::program_id(2), splits = tt::num_programs(2);
  int length = tt::load(lengths + batch);
  int share = tt::cdiv(tt::cdiv(length, splits), BN) * BN, begin = split * share;
  int end = tt::minimum(begin + share, length);
  auto g = tt::arange<GROUP>();
  auto d = tt::arange<D>();
  int rows = (batch * heads + head) * GROUP;
  auto query = tt::load(q + ((rows + g.col()) * D + d.row()));
  int64_t base = (int64_t(batch) * most * heads + head) * D;
  auto largest = tt::full<float, GROUP>(-infinity), sum = tt::zeros<float, GROUP>();
  auto acc = tt::zeros<float, GROUP, D>();
  for (int from = begin; from < end; from += BN) {
    auto n = from + tt::arange<BN>();
    auto keys = tt::load(k + base + (n.row() * (heads * D) + d.col()), (n < end).row(), T(0));
    auto scores = tt::where((n < end).row(), tt::dot(query, keys) * scale, -infinity);
    auto next = tt::maximum(largest, tt::max<1>(scores));
    auto p = tt::exp2(scores - next.col());
    auto shrink = tt::exp2(largest - next);
    sum = sum * shrink + tt::sum<1>(p);
    auto values = tt::load(v + base + (n.col() * (heads * D) + d.row()), (n < end).col(), T(0));
    acc = tt::dot(tt::cast<T>(p), values, acc * shrink.col());
    largest = next;
  }
  auto some = tt::maximum(sum, 1e-30f); // a split may have no tokens
  tt::store(partial + (((rows + g) * splits + split).col() * D + d.row()), acc / some.col());
  tt::store(logs + (rows + g) * splits + split, largest + tt::log2(sum));
}
template <int SPLITS, int D> __tile_global__ void decode_merge(const float *partial, const float *logs, T *out) {
  int row = tt::program_id(0);
  auto s = tt::arange<SPLITS>();
  auto d = tt::arange<D>();
  auto log = tt::load(logs + row * SPLITS + s);
  auto weights = tt::exp2(log - tt::max(log));
  auto parts = tt::load(partial + ((row * SPLITS + s).col() * D + d.row()));
  tt::store(out + row * D + d, tt::cast<T>(tt::sum<0>(parts * weights.col()) / tt::sum(weights)));
}

/// Multi-head latent attention, one decoding step: all heads share a latent key of D numbers, which is also the value,
/// and R rotated ones. q: [batch, heads, D + R], cache: [batch, length, D + R], out: [batch, heads, D].
template <int BH, int BN, int D, int R>
__tile_global__ void latent_decode(const T *q, const T *cache, const int *lengths, T *out, int heads, int most,
                                   float scale) {
  int batch = tt::program_id(0), length = tt::load(lengths + batch);
  auto h = tt::program_id(1) * BH + tt::arange<BH>();
  auto d = tt::arange<D>();
  auto r = D + tt::arange<R>();
  auto row = (batch * heads + h).col() * (D + R);
  auto query = tt::load(q + (row + d.row()), (h < heads).col(), T(0));
  auto rotated = tt::load(q + (row + r.row()), (h < heads).col(), T(0));
  cache += int64_t(batch) * most * (D + R);
  auto largest = tt::full<float, BH>(-infinity), sum = tt::zeros<float, BH>();
  auto acc = tt::zeros<float, BH, D>();
  for (int from = 0; from < length; from += BN) {
    auto n = from + tt::arange<BN>();
    auto latent = tt::load(cache + (n.row() * (D + R) + d.col()), (n < length).row(), T(0));
    auto position = tt::load(cache + (n.row() * (D + R) + r.col()), (n < length).row(), T(0));
    auto scores = tt::dot(rotated, position, tt::dot(query, latent)) * scale;
    scores = tt::where((n < length).row(), scores, -infinity);
    auto next = tt::maximum(largest, tt::max<1>(scores));
    auto p = tt::exp2(scores - next.col());
    auto shrink = tt::exp2(largest - next);
    sum = sum * shrink + tt::sum<1>(p);
    acc = tt::dot(tt::cast<T>(p), tt::trans(latent), acc * shrink.col());
    largest = next;
  }
  tt::store(out + ((batch * heads + h).col() * D + d.row()), tt::cast<T>(acc / sum.col()), (h < heads).col());
}

// Gradients, statistics, optimizers.

/// dx and a part of dw for the rows of a program, which are `programs` apart.
template <int BLOCK>
__tile_global__ void rms_norm_backward(const T *dy, const T *x, const T *w, const float *rstd, T *dx, float *dw,
                                       int rows, int columns) {
  auto i = tt::arange<BLOCK>();
  auto mask = i < columns;
  auto weights = tt::cast<float>(tt::load(w + i, mask, T(0)));
  auto sum = tt::zeros<float, BLOCK>();
  for (int row = tt::program_id(0); row < rows; row += tt::num_programs(0)) {
    int64_t at = int64_t(row) * columns;
    auto g = tt::cast<float>(tt::load(dy + at + i, mask, T(0)));
    float r = tt::load(rstd + row);
    auto normal = tt::cast<float>(tt::load(x + at + i, mask, T(0))) * r;
    auto scaled = g * weights;
    tt::store(dx + at + i, tt::cast<T>((scaled - normal * (tt::sum(scaled * normal) / columns)) * r), mask);
    sum += g * normal;
  }
  tt::store(dw + tt::program_id(0) * columns + i, sum, mask);
}

/// Sums and sums of squares of channels, channels last. A program adds up its share of the rows.
template <int BR, int BC>
__tile_global__ void channel_sums(const T *x, float *sums, float *squares, int rows, int channels) {
  auto c = tt::program_id(0) * BC + tt::arange<BC>();
  auto sum = tt::zeros<float, BR, BC>(), square = tt::zeros<float, BR, BC>();
  for (int from = tt::program_id(1) * BR; from < rows; from += tt::num_programs(1) * BR) {
    auto r = from + tt::arange<BR>();
    auto v = tt::cast<float>(tt::load(x + (r.col() * channels + c.row()), (r < rows).col() && (c < channels).row()));
    sum += v;
    square += v * v;
  }
  tt::atomic_add(sums + c, tt::sum<0>(sum), c < channels);
  tt::atomic_add(squares + c, tt::sum<0>(square), c < channels);
}

/// The loss of rows of logits, which their gradients replace, with label smoothing.
template <int BLOCK>
__tile_global__ void cross_entropy_gradient(T *logits, const int64_t *labels, float *loss, int columns, float smooth) {
  int64_t row = tt::program_id(0), label = tt::load(labels + row);
  logits += row * columns;
  float largest = -infinity, sum = 0, total = 0, chosen = tt::load(logits + label);
  for (int from = 0; from < columns; from += BLOCK) {
    auto i = from + tt::arange<BLOCK>();
    auto v = tt::cast<float>(tt::load(logits + i, i < columns, T(-infinity)));
    float next = tt::maximum(largest, tt::max(v));
    total += tt::sum(tt::where(i < columns, v, 0.0f));
    sum = sum * tt::exp(largest - next) + tt::sum(tt::exp(v - next));
    largest = next;
  }
  float log = largest + tt::log(sum), share = smooth / columns;
  for (int from = 0; from < columns; from += BLOCK) {
    auto i = from + tt::arange<BLOCK>();
    auto v = tt::cast<float>(tt::load(logits + i, i < columns, T(-infinity)));
    auto g = tt::exp(v - log) - share - tt::where(i == label, 1 - smooth, 0.0f);
    tt::store(logits + i, tt::cast<T>(g), i < columns);
  }
  tt::store(loss + row, (1 - smooth) * (log - chosen) + smooth * log - share * total);
}

/// AdamW for parameters and gradients of 16 bits, with moments of 32.
template <int BLOCK>
__tile_global__ void adamw(T *parameters, const T *gradients, float *means, float *variances, int n, float rate,
                           float beta1, float beta2, float epsilon, float decay, float correction1, float correction2) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto mask = i < n;
  auto p = tt::cast<float>(tt::load(parameters + i, mask)), g = tt::cast<float>(tt::load(gradients + i, mask));
  auto m = beta1 * tt::load(means + i, mask) + (1 - beta1) * g;
  auto v = beta2 * tt::load(variances + i, mask) + (1 - beta2) * g * g;
  p *= 1 - rate * decay;
  p -= rate * (m / correction1) / (tt::sqrt(v / correction2) + epsilon);
  tt::store(parameters + i, tt::cast<T>(p), mask);
  tt::store(means + i, m, mask);
  tt::store(variances + i, v, mask);
}

// Images.

/// A 3 x 3 convolution of each channel, channels last. x, out: [images, height, width, channels], w: [3, 3, channels].
template <int BW, int BC>
__tile_global__ void depthwise(const T *x, const T *w, T *out, int height, int width, int channels) {
  int row = tt::program_id(1) % height;
  int64_t image = tt::program_id(1) / height;
  auto column = tt::program_id(0) * BW + tt::arange<BW>();
  auto c = tt::program_id(2) * BC + tt::arange<BC>();
  x += image * height * width * channels;
  auto acc = tt::zeros<float, BW, BC>();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      int h = row + i - 1;
      auto at = column + (j - 1);
      auto inside = (at >= 0 && at < width).col() && (c < channels).row() && (h >= 0 && h < height);
      auto v = tt::load(x + ((h * width + at).col() * channels + c.row()), inside, T(0));
      auto tap = tt::load(w + (i * 3 + j) * channels + c, c < channels, T(0));
      acc += tt::cast<float>(v) * tt::cast<float>(tap).row();
    }
  tt::store(out + (image * height + row) * width * channels + (column.col() * channels + c.row()), tt::cast<T>(acc),
            (column < width).col() && (c < channels).row());
}

/// Bilinear interpolation to images of twice the size, channels first. x: [planes, height, width].
template <int BLOCK> __tile_global__ void bilinear(const T *x, T *out, int height, int width) {
  int64_t plane = tt::program_id(1);
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto mask = i < 4 * height * width;
  auto h = tt::maximum(tt::cast<float>(i / (2 * width)) * 0.5f - 0.25f, 0.0f);
  auto w = tt::maximum(tt::cast<float>(i % (2 * width)) * 0.5f - 0.25f, 0.0f);
  auto top = tt::cast<int>(h), left = tt::cast<int>(w);
  auto down = tt::minimum(top + 1, height - 1), right = tt::minimum(left + 1, width - 1);
  auto dh = h - tt::cast<float>(top), dw = w - tt::cast<float>(left);
  x += plane * height * width;
  auto at = [&](auto row, auto column) { return tt::cast<float>(tt::load(x + (row * width + column), mask)); };
  auto y = (at(top, left) * (1 - dw) + at(top, right) * dw) * (1 - dh) +
           (at(down, left) * (1 - dw) + at(down, right) * dw) * dh;
  tt::store(out + plane * 4 * height * width + i, tt::cast<T>(y), mask);
}

// Indices.

/// The CHOICES largest of softmax(logits) for each token and their indices, normalized, as a router of experts does.
template <int BM, int EXPERTS, int CHOICES>
__tile_global__ void route(const T *logits, float *weights, int *indices, int tokens) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto e = tt::arange<EXPERTS>();
  auto mask = m < tokens;
  auto v = tt::cast<float>(tt::load(logits + (m.col() * EXPERTS + e.row()), mask.col(), T(0)));
  auto p = tt::exp(v - tt::max<1>(v).col());
  auto sum = tt::zeros<float, BM>();
  for (int choice = 0; choice < CHOICES; ++choice) {
    auto best = tt::max<1>(p);
    auto at = tt::argmax<1>(p);
    tt::store(indices + m * CHOICES + choice, at, mask);
    tt::store(weights + m * CHOICES + choice, best, mask);
    sum += best;
    p = tt::where(e.row() == at.col(), -1.0f, p);
  }
  tt::debug_barrier();
  auto c = tt::arange<CHOICES>();
  auto chosen = weights + (m.col() * CHOICES + c.row());
  tt::store(chosen, tt::load(chosen, mask.col()) / sum.col(), mask.col());
}

/// Counts numbers below BINS.
template <int BLOCK, int BINS> __tile_global__ void count_bins(const int *x, int *counts, int n) {
  auto count = tt::zeros<int, BINS>();
  for (int from = tt::program_id(0) * BLOCK; from < n; from += tt::num_programs(0) * BLOCK) {
    auto i = from + tt::arange<BLOCK>();
    count += tt::histogram<BINS>(tt::load(x + i, i < n, 0), i < n);
  }
  tt::atomic_add(counts + tt::arange<BINS>(), count);
}

/// y = A x with A in compressed sparse rows.
template <int BLOCK>
__tile_global__ void sparse_vector(const int *starts, const int *columns, const float *values, const float *x,
                                   float *y) {
  int row = tt::program_id(0), begin = tt::load(starts + row), end = tt::load(starts + row + 1);
  auto sum = tt::zeros<float, BLOCK>();
  for (int from = begin; from < end; from += BLOCK) {
    auto i = from + tt::arange<BLOCK>();
    auto c = tt::load(columns + i, i < end, 0);
    sum += tt::load(values + i, i < end, 0.0f) * tt::load(x + c, i < end, 0.0f);
  }
  tt::store(y + row, tt::sum(sum));
}

/// Keys of new tokens to a cache of 8-bit floats, with a scale for each token and head. keys: [tokens, HEADS, D].
template <int HEADS, int D>
__tile_global__ void cache_fp8(const T *keys, const int64_t *slots, fp8 *cache, float *scales) {
  int64_t token = tt::program_id(0), slot = tt::load(slots + token);
  if (slot < 0)
    return;
  auto h = tt::arange<HEADS>();
  auto at = h.col() * D + tt::arange<D>().row();
  auto v = tt::cast<float>(tt::load(keys + token * (HEADS * D) + at));
  auto scale = tt::maximum(tt::max<1>(tt::abs(v)), 1e-6f) / 448.0f;
  tt::store(cache + slot * (HEADS * D) + at, tt::cast<fp8>(v / scale.col()));
  tt::store(scales + slot * HEADS + h, scale);
}

/// out[token] = sum of weights[token, choice] * x[where[token, choice]]: the end of a layer of experts.
template <int BLOCK, int CHOICES>
__tile_global__ void combine(const T *x, const int *where, const float *weights, T *out, int columns) {
  int64_t token = tt::program_id(0);
  auto i = tt::program_id(1) * BLOCK + tt::arange<BLOCK>();
  auto acc = tt::zeros<float, BLOCK>();
  for (int choice = 0; choice < CHOICES; ++choice) {
    int64_t row = tt::load(where + token * CHOICES + choice);
    float weight = tt::load(weights + token * CHOICES + choice);
    acc += weight * tt::cast<float>(tt::load(x + row * columns + i, i < columns));
  }
  tt::store(out + token * columns + i, tt::cast<T>(acc), i < columns);
}

/// Prefix sums of rows of any length.
template <int BLOCK> __tile_global__ void long_cumsum(const float *x, float *out, int columns) {
  int64_t row = int64_t(tt::program_id(0)) * columns;
  float before = 0;
  for (int from = 0; from < columns; from += BLOCK) {
    auto i = from + tt::arange<BLOCK>();
    auto v = tt::load(x + row + i, i < columns, 0.0f);
    tt::store(out + row + i, before + tt::cumsum<0>(v), i < columns);
    before += tt::sum(v);
  }
}

/// Samples a token from each row of logits: the largest sum of a logit and Gumbel noise.
template <int BLOCK>
__tile_global__ void sample(const T *logits, int64_t *out, int columns, float temperature, int seed) {
  int row = tt::program_id(0);
  auto best = tt::full<float, BLOCK>(-infinity);
  auto at = tt::zeros<int, BLOCK>();
  for (int from = 0; from < columns; from += BLOCK) {
    auto i = from + tt::arange<BLOCK>();
    auto v = tt::cast<float>(tt::load(logits + int64_t(row) * columns + i, i < columns, T(-infinity)));
    v = v / temperature - tt::log(-tt::log(tt::rand(seed, row * columns + i) + 1e-10f) + 1e-10f);
    at = tt::where(v > best, i, at);
    best = tt::maximum(v, best);
  }
  auto where = tt::argmax<0>(best);
  tt::store(out + row, int64_t(tt::sum(tt::where(tt::arange<BLOCK>() == where, at, 0))));
}

/// A function for Python: the number of the configuration, the arguments and the stream.
#define BENCH(NAME, PARAMETERS, ...)                                                                                   \
  extern "C" int bench_##NAME PARAMETERS {                                                                             \
    __VA_ARGS__ return ttErrorInvalidValue;                                                                            \
  }
#define CONFIG(NUMBER, GRID, KERNEL, ...)                                                                              \
  if (config == NUMBER) {                                                                                              \
    KERNEL<<<dim3 GRID, stream>>>(__VA_ARGS__);                                                                        \
    return ttGetLastError();                                                                                           \
  }

#define SCAN(NUMBER, BC) CONFIG(NUMBER, (batch, tt::cdiv(channels, BC)), (selective_scan<BC, 16>), x, dt, a, b, c, d, out, length, channels)
BENCH(selective_scan, (int config, const T *x, const T *dt, const float *a, const T *b, const T *c, const float *d, T *out, int batch,
      int length, int channels, ttStream_t stream), SCAN(0, 64) SCAN(1, 32))
#define RWKV(NUMBER, BC) CONFIG(NUMBER, (batch, tt::cdiv(channels, BC)), (rwkv<BC>), k, v, w, u, out, length, channels)
BENCH(rwkv, (int config, const T *k, const T *v, const float *w, const float *u, T *out, int batch, int length, int channels,
      ttStream_t stream), RWKV(0, 32) RWKV(1, 128))
#define RETENTION(NUMBER, C, DV) CONFIG(NUMBER, (heads, width / DV), (retention<C, 128, DV>), q, k, v, decay, out, length, width, scale)
BENCH(retention, (int config, const T *q, const T *k, const T *v, const float *decay, T *out, int heads, int length, int width, float scale,
      ttStream_t stream), RETENTION(0, 64, 64) RETENTION(1, 64, 128) RETENTION(2, 128, 64))
BENCH(solve_lower, (int config, const float *a, float *out, int tokens, int heads, ttStream_t stream),
      CONFIG(0, (tokens / 32, heads), (solve_lower<32>), a, out, heads))
#define INT4(NUMBER, BM, BN, BK) CONFIG(NUMBER, (tt::cdiv(m, BM), tt::cdiv(n, BN)), (int4_matmul<BM, BN, BK, 128>), a, w, scales, c, m, n, k)
BENCH(int4_matmul, (int config, const T *a, const int *w, const T *scales, T *c, int m, int n, int k, ttStream_t stream),
      INT4(0, 16, 64, 128) INT4(1, 64, 128, 64) INT4(2, 128, 128, 64))
#define FP8(NUMBER, BM, BN) CONFIG(NUMBER, (tt::cdiv(m, BM), tt::cdiv(n, BN)), (fp8_blocks<BM, BN>), a, as, b, bs, c, m, n, k)
BENCH(fp8_blocks, (int config, const fp8 *a, const float *as, const fp8 *b, const float *bs, T *c, int m, int n, int k, ttStream_t stream),
      FP8(0, 64, 128) FP8(1, 128, 128))
#define EXPERTS(NUMBER, BM, BN) \
  CONFIG(NUMBER, (blocks, tt::cdiv(n, BN)), (experts<BM, BN, 64>), x, w, out, sorted, expert_of, padded, pairs, choices, n, k)
BENCH(experts, (int config, const T *x, const T *w, T *out, const int *sorted, const int *expert_of, const int *padded, int blocks, int pairs,
      int choices, int n, int k, ttStream_t stream), EXPERTS(0, 64, 128) EXPERTS(1, 64, 64))
BENCH(small_products, (int config, const T *a, const T *b, T *c, int batch, ttStream_t stream),
      CONFIG(0, (batch), (small_products<64>), a, b, c))
#define SWIGLU(NUMBER, BM, BN) CONFIG(NUMBER, (tt::cdiv(m, BM), tt::cdiv(n, BN)), (swiglu<BM, BN, 64>), a, w, v, c, m, n, k)
BENCH(swiglu, (int config, const T *a, const T *w, const T *v, T *c, int m, int n, int k, ttStream_t stream),
      SWIGLU(0, 128, 64) SWIGLU(1, 128, 128))
#define INT8(NUMBER, BM, BN, BK) \
  CONFIG(NUMBER, (tt::cdiv(m, BM), tt::cdiv(n, BN)), (int8_scaled<BM, BN, BK>), a, b, rs, cs, bias, residual, c, m, n, k)
BENCH(int8_scaled, (int config, const int8_t *a, const int8_t *b, const float *rs, const float *cs, const T *bias, const T *residual, T *c,
      int m, int n, int k, ttStream_t stream), INT8(0, 128, 128, 128) INT8(1, 128, 256, 128))
#define BIAS(NUMBER, BM, BN) \
  CONFIG(NUMBER, (tt::cdiv(length, BM), batch * heads), (attention_bias<BM, BN, 64>), q, k, v, bias, out, heads, length, scale)
BENCH(attention_bias, (int config, const T *q, const T *k, const T *v, const T *bias, T *out, int batch, int heads, int length, float scale,
      ttStream_t stream), BIAS(0, 128, 64) BIAS(1, 64, 128) BIAS(2, 64, 64))
#define VARLEN(NUMBER, BM, BN) \
  CONFIG(NUMBER, (tt::cdiv(most, BM), heads, batch), (attention_varlen<BM, BN, 128>), q, k, v, out, starts, heads, shared, scale)
BENCH(attention_varlen, (int config, const T *q, const T *k, const T *v, T *out, const int *starts, int batch, int most, int heads, int shared,
      float scale, ttStream_t stream), VARLEN(0, 128, 64) VARLEN(1, 128, 128) VARLEN(2, 64, 64))
#define SINK(NUMBER, BM, BN) \
  CONFIG(NUMBER, (tt::cdiv(length, BM), batch * heads), (attention_sink<BM, BN, 64>), q, k, v, sinks, out, length, heads, shared, window, scale)
BENCH(attention_sink, (int config, const T *q, const T *k, const T *v, const float *sinks, T *out, int batch, int length, int heads, int shared,
      int window, float scale, ttStream_t stream), SINK(0, 128, 64) SINK(1, 64, 64))
BENCH(decode_split, (int config, const T *q, const T *k, const T *v, const int *lengths, float *partial, float *logs, int batch, int heads,
      int splits, int most, float scale, ttStream_t stream),
      CONFIG(0, (batch, heads, splits), (decode_split<16, 64, 128>), q, k, v, lengths, partial, logs, heads, most, scale)
      CONFIG(1, (batch, heads, splits), (decode_split<16, 128, 128>), q, k, v, lengths, partial, logs, heads, most, scale))
BENCH(decode_merge, (int config, const float *partial, const float *logs, T *out, int rows, ttStream_t stream),
      CONFIG(0, (rows), (decode_merge<16, 128>), partial, logs, out))
#define LATENT(NUMBER, BH, BN) \
  CONFIG(NUMBER, (batch, tt::cdiv(heads, BH)), (latent_decode<BH, BN, 512, 64>), q, cache, lengths, out, heads, most, scale)
BENCH(latent_decode, (int config, const T *q, const T *cache, const int *lengths, T *out, int batch, int heads, int most, float scale,
      ttStream_t stream), LATENT(0, 16, 32) LATENT(1, 16, 64) LATENT(2, 64, 32))
BENCH(rms_norm_backward, (int config, const T *dy, const T *x, const T *w, const float *rstd, T *dx, float *dw, int programs, int rows,
      int columns, ttStream_t stream), CONFIG(0, (programs), (rms_norm_backward<4096>), dy, x, w, rstd, dx, dw, rows, columns))
#define SUMS(NUMBER, BR, BC) CONFIG(NUMBER, (tt::cdiv(channels, BC), splits), (channel_sums<BR, BC>), x, sums, squares, rows, channels)
BENCH(channel_sums, (int config, const T *x, float *sums, float *squares, int splits, int rows, int channels, ttStream_t stream),
      SUMS(0, 64, 64) SUMS(1, 32, 128))
#define GRADIENT(NUMBER, BLOCK) CONFIG(NUMBER, (rows), (cross_entropy_gradient<BLOCK>), logits, labels, loss, columns, smooth)
BENCH(cross_entropy_gradient, (int config, T *logits, const int64_t *labels, float *loss, int rows, int columns, float smooth,
      ttStream_t stream), GRADIENT(0, 4096) GRADIENT(1, 8192))
BENCH(adamw, (int config, T *p, const T *g, float *m, float *v, int n, float rate, float beta1, float beta2, float epsilon, float decay,
      float c1, float c2, ttStream_t stream),
      CONFIG(0, (tt::cdiv(n, 1024)), (adamw<1024>), p, g, m, v, n, rate, beta1, beta2, epsilon, decay, c1, c2))
#define DEPTHWISE(NUMBER, BW, BC) \
  CONFIG(NUMBER, (tt::cdiv(width, BW), images * height, tt::cdiv(channels, BC)), (depthwise<BW, BC>), x, w, out, height, width, channels)
BENCH(depthwise, (int config, const T *x, const T *w, T *out, int images, int height, int width, int channels, ttStream_t stream),
      DEPTHWISE(0, 32, 64) DEPTHWISE(1, 16, 128))
BENCH(bilinear, (int config, const T *x, T *out, int planes, int height, int width, ttStream_t stream),
      CONFIG(0, (tt::cdiv(4 * height * width, 1024), planes), (bilinear<1024>), x, out, height, width))
#define ROUTE(NUMBER, BM) CONFIG(NUMBER, (tt::cdiv(tokens, BM)), (route<BM, 128, 8>), logits, weights, indices, tokens)
BENCH(route, (int config, const T *logits, float *weights, int *indices, int tokens, ttStream_t stream), ROUTE(0, 16) ROUTE(1, 32))
BENCH(count_bins, (int config, const int *x, int *counts, int programs, int n, ttStream_t stream),
      CONFIG(0, (programs), (count_bins<2048, 256>), x, counts, n))
#define SPARSE(NUMBER, BLOCK) CONFIG(NUMBER, (rows), (sparse_vector<BLOCK>), starts, columns, values, x, y)
BENCH(sparse_vector, (int config, const int *starts, const int *columns, const float *values, const float *x, float *y, int rows,
      ttStream_t stream), SPARSE(0, 128) SPARSE(1, 256))
BENCH(cache_fp8, (int config, const T *keys, const int64_t *slots, fp8 *cache, float *scales, int tokens, ttStream_t stream),
      CONFIG(0, (tokens), (cache_fp8<8, 128>), keys, slots, cache, scales))
BENCH(combine, (int config, const T *x, const int *where, const float *weights, T *out, int tokens, int columns, ttStream_t stream),
      CONFIG(0, (tokens, tt::cdiv(columns, 1024)), (combine<1024, 8>), x, where, weights, out, columns))
#define CUMSUM(NUMBER, BLOCK) CONFIG(NUMBER, (rows), (long_cumsum<BLOCK>), x, out, columns)
BENCH(long_cumsum, (int config, const float *x, float *out, int rows, int columns, ttStream_t stream), CUMSUM(0, 1024) CUMSUM(1, 4096))
#define SAMPLE(NUMBER, BLOCK) CONFIG(NUMBER, (rows), (sample<BLOCK>), logits, out, columns, temperature, seed)
BENCH(sample, (int config, const T *logits, int64_t *out, int rows, int columns, float temperature, int seed, ttStream_t stream),
      SAMPLE(0, 1024) SAMPLE(1, 4096))

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }

// For checks without a GPU, on a device whose memory is not the host's.
extern "C" void *bench_to_device(const void *data, size_t bytes) {
  void *copy = nullptr;
  return ttMalloc(&copy, bytes) || ttMemcpy(copy, data, bytes, ttMemcpyHostToDevice) ? nullptr : copy;
}
extern "C" int bench_from_device(void *data, void *copy, size_t bytes) {
  ttError_t error = ttMemcpy(data, copy, bytes, ttMemcpyDeviceToHost);
  return error ? error : ttFree(copy);
}
