// Kernels as in papers and tutorials: one loop, a `where` for each mask, pointers. bench/gpu/plain.py compares them
// with torch and Triton, in a shared library that Python opens:
//   tcc -O2 -shared -fPIC plain.tt.cpp -o libplain.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

#include <string_view>

using T = tt::bfloat16;

enum Form { FULL, CAUSAL, WINDOW };

/// The rows of `out` are softmax(q k^T * scale) v of one head: over all keys, over keys up to the row's position
/// (CAUSAL), or over the last `window` of these. `scale` includes the factor log2(e). Heads are consecutive, each with
/// `length` rows of D elements.
template <Form FORM, int BM, int BN, int D>
__tile__ void attend(const T *q, const T *k, const T *v, T *out, int length, int window, float scale, int block) {
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
    auto scores = tt::dot(queries, keys) * scale;
    scores = tt::where((n < length).row(), scores, -1e30f);
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

/// Specifies only the number of stages, as Triton's users do: the compiler chooses the number of warps, and may let a
/// block run several programs.
template <Form FORM, int BM, int BN, int D, int STAGES>
[[tt::num_stages(STAGES)]] __tile_global__ void attention(const T *q, const T *k, const T *v, T *out, int length, int window,
                                                          float scale) {
  attend<FORM, BM, BN, D>(q, k, v, out, length, window, scale, tt::program_id(0));
}
/// CONSUMERS programs share a block; with 1, each has its own block.
template <Form FORM, int BM, int BN, int D, int STAGES, int CONSUMERS>
[[tt::num_stages(STAGES), tt::num_consumers(CONSUMERS)]] __tile_global__ void
attention_shared(const T *q, const T *k, const T *v, T *out, int length, int window, float scale) {
  attend<FORM, BM, BN, D>(q, k, v, out, length, window, scale, tt::program_id(0));
}

/// A tile of C = A B, as in Triton's tutorial: groups of 8 rows of tiles, row indices that wrap around, a mask along K.
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
template <int BM, int BN, int BK> __tile_global__ void matmul(const T *a, const T *b, T *c, int M, int N, int K) {
  multiply<BM, BN, BK>(a, b, c, M, N, K);
}
template <int BM, int BN, int BK, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void matmul_staged(const T *a, const T *b, T *c, int M, int N, int K) {
  multiply<BM, BN, BK>(a, b, c, M, N, K);
}
template <int BM, int BN, int BK, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES), tt::persistent]] __tile_global__ void matmul_persistent(const T *a, const T *b, T *c, int M,
                                                                                                        int N, int K) {
  multiply<BM, BN, BK>(a, b, c, M, N, K);
}

#define CASE(NAME, BLOCKS, KERNEL, ...)                                                                                \
  if (wanted == NAME) {                                                                                                \
    KERNEL<<<BLOCKS, stream>>>(__VA_ARGS__);                                                                           \
    return ttGetLastError();                                                                                           \
  }

/// `heads` with `length` rows of bf16 elements each.
extern "C" int bench_plain_attention(const char *name, const T *q, const T *k, const T *v, T *out, int heads, int length, int window,
                                     float scale, ttStream_t stream) {
  std::string_view wanted = name;
#define ONE(NAME, BM, ...) CASE(NAME, dim3(tt::cdiv(length, BM), heads), (__VA_ARGS__), q, k, v, out, length, window, scale)
#define FORMS(NAME, BM, KERNEL, ...)                                                                                   \
  ONE("full " NAME, BM, KERNEL<FULL, BM, __VA_ARGS__>) ONE("causal " NAME, BM, KERNEL<CAUSAL, BM, __VA_ARGS__>)        \
  ONE("window " NAME, BM, KERNEL<WINDOW, BM, __VA_ARGS__>)
  FORMS("64: 128x128", 128, attention, 128, 64, 3) FORMS("64: 128x64", 128, attention, 64, 64, 3)
  FORMS("64: 64x128", 64, attention, 128, 64, 3) FORMS("128: 128x128", 128, attention, 128, 128, 2)
  FORMS("128: 128x64", 128, attention, 64, 128, 3)
#ifndef ONLY_PLAIN
  FORMS("64: 128x128, a block each", 128, attention_shared, 128, 64, 3, 1)
  FORMS("64: 64x128, 2 share", 64, attention_shared, 128, 64, 3, 2)
  FORMS("64: 64x128, 3 share", 64, attention_shared, 128, 64, 3, 3)
  FORMS("128: 128x128, a block each", 128, attention_shared, 128, 128, 2, 1)
  FORMS("128: 64x128, 2 share", 64, attention_shared, 128, 128, 2, 2)
#endif
  return ttErrorInvalidValue;
}

extern "C" int bench_plain_matmul(const char *name, const T *a, const T *b, T *c, int m, int n, int k, ttStream_t stream) {
  std::string_view wanted = name;
#undef ONE
#define ONE(NAME, BM, BN, ...) CASE(NAME, unsigned(tt::cdiv(m, BM) * tt::cdiv(n, BN)), (__VA_ARGS__), a, b, c, m, n, k)
  ONE("128x128", 128, 128, matmul<128, 128, 64>) ONE("128x256", 128, 256, matmul<128, 256, 64>)
#ifndef ONLY_PLAIN
  ONE("256x128", 256, 128, matmul<256, 128, 64>)
  ONE("128x128, 4 warps", 128, 128, matmul_staged<128, 128, 64, 4, 3>)
  ONE("128x128, 4 stages", 128, 128, matmul_staged<128, 128, 64, 8, 4>)
  ONE("128x256, 4 stages", 128, 256, matmul_staged<128, 256, 64, 8, 4>)
  ONE("256x128, 4 stages", 256, 128, matmul_staged<256, 128, 64, 8, 4>)
  ONE("128x128, persistent", 128, 128, matmul_persistent<128, 128, 64, 8, 4>)
  ONE("128x256, persistent", 128, 256, matmul_persistent<128, 256, 64, 8, 4>)
#endif
  return ttErrorInvalidValue;
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
