// The attention kernels that bench/gpu/attention.py compares with torch's (cuDNN's or FlashAttention's), in a shared
// library that Python opens. The plain loop: scores of a block of keys, a running maximum and sum, and the product with
// the values.
//   tcc -O2 -shared -fPIC attention.tt.cpp -o libattention.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

/// Computes the weights of a block of keys from their scores, for rows whose sums are rescaled to the new maximum.
template <int BM, int BN, int D>
__tile__ auto weigh(tt::tile<float, BM, BN> scores, float scale, tt::tile<float, BM> &largest, tt::tile<float, BM> &sum,
                    tt::tile<float, BM, D> &acc) {
  auto next = tt::maximum(largest, tt::max<1>(scores) * scale);
  auto p = tt::exp2(scores * scale - next.col());
  auto shrink = tt::exp2(largest - next);
  sum = sum * shrink + tt::sum<1>(p);
  acc = acc * shrink.col();
  largest = next;
  return p;
}

/// The rows of `out` are softmax(q k^T * scale) v of one head; `scale` includes the factor log2(e). Heads are
/// consecutive, each with `length` rows of D elements; SHARED heads of queries use one head of keys and values.
template <int BM, int BN, int D, bool CAUSAL, int SHARED, class T>
__tile__ void attend(const T *q, const T *k, const T *v, T *out, int length, float scale, int block, int head) {
  auto m = block * BM + tt::arange<BM>();
  auto n = tt::arange<BN>();
  auto d = tt::arange<D>();
  int64_t first = int64_t(head) * length * D, first_key = int64_t(head / SHARED) * length * D;
  auto rows = m.col() * D + d.row();
  auto queries = tt::load(q + first + rows);
  auto pk = k + first_key + (n.row() * D + d.col());
  auto pv = v + first_key + (n.col() * D + d.row());
  auto largest = tt::full<float, BM>(-1e30f);
  auto sum = tt::zeros<float, BM>();
  auto acc = tt::zeros<float, BM, D>();
  auto step = [&](int from, bool masked) {
    auto scores = tt::dot(queries, tt::load(pk + from * D), tt::zeros<float, BM, BN>());
    if (masked)
      scores = tt::where(m.col() >= (from + n).row(), scores, -1e30f);
    auto p = weigh(scores, scale, largest, sum, acc);
    acc = tt::dot(p.template to<T>(), tt::load(pv + from * D), acc);
  };
  // Blocks of keys that all of these rows attend to need no mask.
  int full = CAUSAL ? block * BM / BN * BN : length;
  for (int from = 0; from < full; from += BN)
    step(from, false);
  if (CAUSAL)
    for (int from = full; from < block * BM + BM; from += BN)
      step(from, true);
  tt::store(out + first + rows, (acc / sum.col()).template to<T>());
}

/// Each program computes a block of rows. Blocks with many keys come first, for all heads of a group, so that they do
/// not run alone at the end.
template <class T, int BM, int BN, int D, bool CAUSAL, int WARPS, int STAGES, int SHARED, int CONSUMERS>
[[tt::num_warps(WARPS), tt::num_stages(STAGES), tt::num_consumers(CONSUMERS)]] __tile_global__ void
attention(const T *q, const T *k, const T *v, T *out, int length, float scale) {
  int block = CAUSAL ? tt::num_programs(1) - 1 - tt::program_id(1) : tt::program_id(1);
  attend<BM, BN, D, CAUSAL, SHARED>(q, k, v, out, length, scale, block, tt::program_id(2) * tt::num_programs(0) + tt::program_id(0));
}

/// The same with persistent programs, in the same order: `side` is the number of heads in a group.
template <class T, int BM, int BN, int D, bool CAUSAL, int WARPS, int STAGES, int SHARED>
[[tt::num_warps(WARPS), tt::num_stages(STAGES), tt::persistent]] __tile_global__ void
attention_persistent(const T *q, const T *k, const T *v, T *out, int length, int side, float scale) {
  int number = tt::program_id(0), blocks = length / BM, group = number / (side * blocks), place = number % (side * blocks);
  int block = CAUSAL ? blocks - 1 - place / side : place / side;
  attend<BM, BN, D, CAUSAL, SHARED>(q, k, v, out, length, scale, block, group * side + place % side);
}

/// The same for consecutive sequences of different lengths: sequence i begins at token starts[i], and tokens are
/// `stride` elements apart. The grid: heads, blocks of the longest sequence, sequences.
template <class T, int BM, int BN, int D, bool CAUSAL, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void
attention_varlen(const T *q, const T *k, const T *v, T *out, const int *starts, int stride, float scale) {
  int block = CAUSAL ? tt::num_programs(1) - 1 - tt::program_id(1) : tt::program_id(1);
  int begin = tt::load(starts + tt::program_id(2)), length = tt::load(starts + tt::program_id(2) + 1) - begin;
  auto m = block * BM + tt::arange<BM>();
  auto n = tt::arange<BN>();
  auto d = tt::arange<D>();
  int64_t first = int64_t(begin) * stride + tt::program_id(0) * D;
  auto rows = m.col() * stride + d.row();
  auto is_row = (m < length).col();
  auto queries = tt::load(q + first + rows, is_row, T(0));
  auto pk = k + first + (n.row() * stride + d.col());
  auto pv = v + first + (n.col() * stride + d.row());
  auto largest = tt::full<float, BM>(-1e30f);
  auto sum = tt::zeros<float, BM>();
  auto acc = tt::zeros<float, BM, D>();
  // Only the last blocks contain keys after a row's position or after the end of the sequence.
  int seen = block * BM >= length ? 0 : CAUSAL && block * BM + BM < length ? block * BM + BM : length;
  int full = (CAUSAL && block * BM < seen ? block * BM : seen) / BN * BN;
  for (int from = 0; from < full; from += BN) {
    auto p = weigh(tt::dot(queries, tt::load(pk + from * stride), tt::zeros<float, BM, BN>()), scale, largest, sum, acc);
    acc = tt::dot(p.template to<T>(), tt::load(pv + from * stride), acc);
  }
  for (int from = full; from < seen; from += BN) {
    auto is_key = from + n < length;
    auto scores = tt::dot(queries, tt::load(pk + from * stride, is_key.row(), T(0)), tt::zeros<float, BM, BN>());
    if (CAUSAL)
      scores = tt::where(m.col() >= (from + n).row(), scores, -1e30f);
    auto p = weigh(tt::where(is_key.row(), scores, -1e30f), scale, largest, sum, acc);
    acc = tt::dot(p.template to<T>(), tt::load(pv + from * stride, is_key.col(), T(0)), acc);
  }
  tt::store(out + first + rows, (acc / sum.col()).template to<T>(), is_row);
}

/// `heads` of queries with `length` rows of `d` bf16 elements each; `shared` of them use one head of keys and values.
/// `consumers` programs share a block; with 0, persistent programs compute many blocks of rows.
extern "C" int bench_attention(int bm, int bn, int warps, int stages, int consumers, int causal, int shared, const tt::bfloat16 *q,
                               const tt::bfloat16 *k, const tt::bfloat16 *v, tt::bfloat16 *out, int heads, int length, int d,
                               float scale, ttStream_t stream) {
  // If the work per block varies, process in a group as many heads as have keys and values that fit in the L2 cache.
  int group = 1;
  while (causal && heads % (2 * group) == 0 && 2 * group / shared * int64_t(length) * d * 4 <= 32 << 20)
    group *= 2;
#define CASE(BM, BN, D, W, S, C, SHARED)                                                                               \
  if (bm == BM && bn == BN && d == D && warps == W && stages == S && consumers == C && shared == SHARED) {             \
    dim3 grid(group, length / BM, heads / group);                                                                      \
    if (causal)                                                                                                        \
      attention<tt::bfloat16, BM, BN, D, true, W, S, SHARED, C><<<grid, stream>>>(q, k, v, out, length, scale);        \
    else                                                                                                               \
      attention<tt::bfloat16, BM, BN, D, false, W, S, SHARED, C><<<grid, stream>>>(q, k, v, out, length, scale);       \
    return ttGetLastError();                                                                                           \
  }
  CASE(128, 64, 64, 8, 3, 1, 1) CASE(128, 128, 64, 8, 3, 1, 1) CASE(64, 64, 64, 4, 3, 1, 1) CASE(64, 128, 64, 4, 2, 1, 1)
  CASE(256, 64, 64, 16, 3, 1, 1) CASE(64, 128, 64, 4, 3, 3, 1) CASE(64, 128, 64, 4, 3, 2, 1) CASE(64, 64, 64, 4, 3, 3, 1)
  CASE(128, 64, 128, 8, 3, 1, 1) CASE(128, 128, 128, 8, 2, 1, 1) CASE(128, 128, 128, 8, 3, 1, 1) CASE(64, 64, 128, 4, 2, 1, 1)
  CASE(64, 128, 128, 4, 3, 2, 1) CASE(64, 64, 128, 4, 3, 3, 1)
  CASE(128, 128, 128, 8, 2, 1, 4)
#undef CASE
#define CASE(BM, BN, D, W, S)                                                                                          \
  if (bm == BM && bn == BN && d == D && warps == W && stages == S && consumers == 0 && shared == 1) {                  \
    dim3 grid(heads * (length / BM));                                                                                  \
    if (causal)                                                                                                        \
      attention_persistent<tt::bfloat16, BM, BN, D, true, W, S, 1><<<grid, stream>>>(q, k, v, out, length, group, scale);  \
    else                                                                                                               \
      attention_persistent<tt::bfloat16, BM, BN, D, false, W, S, 1><<<grid, stream>>>(q, k, v, out, length, group, scale); \
    return ttGetLastError();                                                                                           \
  }
  CASE(128, 128, 64, 8, 3) CASE(128, 128, 64, 8, 4) CASE(256, 64, 64, 16, 3) CASE(128, 128, 128, 8, 2) CASE(128, 128, 128, 8, 3)
#undef CASE
  return ttErrorInvalidValue;
}

/// Sequences of tokens with `heads` of `d` bf16 elements each; `longest` is the maximum number of tokens.
extern "C" int bench_varlen(int bm, int bn, int warps, int stages, int causal, const tt::bfloat16 *q, const tt::bfloat16 *k,
                            const tt::bfloat16 *v, tt::bfloat16 *out, const int *starts, int sequences, int longest, int heads,
                            int d, float scale, ttStream_t stream) {
#define CASE(BM, BN, D, W, S)                                                                                          \
  if (bm == BM && bn == BN && d == D && warps == W && stages == S) {                                                   \
    dim3 grid(heads, tt::cdiv(longest, BM), sequences);                                                                \
    if (causal)                                                                                                        \
      attention_varlen<tt::bfloat16, BM, BN, D, true, W, S><<<grid, stream>>>(q, k, v, out, starts, heads * D, scale); \
    else                                                                                                               \
      attention_varlen<tt::bfloat16, BM, BN, D, false, W, S><<<grid, stream>>>(q, k, v, out, starts, heads * D, scale); \
    return ttGetLastError();                                                                                           \
  }
  CASE(128, 128, 128, 8, 2) CASE(64, 64, 128, 4, 2)
#undef CASE
  return ttErrorInvalidValue;
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
