// Attention's backward pass, also with fewer heads of keys than of queries, and decoding. bench/gpu/backward.py
// compares these kernels with torch, in a shared library that Python opens. They have plain loops over blocks, as in
// Triton's tutorial: one kernel for the gradients of keys and values and one for those of queries; or one kernel for
// all gradients, which accumulates those of queries in memory, with one kernel before it and one after it.
//   tcc -O2 -shared -fPIC backward.tt.cpp -o libbackward.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

using T = tt::bfloat16;

/// delta[row] = sum(out * dout), for rows of D elements.
template <int BM, int D> __tile_global__ void row_products(const T *out, const T *dout, float *delta) {
  auto rows = tt::program_id(0) * BM + tt::arange<BM>();
  auto at = rows.col() * D + tt::arange<D>().row();
  tt::store(delta + rows, tt::sum<1>(tt::load(out + at).template to<float>() * tt::load(dout + at).template to<float>()));
}

/// Gradients of BN keys and values of one head; `scale` applies to the scores, `log_sum` is the log2 of the sums of
/// scaled scores.
template <int BM, int BN, int D, bool CAUSAL, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void keys_and_values(const T *q, const T *k, const T *v,
                                                                                      const T *dout, const float *log_sum,
                                                                                      const float *delta, T *dk, T *dv,
                                                                                      int length, float scale) {
  constexpr float log2e = 1.4426950408889634f;
  int64_t first = int64_t(tt::program_id(2) * tt::num_programs(0) + tt::program_id(0)) * length;
  int block = tt::program_id(1) * BN;
  auto n = block + tt::arange<BN>();
  auto m = tt::arange<BM>();
  auto d = tt::arange<D>();
  auto rows = n.col() * D + d.row();
  auto keys = tt::load(k + first * D + rows), values = tt::load(v + first * D + rows);
  auto pq = q + first * D + (m.col() * D + d.row());
  auto pd = dout + first * D + (m.col() * D + d.row());
  auto sum_k = tt::zeros<float, BN, D>(), sum_v = tt::zeros<float, BN, D>();
  auto step = [&](int from, bool masked) {
    auto queries = tt::load(pq + from * D), gradients = tt::load(pd + from * D);
    auto scores = tt::dot(keys, tt::trans(queries), tt::zeros<float, BN, BM>());
    auto dp = tt::dot(values, tt::trans(gradients), tt::zeros<float, BN, BM>());
    auto p = tt::exp2(scores * (scale * log2e) - tt::load(log_sum + first + from + m).row());
    if (masked)
      p = tt::where((from + m).row() >= n.col(), p, 0.0f);
    sum_v = tt::dot(p.template to<T>(), gradients, sum_v);
    auto ds = p * (dp - tt::load(delta + first + from + m).row());
    sum_k = tt::dot(ds.template to<T>(), queries, sum_k);
  };
  if (CAUSAL)
    for (int from = block; from < block + BN; from += BM)
      step(from, true);
  for (int from = CAUSAL ? block + BN : 0; from < length; from += BM)
    step(from, false);
  tt::store(dk + first * D + rows, (sum_k * scale).template to<T>());
  tt::store(dv + first * D + rows, sum_v.template to<T>());
}

/// Gradients of BM queries of one head.
template <int BM, int BN, int D, bool CAUSAL, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void queries(const T *q, const T *k, const T *v,
                                                                              const T *dout, const float *log_sum,
                                                                              const float *delta, T *dq, int length,
                                                                              float scale) {
  constexpr float log2e = 1.4426950408889634f;
  int64_t first = int64_t(tt::program_id(2) * tt::num_programs(0) + tt::program_id(0)) * length;
  // Blocks with many keys run first, so that they do not run alone at the end.
  int block = (CAUSAL ? tt::num_programs(1) - 1 - tt::program_id(1) : tt::program_id(1)) * BM;
  auto m = block + tt::arange<BM>();
  auto n = tt::arange<BN>();
  auto d = tt::arange<D>();
  auto rows = m.col() * D + d.row();
  auto queries = tt::load(q + first * D + rows), gradients = tt::load(dout + first * D + rows);
  auto of_row = tt::load(log_sum + first + m), products = tt::load(delta + first + m);
  auto pk = k + first * D + (n.col() * D + d.row());
  auto pv = v + first * D + (n.col() * D + d.row());
  auto sum = tt::zeros<float, BM, D>();
  auto step = [&](int from, bool masked) {
    auto keys = tt::load(pk + from * D), values = tt::load(pv + from * D);
    auto scores = tt::dot(queries, tt::trans(keys), tt::zeros<float, BM, BN>());
    auto dp = tt::dot(gradients, tt::trans(values), tt::zeros<float, BM, BN>());
    auto p = tt::exp2(scores * (scale * log2e) - of_row.col());
    if (masked)
      p = tt::where(m.col() >= (from + n).row(), p, 0.0f);
    auto ds = p * (dp - products.col());
    sum = tt::dot(ds.template to<T>(), keys, sum);
  };
  int full = CAUSAL ? block / BN * BN : length;
  for (int from = 0; from < full; from += BN)
    step(from, false);
  if (CAUSAL)
    for (int from = full; from < block + BM; from += BN)
      step(from, true);
  tt::store(dq + first * D + rows, (sum * scale).template to<T>());
}

/// Like row_products; also zeroes sum_q, which has as many floats as `dout` has elements.
template <int BM, int D> __tile_global__ void begin_gradients(const T *out, const T *dout, float *delta, float *sum_q) {
  auto rows = tt::program_id(0) * BM + tt::arange<BM>();
  auto at = rows.col() * D + tt::arange<D>().row();
  tt::store(sum_q + at, tt::zeros<float, BM, D>());
  tt::store(delta + rows, tt::sum<1>(tt::load(out + at).template to<float>() * tt::load(dout + at).template to<float>()));
}

/// All gradients from BN keys and values of one head; those of queries are added to `sum_q`. EARLY: loads the values of
/// rows before the products instead of where they are used.
template <int BM, int BN, int D, bool CAUSAL, int WARPS, int STAGES, bool EARLY>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void gradients(const T *q, const T *k, const T *v, const T *dout,
                                                                                const float *log_sum, const float *delta,
                                                                                float *sum_q, T *dk, T *dv, int length,
                                                                                float scale) {
  constexpr float log2e = 1.4426950408889634f;
  int64_t first = int64_t(tt::program_id(2) * tt::num_programs(0) + tt::program_id(0)) * length;
  int block = tt::program_id(1) * BN;
  auto n = block + tt::arange<BN>();
  auto m = tt::arange<BM>();
  auto d = tt::arange<D>();
  auto rows = n.col() * D + d.row();
  auto keys = tt::load(k + first * D + rows), values = tt::load(v + first * D + rows);
  auto pq = q + first * D + (m.col() * D + d.row());
  auto pd = dout + first * D + (m.col() * D + d.row());
  auto ps = sum_q + first * D + (m.col() * D + d.row());
  auto sum_k = tt::zeros<float, BN, D>(), sum_v = tt::zeros<float, BN, D>();
  auto step = [&](int from, bool masked) {
    auto queries = tt::load(pq + from * D), gradients = tt::load(pd + from * D);
    tt::tile<float, BM> of_row;
    if (EARLY)
      of_row = tt::load(log_sum + first + from + m);
    auto scores = tt::dot(keys, tt::trans(queries), tt::zeros<float, BN, BM>());
    auto dp = tt::dot(values, tt::trans(gradients), tt::zeros<float, BN, BM>());
    if (!EARLY)
      of_row = tt::load(log_sum + first + from + m);
    auto p = tt::exp2(scores * (scale * log2e) - of_row.row());
    if (masked)
      p = tt::where((from + m).row() >= n.col(), p, 0.0f);
    sum_v = tt::dot(p.template to<T>(), gradients, sum_v);
    auto ds = (p * (dp - tt::load(delta + first + from + m).row())).template to<T>();
    sum_k = tt::dot(ds, queries, sum_k);
    auto dq = tt::dot(tt::trans(ds), keys, tt::zeros<float, BM, D>());
    tt::atomic_add(ps + from * D, dq, true, tt::sem::relaxed);
  };
  if (CAUSAL)
    for (int from = block; from < block + BN; from += BM)
      step(from, true);
  for (int from = CAUSAL ? block + BN : 0; from < length; from += BM)
    step(from, false);
  tt::store(dk + first * D + rows, (sum_k * scale).template to<T>());
  tt::store(dv + first * D + rows, sum_v.template to<T>());
}

/// Gradients of queries, for rows of D elements.
template <int BM, int D> __tile_global__ void end_gradients(const float *sum_q, T *dq, float scale) {
  auto at = (tt::program_id(0) * BM + tt::arange<BM>()).col() * D + tt::arange<D>().row();
  tt::store(dq + at, (tt::load(sum_q + at) * scale).template to<T>());
}

/// One token of GROUP heads of queries (rows up to BM are padding) with a part of the keys of their head: writes the
/// part's unnormalized outputs with their maximum and sum. The grid: parts, heads of keys.
template <int BM, int BN, int D, int GROUP, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void decode(const T *q, const T *k, const T *v, float *part,
                                                                             float *stats, int length, float scale) {
  int split = tt::program_id(0), splits = tt::num_programs(0), head = tt::program_id(1);
  int begin = length / splits * split, end = begin + length / splits;
  auto m = tt::arange<BM>();
  auto n = tt::arange<BN>();
  auto d = tt::arange<D>();
  auto is_head = m < GROUP;
  auto queries = tt::load(q + head * GROUP * D + (m.col() * D + d.row()), is_head.col(), T(0));
  int64_t first = int64_t(head) * length * D;
  auto pk = k + first + (n.row() * D + d.col());
  auto pv = v + first + (n.col() * D + d.row());
  auto largest = tt::full<float, BM>(-1e30f);
  auto sum = tt::zeros<float, BM>();
  auto acc = tt::zeros<float, BM, D>();
  for (int from = begin; from < end; from += BN) {
    auto scores = tt::dot(queries, tt::load(pk + from * D), tt::zeros<float, BM, BN>()) * scale;
    auto next = tt::maximum(largest, tt::max<1>(scores));
    auto p = tt::exp2(scores - next.col());
    auto shrink = tt::exp2(largest - next);
    sum = sum * shrink + tt::sum<1>(p);
    acc = tt::dot(p.template to<T>(), tt::load(pv + from * D), acc * shrink.col());
    largest = next;
  }
  int64_t at = (int64_t(head) * splits + split) * GROUP;
  tt::store(part + at * D + (m.col() * D + d.row()), acc, is_head.col());
  tt::store(stats + (at + m) * 2, largest, is_head);
  tt::store(stats + (at + m) * 2 + 1, sum, is_head);
}

/// Combines the parts of a query head's output.
template <int SPLITS, int D, int GROUP>
[[tt::num_warps(1)]] __tile_global__ void join_parts(const float *part, const float *stats, T *out) {
  int head = tt::program_id(0) / GROUP, row = tt::program_id(0) % GROUP;
  auto at = (head * SPLITS + tt::arange<SPLITS>()) * GROUP + row;
  auto largest = tt::load(stats + at * 2), sum = tt::load(stats + at * 2 + 1);
  auto weight = tt::exp2(largest - tt::max(largest));
  auto d = tt::arange<D>();
  auto whole = tt::sum<0>(tt::load(part + (at.col() * D + d.row())) * weight.col());
  tt::store(out + tt::program_id(0) * D + d, (whole / tt::sum(sum * weight)).template to<T>());
}

/// Computes all gradients of `heads` with `length` rows of 128 elements, with the configurations of these numbers.
extern "C" int bench_backward(int of_keys, int of_queries, int causal, const T *q, const T *k, const T *v, const T *out,
                              const T *dout, const float *log_sum, float *delta, T *dq, T *dk, T *dv, int heads, int length,
                              float scale, ttStream_t stream) {
  constexpr int D = 128;
  // If the work per block varies, process in a group as many heads as have two tensors that fit in the L2 cache.
  int group = 1;
  while (causal && heads % (2 * group) == 0 && 2 * group * int64_t(length) * D * 4 <= 32 << 20)
    group *= 2;
  row_products<64, D><<<heads * length / 64, stream>>>(out, dout, delta);
#define KEYS(NUMBER, BM, BN, W, S)                                                                                     \
  if (of_keys == NUMBER)                                                                                               \
    (causal ? keys_and_values<BM, BN, D, true, W, S> : keys_and_values<BM, BN, D, false, W, S>)                        \
        <<<dim3(group, length / BN, heads / group), stream>>>(q, k, v, dout, log_sum, delta, dk, dv, length, scale);
#define QUERIES(NUMBER, BM, BN, W, S)                                                                                  \
  if (of_queries == NUMBER)                                                                                            \
    (causal ? queries<BM, BN, D, true, W, S> : queries<BM, BN, D, false, W, S>)                                        \
        <<<dim3(group, length / BM, heads / group), stream>>>(q, k, v, dout, log_sum, delta, dq, length, scale);
  KEYS(0, 64, 128, 8, 2)
  KEYS(1, 64, 64, 4, 2)
  KEYS(2, 32, 128, 8, 2)
  QUERIES(0, 128, 64, 8, 2)
  QUERIES(1, 64, 64, 4, 2)
  QUERIES(2, 128, 128, 8, 2)
#undef KEYS
#undef QUERIES
  return ttGetLastError();
}

/// The same, but the kernel for keys and values also computes the gradients of queries.
extern "C" int bench_gradients(int number, int causal, const T *q, const T *k, const T *v, const T *out, const T *dout,
                               const float *log_sum, float *delta, float *sum_q, T *dq, T *dk, T *dv, int heads, int length,
                               float scale, ttStream_t stream) {
  constexpr int D = 128;
  int group = 1;
  while (causal && heads % (2 * group) == 0 && 2 * group * int64_t(length) * D * 4 <= 32 << 20)
    group *= 2;
  begin_gradients<64, D><<<heads * length / 64, stream>>>(out, dout, delta, sum_q);
#define CASE(NUMBER, EARLY)                                                                                            \
  if (number == NUMBER)                                                                                                \
    (causal ? gradients<64, 128, D, true, 8, 2, EARLY> : gradients<64, 128, D, false, 8, 2, EARLY>)                    \
        <<<dim3(group, length / 128, heads / group), stream>>>(q, k, v, dout, log_sum, delta, sum_q, dk, dv, length, scale);
  CASE(0, false)
  CASE(1, true)
#undef CASE
  end_gradients<64, D><<<heads * length / 64, stream>>>(sum_q, dq, scale);
  return ttGetLastError();
}

/// Attention of one token: `kv_heads` (of all sequences) with `length` keys of 128 elements, and 4 heads of queries
/// each.
extern "C" int bench_decode(int splits, const T *q, const T *k, const T *v, float *part, float *stats, T *out, int kv_heads,
                            int length, float scale, ttStream_t stream) {
  constexpr int D = 128, GROUP = 4;
#define CASE(SPLITS)                                                                                                   \
  if (splits == SPLITS) {                                                                                              \
    decode<16, 64, D, GROUP, 4, 4><<<dim3(SPLITS, kv_heads), stream>>>(q, k, v, part, stats, length, scale);           \
    join_parts<SPLITS, D, GROUP><<<kv_heads * GROUP, stream>>>(part, stats, out);                                      \
    return ttGetLastError();                                                                                           \
  }
  CASE(1) CASE(2) CASE(4) CASE(8)
#undef CASE
  return ttErrorInvalidValue;
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
