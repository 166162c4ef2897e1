// Matrix units by nvcuda::wmma.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

__global__ void product(const __half *a, const __half *b, float *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 1.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

int main() {
  auto *a = allocate<__half>(256), *b = allocate<__half>(256);
  auto *c = allocate<float>(256);
  for (int i = 0; i < 256; ++i)
    a[i] = __float2half(float(i % 5 - 2)), b[i] = __float2half(float(i % 3));
  product<<<1, 32>>>(a, b, c);
  finishKernels();
  long wrong = 0;
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 16; ++column) {
      float sum = 1;
      for (int k = 0; k < 16; ++k)
        sum += __half2float(a[row * 16 + k]) * __half2float(b[column * 16 + k]);
      wrong += c[row * 16 + column] != sum;
    }
  return report("wmma", wrong);
}
