// The matrix products that bench/gpu/matmul.py compares with cuBLAS and Triton, in a shared library that Python opens.
// The kernels follow those of peers.py line by line. Programs are in groups of GROUP rows of tiles, so that concurrent
// programs share operands in the L2 cache:
//   tcc -O2 -shared -fPIC matmul.tt.cpp -o libmatmul.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

#include <algorithm>
#include <string_view>

constexpr unsigned PROCESSORS = 132; // of an H100 or an H200

struct Tile {
  int m, n;
};

/// Returns a program's tile, in groups of GROUP rows of tiles, column by column. With GROUP 0, the grid has rows and
/// columns. This is for products so small that they fit in the cache, where two divisions take 3 % of the time.
template <int BM, int BN, int GROUP> __tile__ Tile tile_of(int pid, int M, int N) {
  if constexpr (GROUP == 0)
    return {pid, tt::program_id(1)};
  int rows = tt::cdiv(M, BM), columns = tt::cdiv(N, BN);
  int in_group = GROUP * columns, first = pid / in_group * GROUP;
  int size = rows - first < GROUP ? rows - first : GROUP;
  return {first + pid % in_group % size, pid % in_group / size};
}

/// Computes a tile of C = A B. Rows of B are `sb` elements apart; if BY_COLUMNS, B is column-major and its columns are.
template <class T, class Sum, class C, bool BY_COLUMNS, int BM, int BN, int BK>
__tile__ void multiply(const T *a, const T *b, C *c, Tile tile, int M, int N, int K, int sa, int sb, int sc) {
  auto k = tt::arange<BK>();
  auto pa = a + ((tile.m * BM + tt::arange<BM>()) % M)(tt::all, tt::newaxis) * sa + k(tt::newaxis, tt::all);
  auto columns_of_b = ((tile.n * BN + tt::arange<BN>()) % N)(tt::newaxis, tt::all);
  int along_k = BY_COLUMNS ? 1 : sb, along_n = BY_COLUMNS ? sb : 1;
  auto pb = b + k(tt::all, tt::newaxis) * along_k + columns_of_b * along_n;
  auto acc = tt::zeros<Sum, BM, BN>();
  for (int i = 0; i < tt::cdiv(K, BK); ++i) {
    auto x = tt::load(pa, k(tt::newaxis, tt::all) < K - i * BK, 0);
    auto y = tt::load(pb, k(tt::all, tt::newaxis) < K - i * BK, 0);
    acc = tt::dot(x, y, acc);
    pa += BK;
    pb += BK * along_k;
  }
  auto m = tile.m * BM + tt::arange<BM>();
  auto n = tile.n * BN + tt::arange<BN>();
  tt::store(c + m(tt::all, tt::newaxis) * sc + n(tt::newaxis, tt::all), acc.template to<C>(),
            (m < M)(tt::all, tt::newaxis) && (n < N)(tt::newaxis, tt::all));
}

/// One program per tile.
template <class T, class Sum, class C, bool BY_COLUMNS, int BM, int BN, int BK, int WARPS, int STAGES, int GROUP = 8>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void matmul(const T *a, const T *b, C *c, int M, int N,
                                                                             int K, int sa, int sb, int sc) {
  multiply<T, Sum, C, BY_COLUMNS, BM, BN, BK>(a, b, c, tile_of<BM, BN, GROUP>(tt::program_id(0), M, N), M, N, K, sa, sb, sc);
}

/// The same, with several programs per block.
template <class T, class Sum, class C, bool BY_COLUMNS, int BM, int BN, int BK, int WARPS, int STAGES, int GROUP = 8>
[[tt::persistent, tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void
matmul_by_blocks(const T *a, const T *b, C *c, int M, int N, int K, int sa, int sb, int sc) {
  multiply<T, Sum, C, BY_COLUMNS, BM, BN, BK>(a, b, c, tile_of<BM, BN, GROUP>(tt::program_id(0), M, N), M, N, K, sa, sb, sc);
}

/// The same with descriptors, whose sizes replace the masks and remainders above. LIMIT: max_num_imprecise_acc.
template <class T, class Sum, class C, bool BY_COLUMNS, int BM, int BN, int BK, int WARPS, int STAGES, int LIMIT = 0, int GROUP = 8>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void matmul_described(const T *a, const T *b, C *c, int M, int N,
                                                                                       int K, int sa, int sb, int sc) {
  auto [pm, pn] = tile_of<BM, BN, GROUP>(tt::program_id(0), M, N);
  auto from_a = tt::make_tensor_descriptor<BM, BK>(a, {M, K}, {sa, 1});
  auto to = tt::make_tensor_descriptor<BM, BN>(c, {M, N}, {sc, 1});
  auto acc = tt::zeros<Sum, BM, BN>();
  if constexpr (BY_COLUMNS) {
    auto from_b = tt::make_tensor_descriptor<BN, BK>(b, {N, K}, {sb, 1});
    for (int k = 0; k < K; k += BK)
      acc = tt::dot<tt::precision::tf32, LIMIT>(from_a.load({pm * BM, k}), tt::trans(from_b.load({pn * BN, k})), acc);
  } else {
    auto from_b = tt::make_tensor_descriptor<BK, BN>(b, {K, N}, {sb, 1});
    for (int k = 0; k < K; k += BK)
      acc = tt::dot(from_a.load({pm * BM, k}), from_b.load({k, pn * BN}), acc);
  }
  to.store({pm * BM, pn * BN}, acc.template to<C>());
}

/// Persistent programs, which compute one tile after another.
template <class T, class Sum, class C, bool BY_COLUMNS, int BM, int BN, int BK, int WARPS, int STAGES, int GROUP = 8>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void matmul_persistent(const T *a, const T *b, C *c, int M, int N,
                                                                                        int K, int sa, int sb, int sc) {
  auto from_a = tt::make_tensor_descriptor<BM, BK>(a, {M, K}, {sa, 1});
  auto to = tt::make_tensor_descriptor<BM, BN>(c, {M, N}, {sc, 1});
  for (int tile = tt::program_id(0); tile < tt::cdiv(M, BM) * tt::cdiv(N, BN); tile += tt::num_programs(0)) {
    auto [pm, pn] = tile_of<BM, BN, GROUP>(tile, M, N);
    int m = pm * BM, n = pn * BN;
    auto acc = tt::zeros<Sum, BM, BN>();
    if constexpr (BY_COLUMNS) {
      auto from_b = tt::make_tensor_descriptor<BN, BK>(b, {N, K}, {sb, 1});
      for (int k = 0; k < K; k += BK)
        acc = tt::dot(from_a.load({m, k}), tt::trans(from_b.load({n, k})), acc);
    } else {
      auto from_b = tt::make_tensor_descriptor<BK, BN>(b, {K, N}, {sb, 1});
      for (int k = 0; k < K; k += BK)
        acc = tt::dot(from_a.load({m, k}), from_b.load({k, n}), acc);
    }
    to.store({m, n}, acc.template to<C>());
  }
}

/// C = A B, of M x K and K x N elements of a supported type (8-bit B is column-major), with a supported configuration.
extern "C" int bench_matmul(const char *type, int form, int bm, int bn, int bk, int warps, int stages, const void *a, const void *b, void *c,
                            int m, int n, int k, ttStream_t stream) {
  std::string_view wanted = type;
#define CASE_ON(GRID, FORM, KERNEL, NAME, T, SUM, C, BY_COLUMNS, BM, BN, BK, W, S, ...)                                 \
  if (form == FORM && wanted == NAME && bm == BM && bn == BN && bk == BK && warps == W && stages == S) {               \
    unsigned rows = tt::cdiv(m, BM), columns = tt::cdiv(n, BN);                                                        \
    KERNEL<T, SUM, C, BY_COLUMNS, BM, BN, BK, W, S __VA_OPT__(, ) __VA_ARGS__><<<dim3 GRID, stream>>>(                  \
        (const T *)a, (const T *)b, (C *)c, m, n, k, k, BY_COLUMNS ? k : n, n);                                        \
    return ttGetLastError();                                                                                           \
  }
#define CASE(...) CASE_ON((rows * columns), __VA_ARGS__)
#define BOTH(...)                                                                                                      \
  CASE(0, matmul, __VA_ARGS__) CASE(1, matmul_described, __VA_ARGS__)                                                  \
  CASE_ON((std::min(PROCESSORS, rows * columns)), 2, matmul_persistent, __VA_ARGS__)                          \
  CASE(3, matmul_by_blocks, __VA_ARGS__)                                                                               \
  CASE_ON((std::min(PROCESSORS, rows * columns)), 4, matmul_persistent, __VA_ARGS__, 4)                                \
  CASE(5, matmul_by_blocks, __VA_ARGS__, 4)
#define BF16(...) BOTH("bf16", tt::bfloat16, float, tt::bfloat16, false, __VA_ARGS__)
#define SMALL(...)                                                                                                     \
  CASE_ON((rows, columns), 0, matmul, "bf16", tt::bfloat16, float, tt::bfloat16, false, __VA_ARGS__, 0)                \
  CASE_ON((rows, columns), 1, matmul_described, "bf16", tt::bfloat16, float, tt::bfloat16, false, __VA_ARGS__, 0, 0)
#define F16(...) BOTH("f16", tt::float16, float, tt::float16, false, __VA_ARGS__)
#define FP8(...) BOTH("fp8", tt::float8_e4m3fn, float, tt::bfloat16, true, __VA_ARGS__)
#define PRECISE(BM, BN, BK, W, S)                                                                                      \
  CASE(1, matmul_described, "fp8 precise", tt::float8_e4m3fn, float, tt::bfloat16, true, BM, BN, BK, W, S, 128)
#define INT8(...) BOTH("int8", int8_t, int, int, true, __VA_ARGS__)
  BF16(128, 256, 64, 8, 3) BF16(128, 256, 64, 8, 4) BF16(256, 128, 64, 8, 3) BF16(256, 128, 64, 8, 4) BF16(128, 128, 64, 4, 3)
  SMALL(128, 64, 128, 4, 3) SMALL(64, 128, 128, 4, 3) SMALL(128, 64, 64, 8, 4) SMALL(64, 64, 128, 4, 4) SMALL(128, 64, 64, 4, 4)
  SMALL(64, 128, 64, 4, 4) SMALL(128, 64, 128, 8, 3) SMALL(64, 128, 128, 4, 4) SMALL(64, 128, 64, 4, 6) SMALL(128, 64, 64, 4, 6)
  SMALL(64, 128, 64, 4, 8)
  F16(128, 256, 64, 8, 3) F16(128, 256, 64, 8, 4) F16(256, 128, 64, 8, 3) F16(256, 128, 64, 8, 4) F16(128, 128, 64, 4, 3)
  FP8(128, 256, 128, 8, 3) FP8(128, 256, 128, 8, 4) FP8(256, 128, 128, 8, 3) FP8(128, 128, 128, 4, 3)
  PRECISE(128, 128, 128, 8, 4) PRECISE(128, 128, 128, 4, 3)
  INT8(128, 256, 128, 8, 3) INT8(256, 128, 128, 8, 3) INT8(128, 128, 128, 4, 3)
#undef CASE
  return ttErrorInvalidValue;
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
