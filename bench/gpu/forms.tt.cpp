// Variations of matrix products: grouped by expert, and with 4-bit weights. bench/gpu/forms.py compares them with the
// same kernels in Triton (peers.py), line by line, in a shared library that Python opens:
//   tcc -O2 -shared -fPIC forms.tt.cpp -o libforms.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

#include <string_view>

using T = tt::bfloat16;

/// The rows of C are the rows of A, multiplied by the matrix of their expert. Tile i of rows belongs to expert
/// `expert[i]` and begins at row `begin[i]`; an expert's rows end at `end[expert]`.
template <int BM, int BN, int BK>
__tile__ void multiply_by_experts(const T *a, const T *b, T *c, const int *expert, const int *begin, const int *end, int N, int K) {
  constexpr int GROUP = 8;
  int columns = N / BN, rows = tt::num_programs(0) / columns, pid = tt::program_id(0);
  int in_group = GROUP * columns, first = pid / in_group * GROUP;
  int size = rows - first < GROUP ? rows - first : GROUP;
  int pm = first + pid % in_group % size, pn = pid % in_group / size;
  int e = tt::load(expert + pm);
  auto m = tt::load(begin + pm) + tt::arange<BM>();
  auto n = pn * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto mask = (m < tt::load(end + e)).col();
  auto pa = a + (m.col() * K + k.row());
  auto pb = b + int64_t(e) * K * N + (k.col() * N + n.row());
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    acc = tt::dot(tt::load(pa, mask, T(0)), tt::load(pb), acc);
    pa += BK;
    pb += BK * N;
  }
  tt::store(c + (m.col() * N + n.row()), acc.template to<T>(), mask);
}

/// One program per tile.
template <int BM, int BN, int BK, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void grouped(const T *a, const T *b, T *c, const int *expert,
                                                                              const int *begin, const int *end, int N, int K) {
  multiply_by_experts<BM, BN, BK>(a, b, c, expert, begin, end, N, K);
}

/// Each block runs several programs.
template <int BM, int BN, int BK, int WARPS, int STAGES>
[[tt::persistent, tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void
grouped_by_blocks(const T *a, const T *b, T *c, const int *expert, const int *begin, const int *end, int N, int K) {
  multiply_by_experts<BM, BN, BK>(a, b, c, expert, begin, end, N, K);
}

/// C = A B. Byte (k / 2, n) holds B's elements (k, n) and (k + 1, n): its halves minus 8, times the scale of their
/// group of 128.
template <int BM, int BN, int BK, int WARPS, int STAGES>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void int4_weights(const T *a, const uint8_t *b, const T *scales, T *c,
                                                                           int M, int N, int K) {
  constexpr int GROUP = 128;
  auto m = tt::program_id(1) * BM + tt::arange<BM>();
  auto n = tt::program_id(0) * BN + tt::arange<BN>();
  auto half = tt::arange<BK / 2>();
  auto whole = tt::arange<BK>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int k = 0; k < K; k += BK) {
    auto x = tt::load(a + (m.col() * K + (k + whole).row()), (m < M).col(), T(0));
    auto packed = tt::load(b + ((k / 2 + half).col() * N + n.row()));
    auto low = (packed & 15).template to<T>(), high = (packed >> 4).template to<T>();
    auto y = tt::reshape<BK, BN>(tt::permute<0, 2, 1>(tt::join(low, high)));
    auto scale = tt::load(scales + k / GROUP * N + n);
    acc = tt::dot(x, (y - T(8)) * scale.row(), acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc.template to<T>(), (m < M).col());
}

extern "C" int bench_grouped(int by_blocks, int bm, int bn, int bk, int warps, int stages, const T *a, const T *b, T *c, const int *expert,
                             const int *begin, const int *end, int tiles, int n, int k, ttStream_t stream) {
#define CASE(BM, BN, BK, W, S)                                                                                         \
  if (bm == BM && bn == BN && bk == BK && warps == W && stages == S) {                                                 \
    if (by_blocks)                                                                                                     \
      grouped_by_blocks<BM, BN, BK, W, S><<<tiles * (n / BN), stream>>>(a, b, c, expert, begin, end, n, k);            \
    else                                                                                                               \
      grouped<BM, BN, BK, W, S><<<tiles * (n / BN), stream>>>(a, b, c, expert, begin, end, n, k);                      \
    return ttGetLastError();                                                                                           \
  }
  CASE(128, 256, 64, 8, 3) CASE(128, 256, 64, 8, 4) CASE(256, 128, 64, 8, 3) CASE(256, 128, 64, 8, 4) CASE(128, 128, 64, 4, 3)
  CASE(64, 128, 64, 4, 4)
#undef CASE
  return ttErrorInvalidValue;
}

extern "C" int bench_int4(int bm, int bn, int bk, int warps, int stages, const T *a, const uint8_t *b, const T *scales, T *c,
                          int m, int n, int k, ttStream_t stream) {
#define CASE(BM, BN, BK, W, S)                                                                                         \
  if (bm == BM && bn == BN && bk == BK && warps == W && stages == S) {                                                 \
    int4_weights<BM, BN, BK, W, S><<<dim3(n / BN, tt::cdiv(m, BM)), stream>>>(a, b, scales, c, m, n, k);                       \
    return ttGetLastError();                                                                                           \
  }
  CASE(16, 64, 128, 4, 3) CASE(16, 64, 128, 4, 4) CASE(16, 32, 128, 4, 4) CASE(16, 128, 64, 4, 4) CASE(16, 64, 64, 4, 4)
  CASE(128, 128, 64, 8, 3) CASE(128, 128, 64, 4, 3) CASE(128, 256, 64, 8, 3) CASE(128, 128, 64, 4, 4) CASE(128, 64, 64, 4, 4)
  CASE(128, 128, 128, 8, 3)
#undef CASE
  return ttErrorInvalidValue;
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
