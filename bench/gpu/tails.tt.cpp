// Matrix products whose launches end with a partial round of blocks, as in Triton's tutorial: groups of 8 rows of
// tiles, all strides, no attributes, and one tile size. bench/gpu/tails.py compares them with cuBLAS:
//   tcc -O2 -shared -fPIC tails.tt.cpp -o libtails.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

using T = tt::bfloat16;

template <int BM, int BN, int BK>
__tile_global__ void matmul(const T *a, const T *b, T *c, int M, int N, int K, int a_m, int a_k, int b_k, int b_n, int c_m, int c_n) {
  int columns = tt::cdiv(N, BN), group = tt::program_id(0) / (8 * columns), inside = tt::program_id(0) % (8 * columns);
  int rows = tt::minimum(tt::cdiv(M, BM) - 8 * group, 8);
  auto m = (8 * group + inside % rows) * BM + tt::arange<BM>();
  auto n = inside / rows * BN + tt::arange<BN>();
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

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
#define BENCH(BM, BN)                                                                                                  \
  extern "C" int bench_matmul_##BM##x##BN(const T *a, const T *b, T *c, int m, int n, int k, int am, int ak, int bk,   \
                                          int bn, int cm, int cn, ttStream_t stream) {                                 \
    matmul<BM, BN, 64><<<unsigned(tt::cdiv(m, BM) * tt::cdiv(n, BN)), stream>>>(a, b, c, m, n, k, am, ak, bk, bn, cm, cn); \
    return ttGetLastError();                                                                                           \
  }
BENCH(128, 128)
BENCH(128, 256)
BENCH(256, 128)
