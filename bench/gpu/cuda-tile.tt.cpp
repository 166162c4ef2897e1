// Twelve kernels in NVIDIA's tile language as a library of C functions, which tcc and nvcc build from this source
// (bench/gpu/cuda-tile.py has the commands, and times both). Each function takes pointers, sizes and a stream.
#include "../../test/cuda-tile/Inputs/attention.cuh"
#include "../../test/cuda-tile/Inputs/elementwise.cuh"
#include "../../test/cuda-tile/Inputs/products.cuh"
#include "../../test/cuda-tile/Inputs/rows.cuh"

#ifdef __TILECC__
#include <tilecc/runtime.h>
#define LAST_ERROR() int(ttGetLastError())
using stream_t = CUstream_st *;
#else
#define LAST_ERROR() int(cudaGetLastError())
using stream_t = cudaStream_t;
#endif

static unsigned blocks(int n, int size) { return unsigned((n + size - 1) / size); }
// name(parameters..., stream): launches `kernel` on a grid.
#define BENCH(name, grid, kernel, parameters, ...)                                                                     \
  extern "C" int name parameters {                                                                                     \
    kernel<<<grid, 1, 0, stream>>>(__VA_ARGS__);                                                                       \
    return LAST_ERROR();                                                                                               \
  }
#define GEMM(T, C) (const T *a, const T *b, C *c, int m, int n, int k, stream_t stream)
#define ROWS(T) (const T *x, T *out, int rows, int columns, stream_t stream)

BENCH(bench_add, blocks(n, 1024), (add<1024>), (const float *x, const float *y, float *out, int n, stream_t stream), x,
      y, out, n)
BENCH(bench_gelu, blocks(n, 1024), (gelu<1024>), (const float *x, float *out, int n, stream_t stream), x, out, n)
BENCH(bench_swiglu, dim3(rows, blocks(columns, 1024)), (swiglu<1024>), ROWS(__nv_bfloat16), x, out, rows, columns)
BENCH(bench_softmax, dim3(rows), (softmax<__half, 4096>), ROWS(__half), x, out, rows, columns)
BENCH(bench_online_softmax, dim3(rows), (online_softmax<2048>), ROWS(float), x, out, rows, columns)
BENCH(bench_rms_norm, dim3(132 * 4), (rms_norm<4096>),
      (const __half *x, const __half *w, __half *out, int rows, int columns, stream_t stream), x, w, out, rows, columns,
      1e-5f)
BENCH(bench_cross_entropy, dim3(rows), (cross_entropy<4096>),
      (float *x, const int *label, float *loss, int rows, int columns, stream_t stream), x, label, loss, columns)
BENCH(bench_matmul_f16, dim3(blocks(m, 128), blocks(n, 128)), (matmul<__half, float, 128, 128, 64, false, false>),
      GEMM(__half, float), a, b, c, m, n, k)
BENCH(bench_matmul_bf16_nt, dim3(blocks(m, 128), blocks(n, 128)),
      (matmul<__nv_bfloat16, float, 128, 128, 64, false, true>), GEMM(__nv_bfloat16, float), a, b, c, m, n, k)
BENCH(bench_matmul_fp8, dim3(blocks(m, 128), blocks(n, 128)), (matmul<__nv_fp8_e5m2, float, 128, 128, 64, false, true>),
      GEMM(__nv_fp8_e5m2, float), a, b, c, m, n, k)
BENCH(bench_attention, dim3(blocks(length, 128), batches *heads), (attention<128, 64, 64, true>),
      (const __half *q, const __half *k, const __half *v, __half *out, float *sums, int batches, int heads, int length,
       stream_t stream),
      q, k, v, out, sums, batches, heads, length, 0.18033688f)
BENCH(bench_attention_full, dim3(blocks(length, 128), batches *heads), (attention<128, 128, 64, false>),
      (const __half *q, const __half *k, const __half *v, __half *out, float *sums, int batches, int heads, int length,
       stream_t stream),
      q, k, v, out, sums, batches, heads, length, 0.18033688f)
