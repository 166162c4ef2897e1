// 18 matrix products: three element types, six tile sizes. Measures what a library of kernels costs to compile (see
// RESULTS.md).
#include <tilecc/tt.h>
template <typename T, int M, int N, int K>
__tile_global__ void matmul(const T *a, const T *b, T *c, int m, int n, int k, int lda, int ldb, int ldc) {
  auto rows = tt::program_id(0) * M + tt::arange<M>();
  auto columns = tt::program_id(1) * N + tt::arange<N>();
  auto depth = tt::arange<K>();
  auto pa = a + rows.col() * lda + depth.row();
  auto pb = b + depth.col() * ldb + columns.row();
  auto sum = tt::zeros<float, M, N>();
  for (int i = 0; i < k; i += K) {
    auto x = tt::load(pa, rows.col() < m && depth.row() < k - i, T(0));
    auto y = tt::load(pb, depth.col() < k - i && columns.row() < n, T(0));
    sum = tt::dot(x, y, sum);
    pa += K;
    pb += K * ldb;
  }
  tt::store(c + rows.col() * ldc + columns.row(), sum.template to<T>(), rows.col() < m && columns.row() < n);
}
#define INSTANTIATE(T, M, N, K)                                                                                        \
  template __tile_global__ void matmul<T, M, N, K>(const T *, const T *, T *, int, int, int, int, int, int);
#define ALL_TILES(T)                                                                                                   \
  INSTANTIATE(T, 64, 64, 32)                                                                                           \
  INSTANTIATE(T, 128, 64, 32)                                                                                          \
  INSTANTIATE(T, 64, 128, 32)                                                                                          \
  INSTANTIATE(T, 128, 128, 32)                                                                                         \
  INSTANTIATE(T, 128, 128, 64)                                                                                         \
  INSTANTIATE(T, 64, 64, 64)
ALL_TILES(tt::float16)
ALL_TILES(tt::bfloat16)
ALL_TILES(float)
