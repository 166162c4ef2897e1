// The attention that bench/gpu/attention.py measures beside torch's (cuDNN's or FlashAttention's), in a
// shared library that Python opens. The plain loop: scores of a block of keys, a running maximum and sum, and the
// product with the values.
//   tcc -O2 -shared -fPIC attention.tt.cpp -o libattention.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

/// Rows of `out` are softmax(q k^T * scale) v of one head; `scale` has the factor log2(e) in it. Heads lie one behind
/// the other, each of `length` rows of D.
template <class T, int BM, int BN, int D, bool CAUSAL, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void attention(const T *q, const T *k, const T *v, T *out,
                                                                                int length, float scale) {
  // Blocks that see many keys first: else the last ones would be alone.
  int block = CAUSAL ? tt::num_programs(0) - 1 - tt::program_id(0) : tt::program_id(0), head = tt::program_id(1);
  auto m = block * BM + tt::arange<BM>();
  auto n = tt::arange<BN>();
  auto d = tt::arange<D>();
  int64_t first = int64_t(head) * length * D;
  auto rows = m(tt::all, tt::newaxis) * D + d(tt::newaxis, tt::all);
  auto queries = tt::load(q + first + rows);
  auto pk = k + first + (n(tt::newaxis, tt::all) * D + d(tt::all, tt::newaxis));
  auto pv = v + first + (n(tt::all, tt::newaxis) * D + d(tt::newaxis, tt::all));
  auto largest = tt::full<float, BM>(-1e30f);
  auto sum = tt::zeros<float, BM>();
  auto acc = tt::zeros<float, BM, D>();
  auto step = [&](int from, bool masked) {
    auto scores = tt::dot(queries, tt::load(pk + from * D), tt::zeros<float, BM, BN>());
    if (masked)
      scores = tt::where(m(tt::all, tt::newaxis) >= (from + n)(tt::newaxis, tt::all), scores, -1e30f);
    auto next = tt::maximum(largest, tt::max<1>(scores) * scale);
    auto p = tt::exp2(scores * scale - next(tt::all, tt::newaxis));
    auto shrink = tt::exp2(largest - next);
    sum = sum * shrink + tt::sum<1>(p);
    acc = acc * shrink(tt::all, tt::newaxis);
    acc = tt::dot(p.template to<T>(), tt::load(pv + from * D), acc);
    largest = next;
  };
  // Blocks of keys that all of these rows see need no mask.
  int full = CAUSAL ? block * BM / BN * BN : length;
  for (int from = 0; from < full; from += BN)
    step(from, false);
  if (CAUSAL)
    for (int from = full; from < block * BM + BM; from += BN)
      step(from, true);
  tt::store(out + first + rows, (acc / sum(tt::all, tt::newaxis)).template to<T>());
}

/// `heads` of `length` rows of `d` bf16 each.
extern "C" int bench_attention(int bm, int bn, int warps, int stages, int causal, const tt::bfloat16 *q,
                               const tt::bfloat16 *k, const tt::bfloat16 *v, tt::bfloat16 *out, int heads, int length, int d,
                               float scale, ttStream_t stream) {
#define CASE(BM, BN, D, W, S)                                                                                          \
  if (bm == BM && bn == BN && d == D && warps == W && stages == S) {                                                   \
    dim3 grid(length / BM, heads);                                                                                     \
    if (causal)                                                                                                        \
      attention<tt::bfloat16, BM, BN, D, true, W, S><<<grid, stream>>>(q, k, v, out, length, scale);                   \
    else                                                                                                               \
      attention<tt::bfloat16, BM, BN, D, false, W, S><<<grid, stream>>>(q, k, v, out, length, scale);                  \
    return ttGetLastError();                                                                                           \
  }
  CASE(128, 64, 64, 8, 3) CASE(128, 128, 64, 8, 3) CASE(64, 64, 64, 4, 3) CASE(64, 128, 64, 4, 2) CASE(256, 64, 64, 16, 3)
  CASE(128, 64, 128, 8, 3) CASE(128, 128, 128, 8, 2) CASE(128, 128, 128, 8, 3) CASE(64, 64, 128, 4, 2)
#undef CASE
  return ttErrorInvalidValue;
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
