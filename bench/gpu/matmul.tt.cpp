// The matrix product that bench/gpu/matmul.py measures beside cuBLAS, in a shared library that Python opens; line by line
// Triton's (peers.py's style), with programs in groups of GROUP rows of tiles so that those that run at once share operands
// in the second-level cache:
//   tcc -O2 -shared -fPIC matmul.tt.cpp -o libmatmul.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

template <class T, int BM, int BN, int BK, int WARPS, int STAGES, int GROUP = 8>
[[tt::num_warps(WARPS), tt::num_stages(STAGES)]] __tile_global__ void matmul(const T *a, const T *b, T *c, int M, int N,
                                                                             int K, int sa, int sb, int sc) {
  int pid = tt::program_id(0);
  int rows = tt::cdiv(M, BM), columns = tt::cdiv(N, BN);
  int in_group = GROUP * columns, first = pid / in_group * GROUP;
  int size = rows - first < GROUP ? rows - first : GROUP;
  int pm = first + pid % in_group % size, pn = pid % in_group / size;
  auto k = tt::arange<BK>();
  auto pa = a + ((pm * BM + tt::arange<BM>()) % M)(tt::all, tt::newaxis) * sa + k(tt::newaxis, tt::all);
  auto pb = b + k(tt::all, tt::newaxis) * sb + ((pn * BN + tt::arange<BN>()) % N)(tt::newaxis, tt::all);
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < tt::cdiv(K, BK); ++i) {
    auto x = tt::load(pa, k(tt::newaxis, tt::all) < K - i * BK, 0);
    auto y = tt::load(pb, k(tt::all, tt::newaxis) < K - i * BK, 0);
    acc = tt::dot(x, y, acc);
    pa += BK;
    pb += BK * sb;
  }
  auto m = pm * BM + tt::arange<BM>();
  auto n = pn * BN + tt::arange<BN>();
  tt::store(c + m(tt::all, tt::newaxis) * sc + n(tt::newaxis, tt::all), acc.template to<T>(),
            (m < M)(tt::all, tt::newaxis) && (n < N)(tt::newaxis, tt::all));
}

/// C = A B of n x n bf16 matrices, in tiles of one of the configurations there are.
extern "C" int bench_matmul(int bm, int bn, int bk, int warps, int stages, const tt::bfloat16 *a, const tt::bfloat16 *b,
                            tt::bfloat16 *c, int n, ttStream_t stream) {
#define CASE(BM, BN, BK, W, S)                                                                                         \
  if (bm == BM && bn == BN && bk == BK && warps == W && stages == S) {                                                 \
    matmul<tt::bfloat16, BM, BN, BK, W, S>                                                                             \
        <<<tt::cdiv(n, BM) * tt::cdiv(n, BN), stream>>>(a, b, c, n, n, n, n, n, n);                                    \
    return ttGetLastError();                                                                                           \
  }
  CASE(128, 256, 64, 8, 3) CASE(128, 256, 64, 8, 4) CASE(256, 128, 64, 8, 3) CASE(128, 128, 64, 4, 3)
  CASE(128, 128, 32, 4, 4) CASE(128, 128, 32, 4, 5)
#undef CASE
  return ttErrorInvalidValue;
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
