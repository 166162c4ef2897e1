// Matrix products: element types, transposes, batches, split and persistent forms, scaled elements.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

template <class T, class Acc, int M, int N, int K, bool TransA, bool TransB>
__tile_global__ void matmul(const T *a, const T *b, Acc *c, int m, int n, int k) {
  auto av = ct::partition_view(ct::tensor_span(ct::assume_aligned<16>(a), ct::extents{TransA ? k : m, TransA ? m : k}),
                               ct::shape<(TransA ? K : M), (TransA ? M : K)>{});
  auto bv = ct::partition_view(ct::tensor_span(ct::assume_aligned<16>(b), ct::extents{TransB ? n : k, TransB ? k : n}),
                               ct::shape<(TransB ? N : K), (TransB ? K : N)>{});
  auto cv = ct::partition_view(ct::tensor_span(c, ct::extents{m, n}), ct::shape<M, N>{});
  auto [i, j, unused] = ct::bid();
  auto sum = ct::zeros<ct::tile<Acc, ct::shape<M, N>>>();
  for (auto p : ct::irange(0, ct::ceildiv(k, K))) {
    auto load_a = [&] {
      if constexpr (TransA)
        return ct::transpose(av.load_masked(p, i));
      else
        return av.load_masked(i, p);
    };
    auto load_b = [&] {
      if constexpr (TransB)
        return ct::permute(bv.load_masked(j, p), ct::dimension_map{1_ic, 0_ic});
      else
        return bv.load_masked(p, j);
    };
    sum = ct::mma(load_a(), load_b(), sum);
  }
  cv.store_masked(sum, i, j);
}

// Floats as tf32: they are rounded as operands of the matrix product.
template <int M, int N, int K>
__tile_global__ void matmul_tf32(const float *a, const float *b, float *c, int m, int n, int k) {
  auto av = ct::partition_view(ct::tensor_span(a, ct::extents{m, k}), ct::shape<M, K>{});
  auto bv = ct::partition_view(ct::tensor_span(b, ct::extents{k, n}), ct::shape<K, N>{});
  auto cv = ct::partition_view(ct::tensor_span(c, ct::extents{m, n}), ct::shape<M, N>{});
  auto [i, j, unused] = ct::bid();
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (auto p : ct::irange(0, ct::ceildiv(k, K)))
    sum = ct::mma(ct::element_cast<__nv_tf32>(av.load_masked(i, p)), ct::element_cast<__nv_tf32>(bv.load_masked(p, j)),
                  sum);
  cv.store_masked(sum, i, j);
}

// Batches with a fused bias and activation; one b for all where its batch is 1.
template <int M, int N, int K>
__tile_global__ void bmm_bias_relu(const __half *a, const __half *b, const __half *bias, __half *c, int batches,
                                   int b_batches, int m, int n, int k) {
  auto av = ct::partition_view(ct::tensor_span(a, ct::extents{batches, m, k}), ct::shape<1, M, K>{});
  auto bv = ct::partition_view(ct::tensor_span(b, ct::extents{b_batches, k, n}), ct::shape<1, K, N>{});
  auto biases = ct::partition_view(ct::tensor_span(bias, ct::extents{n}), ct::shape<N>{});
  auto cv = ct::partition_view(ct::tensor_span(c, ct::extents{batches, m, n}), ct::shape<1, M, N>{});
  auto [i, j, batch] = ct::bid();
  auto sum = ct::zeros<ct::tile<float, ct::shape<1, M, N>>>();
  unsigned b_batch = b_batches == 1 ? 0 : batch;
  for (auto p : ct::irange(0, ct::ceildiv(k, K)))
    sum = ct::mma(av.load_masked(batch, i, p), bv.load_masked(b_batch, p, j), sum);
  auto shifted = sum + ct::element_cast<float>(biases.load_masked(j));
  cv.store_masked(ct::element_cast<__half>(ct::max(shifted, 0.0f)), batch, i, j);
}

// Each program sums a part of k; the parts are added by atomic accesses.
template <int M, int N, int K>
__tile_global__ void split_k(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int m, int n, int k, int parts) {
  auto av = ct::partition_view(ct::tensor_span(a, ct::extents{m, k}), ct::shape<M, K>{});
  auto bv = ct::partition_view(ct::tensor_span(b, ct::extents{k, n}), ct::shape<K, N>{});
  auto cv = ct::partition_view(ct::tensor_span(c, ct::extents{m, n}), ct::shape<M, N>{});
  auto [i, j, part] = ct::bid();
  int steps = ct::ceildiv(k, K), each = ct::ceildiv(steps, parts), first = int(part) * each;
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (auto p : ct::irange(first, ct::min(first + each, steps)))
    sum = ct::mma(av.load_masked(i, p), bv.load_masked(p, j), sum);
  cv.atomic_add_masked(sum, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, i, j);
}

// A fixed number of programs computes the tiles in an order that shares loads.
template <int M, int N, int K>
__tile_global__ void persistent(const __half *a, const __half *b, __half *c, int m, int n, int k) {
  constexpr int group = 4;
  auto av = ct::partition_view(ct::tensor_span(a, ct::extents{m, k}), ct::shape<M, K>{});
  auto bv = ct::partition_view(ct::tensor_span(b, ct::extents{k, n}), ct::shape<K, N>{});
  auto cv = ct::partition_view(ct::tensor_span(c, ct::extents{m, n}), ct::shape<M, N>{});
  const int rows = ct::ceildiv(m, M), columns = ct::ceildiv(n, N), steps = ct::ceildiv(k, K);
  for (int id = ct::bid().x; id < rows * columns; id += ct::num_blocks().x) {
    int in_group = group * columns, first = id / in_group * group, size = ct::min(rows - first, group);
    int i = first + id % in_group % size, j = id % in_group / size;
    auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
    for (int p = 0; p < steps; ++p)
      sum = ct::mma(av.load_masked(i, p), bv.load_masked(p, j), sum);
    cv.store_masked(ct::element_cast<__half>(sum), i, j);
  }
}

// 8-bit floats with a scale for each run of 128 along k, of rows and of blocks.
template <int M, int N>
__tile_global__ void scaled_fp8(const __nv_fp8_e4m3 *a, const __nv_fp8_e4m3 *b, const float *a_scale,
                                const float *b_scale, __nv_bfloat16 *c, int m, int n, int k) {
  constexpr int K = 128;
  auto av = ct::partition_view(ct::tensor_span(a, ct::extents{m, k}), ct::shape<M, K>{});
  auto bv = ct::partition_view(ct::tensor_span(b, ct::extents{n, k}), ct::shape<N, K>{});
  auto as = ct::partition_view(ct::tensor_span(a_scale, ct::extents{m, k / K}), ct::shape<M, 1>{});
  auto cv = ct::partition_view(ct::tensor_span(c, ct::extents{m, n}), ct::shape<M, N>{});
  auto [i, j, unused] = ct::bid();
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (auto p : ct::irange(0, k / K)) {
    auto part = ct::mma(av.load_masked(i, p), ct::transpose(bv.load_masked(j, p)),
                        ct::zeros<ct::tile<float, ct::shape<M, N>>>());
    sum = sum + part * as.load_masked(i, p) * ct::load(b_scale + (j * N / 128 * (k / K) + p));
  }
  cv.store_masked(ct::element_cast<__nv_bfloat16>(sum), i, j);
}

// The matrix product without an accumulator, in the element type that NVIDIA defines.
__tile_global__ void matmul_of_halves(const __half *a, const __half *b, __half *c) {
  auto shape = ct::shape<32, 32>{};
  auto av = ct::partition_view(ct::tensor_span(a, shape), shape),
       bv = ct::partition_view(ct::tensor_span(b, shape), shape);
  ct::partition_view(ct::tensor_span(c, shape), shape).store(ct::matmul(av.load(0, 0), bv.load(0, 0)), 0, 0);
}

template __tile_global__ void matmul<__half, float, 64, 64, 32, false, false>(const __half *, const __half *, float *,
                                                                              int, int, int);
template __tile_global__ void matmul<__half, float, 64, 64, 32, true, false>(const __half *, const __half *, float *,
                                                                             int, int, int);
template __tile_global__ void matmul<__half, float, 64, 64, 32, false, true>(const __half *, const __half *, float *,
                                                                             int, int, int);
template __tile_global__ void matmul<__half, float, 64, 64, 32, true, true>(const __half *, const __half *, float *,
                                                                            int, int, int);
template __tile_global__ void matmul<__nv_bfloat16, float, 128, 64, 64, false, false>(const __nv_bfloat16 *,
                                                                                      const __nv_bfloat16 *, float *,
                                                                                      int, int, int);
template __tile_global__ void matmul<float, float, 32, 32, 16, false, false>(const float *, const float *, float *, int,
                                                                             int, int);
template __tile_global__ void matmul<double, double, 32, 32, 16, false, true>(const double *, const double *, double *,
                                                                              int, int, int);
template __tile_global__ void
matmul<signed char, int, 64, 64, 32, false, false>(const signed char *, const signed char *, int *, int, int, int);
template __tile_global__ void
matmul<unsigned char, int, 64, 64, 32, false, true>(const unsigned char *, const unsigned char *, int *, int, int, int);
template __tile_global__ void matmul<__nv_fp8_e5m2, float, 64, 64, 32, false, true>(const __nv_fp8_e5m2 *,
                                                                                    const __nv_fp8_e5m2 *, float *, int,
                                                                                    int, int);
template __tile_global__ void matmul_tf32<64, 64, 32>(const float *, const float *, float *, int, int, int);
template __tile_global__ void bmm_bias_relu<64, 64, 32>(const __half *, const __half *, const __half *, __half *, int,
                                                        int, int, int, int);
template __tile_global__ void split_k<64, 64, 32>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, int, int, int,
                                                  int);
template __tile_global__ void persistent<64, 64, 32>(const __half *, const __half *, __half *, int, int, int);
template __tile_global__ void scaled_fp8<64, 64>(const __nv_fp8_e4m3 *, const __nv_fp8_e4m3 *, const float *,
                                                 const float *, __nv_bfloat16 *, int, int, int);
