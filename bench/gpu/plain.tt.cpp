// Kernels as papers and tutorials have them: one loop, one `where`, pointers, and no attribute where the compiler can choose. What
// bench/gpu/plain.py measures beside torch and Triton, in a shared library that Python opens:
//   tcc -O2 -shared -fPIC plain.tt.cpp -o libplain.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

using T = tt::bfloat16;

enum Form { FULL, CAUSAL, WINDOW };

/// Rows of `out` are softmax(q k^T * scale) v of one head, of the keys in a row's past (CAUSAL), or of the last `window` of these;
/// `scale` has the factor log2(e) in it. Heads lie one behind the other, each of `length` rows of D.
template <Form FORM, int BM, int BN, int D>
__tile__ void attend(const T *q, const T *k, const T *v, T *out, int length, int window, float scale) {
  int block = tt::program_id(0);
  int64_t head = int64_t(tt::program_id(1)) * length * D;
  auto m = block * BM + tt::arange<BM>();
  auto d = tt::arange<D>();
  auto rows = m.col() * D + d.row();
  auto queries = tt::load(q + head + rows, (m < length).col(), T(0));
  auto largest = tt::full<float, BM>(-1e30f);
  auto sum = tt::zeros<float, BM>();
  auto acc = tt::zeros<float, BM, D>();
  int begin = FORM == WINDOW && block * BM > window ? (block * BM - window) / BN * BN : 0;
  int end = FORM == FULL || block * BM + BM > length ? length : block * BM + BM;
  for (int from = begin; from < end; from += BN) {
    auto n = from + tt::arange<BN>();
    auto keys = tt::load(k + head + (n.row() * D + d.col()), (n < length).row(), T(0));
    auto scores = tt::dot(queries, keys);
    scores = tt::where((n < length).row(), scores * scale, -1e30f);
    if (FORM != FULL)
      scores = tt::where(m.col() >= n.row(), scores, -1e30f);
    if (FORM == WINDOW)
      scores = tt::where(m.col() - n.row() < window, scores, -1e30f);
    auto next = tt::maximum(largest, tt::max<1>(scores));
    auto p = tt::exp2(scores - next.col());
    auto shrink = tt::exp2(largest - next);
    sum = sum * shrink + tt::sum<1>(p);
    auto values = tt::load(v + head + (n.col() * D + d.row()), (n < length).col(), T(0));
    acc = tt::dot(p.template to<T>(), values, acc * shrink.col());
    largest = next;
  }
  tt::store(out + head + rows, (acc / sum.col()).template to<T>(), (m < length).col());
}

template <Form FORM, int BM, int BN, int D, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void attention(const T *q, const T *k, const T *v, T *out,
                                                                                int length, int window, float scale) {
  attend<FORM, BM, BN, D>(q, k, v, out, length, window, scale);
}

/// The same without any attribute.
template <Form FORM, int BM, int BN, int D>
__tile_global__ void attention_chosen(const T *q, const T *k, const T *v, T *out, int length, int window, float scale) {
  attend<FORM, BM, BN, D>(q, k, v, out, length, window, scale);
}

/// A tile of C = A B, as Triton's tutorial has it: groups of 8 rows of tiles, rows that begin again, a mask along K.
template <int BM, int BN, int BK> __tile__ void multiply(const T *a, const T *b, T *c, int M, int N, int K) {
  int rows = tt::cdiv(M, BM), columns = tt::cdiv(N, BN), pid = tt::program_id(0);
  int in_group = 8 * columns, first = pid / in_group * 8;
  int size = rows - first < 8 ? rows - first : 8;
  int pm = first + pid % in_group % size, pn = pid % in_group / size;
  auto m = pm * BM + tt::arange<BM>();
  auto n = pn * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto pa = a + ((m % M).col() * K + k.row());
  auto pb = b + (k.col() * N + (n % N).row());
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < tt::cdiv(K, BK); ++i) {
    acc = tt::dot(tt::load(pa, k.row() < K - i * BK, T(0)), tt::load(pb, k.col() < K - i * BK, T(0)), acc);
    pa += BK;
    pb += BK * N;
  }
  tt::store(c + (m.col() * N + n.row()), acc.template to<T>(), (m < M).col() && (n < N).row());
}

template <int BM, int BN, int BK, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void matmul(const T *a, const T *b, T *c, int M, int N, int K) {
  multiply<BM, BN, BK>(a, b, c, M, N, K);
}

template <int BM, int BN, int BK> __tile_global__ void matmul_chosen(const T *a, const T *b, T *c, int M, int N, int K) {
  multiply<BM, BN, BK>(a, b, c, M, N, K);
}

/// `heads` of `length` rows of `d` bf16 each. No warps: the compiler chooses.
extern "C" int bench_plain_attention(int form, int bm, int bn, int warps, int stages, const T *q, const T *k, const T *v, T *out, int heads,
                                     int length, int d, int window, float scale, ttStream_t stream) {
  dim3 grid(tt::cdiv(length, bm), heads);
#define FORM(F, KERNEL, ...)                                                                                           \
  if (form == F)                                                                                                       \
    KERNEL<F, __VA_ARGS__><<<grid, stream>>>(q, k, v, out, length, window, scale);
#define CASE(BM, BN, D, W, S)                                                                                          \
  if (bm == BM && bn == BN && d == D && warps == W && stages == S) {                                                   \
    FORM(FULL, attention, BM, BN, D, W, S) FORM(CAUSAL, attention, BM, BN, D, W, S) FORM(WINDOW, attention, BM, BN, D, W, S) \
    return ttGetLastError();                                                                                           \
  }
#define CHOSEN(BM, BN, D)                                                                                              \
  if (bm == BM && bn == BN && d == D && warps == 0) {                                                                  \
    FORM(FULL, attention_chosen, BM, BN, D) FORM(CAUSAL, attention_chosen, BM, BN, D) FORM(WINDOW, attention_chosen, BM, BN, D) \
    return ttGetLastError();                                                                                           \
  }
  CASE(128, 128, 64, 8, 3) CASE(128, 64, 64, 8, 3) CASE(64, 128, 64, 4, 3) CHOSEN(128, 128, 64) CHOSEN(128, 64, 64) CHOSEN(64, 128, 64)
  CASE(128, 128, 128, 8, 2) CASE(128, 64, 128, 8, 3) CHOSEN(128, 128, 128) CHOSEN(128, 64, 128)
#undef CHOSEN
#undef CASE
  return ttErrorInvalidValue;
}

extern "C" int bench_plain_matmul(int bm, int bn, int bk, int warps, int stages, const T *a, const T *b, T *c, int m, int n, int k,
                                  ttStream_t stream) {
  unsigned tiles = tt::cdiv(m, bm) * tt::cdiv(n, bn);
#define CASE(BM, BN, BK, W, S)                                                                                         \
  if (bm == BM && bn == BN && bk == BK && warps == W && stages == S) {                                                 \
    matmul<BM, BN, BK, W, S><<<tiles, stream>>>(a, b, c, m, n, k);                                                     \
    return ttGetLastError();                                                                                           \
  }
#define CHOSEN(BM, BN, BK)                                                                                             \
  if (bm == BM && bn == BN && bk == BK && warps == 0) {                                                                \
    matmul_chosen<BM, BN, BK><<<tiles, stream>>>(a, b, c, m, n, k);                                                    \
    return ttGetLastError();                                                                                           \
  }
  CASE(128, 128, 64, 8, 3) CASE(128, 128, 64, 4, 3) CASE(128, 256, 64, 8, 3) CASE(128, 256, 64, 8, 4) CASE(128, 128, 64, 8, 4)
  CHOSEN(128, 128, 64) CHOSEN(128, 256, 64)
  return ttErrorInvalidValue;
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
