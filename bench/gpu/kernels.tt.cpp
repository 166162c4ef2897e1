// The memory-bound kernels that bench/gpu/run.py compares with Triton's (peers.py has the same kernels, line by line),
// in a shared library that Python opens:
//   tcc -O2 -shared -fPIC kernels.tt.cpp -o libkernels.so
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

template <int BLOCK, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void vector_add(const float *x, const float *y, float *out, int n) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto mask = i < n;
  tt::store(out + i, tt::load(x + i, mask) + tt::load(y + i, mask), mask);
}

template <int BLOCK, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void softmax_rows(const float *x, float *out, int stride, int columns) {
  int row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  auto mask = i < columns;
  auto v = tt::load(x + row * stride + i, mask, -__builtin_inff());
  auto e = tt::exp(v - tt::max(v));
  tt::store(out + row * stride + i, e / tt::sum(e), mask);
}

template <int BLOCK, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void layer_norm(const float *x, const float *w, const float *b, float *out,
                                                         int stride, int columns, float epsilon) {
  int row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  auto mask = i < columns;
  auto v = tt::load(x + row * stride + i, mask, 0.0f);
  float mean = tt::sum(v) / columns;
  auto d = tt::where(mask, v - mean, 0.0f);
  float scale = 1.0f / tt::sqrt(tt::sum(d * d) / columns + epsilon);
  auto g = tt::load(w + i, mask), h = tt::load(b + i, mask);
  tt::store(out + row * stride + i, d * scale * g + h, mask);
}

/// Transposes x, of rows x columns, to out, of columns x rows.
template <int M, int N, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void transpose_copy(const float *x, float *out, int rows, int columns) {
  auto i = (tt::program_id(0) * M + tt::arange<M>())(tt::all, tt::newaxis);
  auto j = (tt::program_id(1) * N + tt::arange<N>())(tt::newaxis, tt::all);
  auto mask = i < rows && j < columns;
  tt::store(out + j * rows + i, tt::load(x + i * columns + j, mask), mask);
}

/// One program sums a row, BLOCK columns at a time.
template <int BLOCK, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void row_sum(const float *x, float *out, int columns) {
  int row = tt::program_id(0);
  auto i = tt::arange<BLOCK>();
  auto partial = tt::zeros<float, BLOCK>();
  for (int begin = 0; begin < columns; begin += BLOCK)
    partial += tt::load(x + row * columns + begin + i, begin + i < columns, 0.0f);
  tt::store(out + row, tt::sum(partial));
}

/// Each row of q has its own scale.
template <int BLOCK, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void dequantize(const signed char *q, const float *scale, float *out,
                                                         int columns) {
  int row = tt::program_id(1);
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto mask = i < columns;
  auto v = tt::load(q + row * columns + i, mask);
  tt::store(out + row * columns + i, v.template to<float>() * tt::load(scale + row), mask);
}

// Each bench function takes the tile size and the number of warps, which must be one of its configurations.

extern "C" int bench_vector_add(int block, int warps, const float *x, const float *y, float *out, int n,
                                ttStream_t stream) {
#define CASE(B, W)                                                                                                     \
  if (block == B && warps == W) {                                                                                      \
    vector_add<B, W><<<tt::cdiv(n, B), stream>>>(x, y, out, n);                                                        \
    return ttGetLastError();                                                                                           \
  }
  CASE(1024, 4) CASE(2048, 4) CASE(2048, 8) CASE(4096, 8)
#undef CASE
  return ttErrorInvalidValue;
}

#define ROW_CASES(CASE)                                                                                                \
  CASE(1024, 4) CASE(1024, 8) CASE(4096, 4) CASE(4096, 8) CASE(4096, 16) CASE(8192, 4) CASE(8192, 8) CASE(8192, 16)

extern "C" int bench_softmax(int block, int warps, const float *x, float *out, int rows, int columns, ttStream_t stream) {
#define CASE(B, W)                                                                                                     \
  if (block == B && warps == W) {                                                                                      \
    softmax_rows<B, W><<<rows, stream>>>(x, out, columns, columns);                                                    \
    return ttGetLastError();                                                                                           \
  }
  ROW_CASES(CASE)
#undef CASE
  return ttErrorInvalidValue;
}

extern "C" int bench_layer_norm(int block, int warps, const float *x, const float *w, const float *b, float *out, int rows,
                                int columns, ttStream_t stream) {
#define CASE(B, W)                                                                                                     \
  if (block == B && warps == W) {                                                                                      \
    layer_norm<B, W><<<rows, stream>>>(x, w, b, out, columns, columns, 1e-5f);                                         \
    return ttGetLastError();                                                                                           \
  }
  ROW_CASES(CASE)
#undef CASE
  return ttErrorInvalidValue;
}

extern "C" int bench_transpose(int m, int n, int warps, const float *x, float *out, int rows, int columns,
                               ttStream_t stream) {
#define CASE(M, N, W)                                                                                                  \
  if (m == M && n == N && warps == W) {                                                                                \
    transpose_copy<M, N, W><<<dim3(tt::cdiv(rows, M), tt::cdiv(columns, N)), stream>>>(x, out, rows, columns);         \
    return ttGetLastError();                                                                                           \
  }
  CASE(32, 32, 4) CASE(64, 32, 4) CASE(32, 64, 4) CASE(64, 64, 4) CASE(64, 64, 8) CASE(128, 64, 8)
#undef CASE
  return ttErrorInvalidValue;
}

extern "C" int bench_row_sum(int block, int warps, const float *x, float *out, int rows, int columns, ttStream_t stream) {
#define CASE(B, W)                                                                                                     \
  if (block == B && warps == W) {                                                                                      \
    row_sum<B, W><<<rows, stream>>>(x, out, columns);                                                                  \
    return ttGetLastError();                                                                                           \
  }
  CASE(1024, 4) CASE(2048, 4) CASE(4096, 4) CASE(4096, 8) CASE(8192, 8) CASE(8192, 16)
#undef CASE
  return ttErrorInvalidValue;
}

extern "C" int bench_dequantize(int block, int warps, const signed char *q, const float *scale, float *out, int rows,
                                int columns, ttStream_t stream) {
#define CASE(B, W)                                                                                                     \
  if (block == B && warps == W) {                                                                                      \
    dequantize<B, W><<<dim3(tt::cdiv(columns, B), rows), stream>>>(q, scale, out, columns);                            \
    return ttGetLastError();                                                                                           \
  }
  CASE(1024, 4) CASE(2048, 4) CASE(4096, 4) CASE(4096, 8) CASE(8192, 8)
#undef CASE
  return ttErrorInvalidValue;
}

extern "C" const char *bench_error() { return ttGetLastErrorMessage(); }
