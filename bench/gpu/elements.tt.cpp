// Matrix products of 32-bit and 8-bit elements, as in Triton's tutorial: groups of 8 rows of tiles, all strides, no
// attributes. bench/gpu/elements.py compares them with torch and Triton:
//   tcc -O2 -shared -fPIC elements.tt.cpp -o libelements.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

template <class T, class Sum, class Out, int BM, int BN, int BK>
__tile_global__ void matmul(const T *a, const T *b, Out *c, int M, int N, int K, int a_m, int a_k, int b_k, int b_n,
                            int c_m, int c_n) {
  int columns = tt::cdiv(N, BN), group = tt::program_id(0) / (8 * columns), inside = tt::program_id(0) % (8 * columns);
  int rows = tt::minimum(tt::cdiv(M, BM) - 8 * group, 8);
  auto m = (8 * group + inside % rows) * BM + tt::arange<BM>();
  auto n = inside / rows * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto pa = a + (m.col() * a_m + k.row() * a_k);
  auto pb = b + (k.col() * b_k + n.row() * b_n);
  auto acc = tt::zeros<Sum, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto x = tt::load(pa, (m < M).col() && k.row() < K - i, T(0));
    auto y = tt::load(pb, k.col() < K - i && (n < N).row(), T(0));
    acc = tt::dot(x, y, acc);
    pa += BK * a_k;
    pb += BK * b_k;
  }
  tt::store(c + (m.col() * c_m + n.row() * c_n), acc.template to<Out>(), (m < M).col() && (n < N).row());
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
#define BENCH(NAME, T, SUM, OUT, BM, BN, BK)                                                                           \
  extern "C" int bench_##NAME##_##BM##x##BN(const T *a, const T *b, OUT *c, int m, int n, int k, int am, int ak,       \
                                            int bk, int bn, int cm, int cn, ttStream_t stream) {                       \
    matmul<T, SUM, OUT, BM, BN, BK><<<unsigned(tt::cdiv(m, BM) * tt::cdiv(n, BN)), stream>>>(a, b, c, m, n, k, am, ak, \
                                                                                             bk, bn, cm, cn);          \
    return ttGetLastError();                                                                                           \
  }
#define TILES(NAME, T, SUM, OUT, BK)                                                                                   \
  BENCH(NAME, T, SUM, OUT, 128, 128, BK)                                                                               \
  BENCH(NAME, T, SUM, OUT, 128, 256, BK)                                                                               \
  BENCH(NAME, T, SUM, OUT, 256, 128, BK)
TILES(float, float, float, float, 32)
TILES(int8, signed char, int, int, 128)
TILES(float8, tt::float8_e4m3fn, float, tt::bfloat16, 128)
