// Dots for the matrix unit of Intel's GPUs, which run-products.py runs.
#include <tilecc/tt.h>


template <class T, int Rows, int Columns> __tile__ auto load_matrix(const T *p) {
  auto row = tt::arange<Rows>();
  auto column = tt::arange<Columns>();
  return tt::load(p + row(tt::all, tt::newaxis) * Columns + column(tt::newaxis, tt::all));
}

template <class T, int Rows, int Columns, class Tile> __tile__ void store_matrix(T *p, Tile value) {
  auto row = tt::arange<Rows>();
  auto column = tt::arange<Columns>();
  tt::store(p + row(tt::all, tt::newaxis) * Columns + column(tt::newaxis, tt::all), value);
}

template <class T, class S, int M, int N, int K> __tile__ void multiply(const T *a, const T *b, S *out) {
  store_matrix<S, M, N>(out, tt::dot<S>(load_matrix<T, M, K>(a), load_matrix<T, K, N>(b)));
}

// A kernel for each type, with the sizes in its name.
[[tt::num_warps(2)]] __tile_global__ void float16_16x32x64(const tt::float16 *a, const tt::float16 *b, float *out) {
  multiply<tt::float16, float, 16, 32, 64>(a, b, out);
}
[[tt::num_warps(4)]] __tile_global__ void bfloat16_32x64x32(const tt::bfloat16 *a, const tt::bfloat16 *b, float *out) {
  multiply<tt::bfloat16, float, 32, 64, 32>(a, b, out);
}
[[tt::num_warps(1)]] __tile_global__ void int8_16x16x64(const signed char *a, const signed char *b, int *out) {
  multiply<signed char, int, 16, 16, 64>(a, b, out);
}
// More warps than instructions.
[[tt::num_warps(8)]] __tile_global__ void float16_16x16x16(const tt::float16 *a, const tt::float16 *b, float *out) {
  multiply<tt::float16, float, 16, 16, 16>(a, b, out);
}

// The accumulator of a loop, and a result that becomes the left operand of another dot: out = bf16(a * b) * b.
[[tt::num_warps(2)]] __tile_global__ void chain_32x32x32(const tt::bfloat16 *a, const tt::bfloat16 *b, float *out,
                                                         int times) {
  auto right = load_matrix<tt::bfloat16, 32, 32>(b);
  auto sum = tt::zeros<float, 32, 32>();
  for (int i = 0; i < times; ++i) {
    auto product = tt::dot(load_matrix<tt::bfloat16, 32, 32>(a), right);
    sum = tt::dot(product.to<tt::bfloat16>(), right, sum);
  }
  store_matrix<float, 32, 32>(out, sum);
}
