// Tensor cores by nvcuda::wmma on bfloat16, TF32, double and bytes.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;

template <int M, int N, int K, class In, class Stored, class Out>
__global__ void multiply(const Stored *a, const Stored *b, Out *c) {
  wmma::fragment<wmma::matrix_a, M, N, K, In, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, M, N, K, In, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, M, N, K, Out> sum;
  wmma::fill_fragment(sum, Out(1));
  wmma::load_matrix_sync(x, a, K);
  wmma::load_matrix_sync(y, b, K);
  wmma::mma_sync(sum, x, y, sum);
  wmma::store_matrix_sync(c, sum, N, wmma::mem_row_major);
}

template <int M, int N, int K, class In, class Stored, class Out> long test() {
  Stored *a = allocate<Stored>(M * K), *b = allocate<Stored>(N * K);
  Out *c = allocate<Out>(M * N);
  for (int i = 0; i < M * K; ++i)
    a[i] = Stored(float(i * 7 % 5 - 2));
  for (int i = 0; i < N * K; ++i)
    b[i] = Stored(float(i * 3 % 7 - 3));
  multiply<M, N, K, In><<<1, 32>>>(a, b, c);
  finishKernels();
  long wrong = 0;
  for (int row = 0; row < M; ++row)
    for (int column = 0; column < N; ++column) {
      double sum = 1;
      for (int k = 0; k < K; ++k)
        sum += double((row * K + k) * 7 % 5 - 2) * ((column * K + k) * 3 % 7 - 3);
      wrong += double(c[row * N + column]) != sum;
    }
  return wrong;
}

int main() {
  long wrong = test<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float>();
  wrong += test<16, 16, 8, wmma::precision::tf32, float, float>();
  wrong += test<8, 8, 4, double, double, double>();
  wrong += test<16, 16, 16, signed char, signed char, int>();
  return report("wmma-types", wrong);
}
