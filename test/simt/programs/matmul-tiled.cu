// A matrix product by tiles in shared memory.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
constexpr int tileSize = 16;

__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float as[tileSize][tileSize], bs[tileSize][tileSize + 1];
  int row = blockIdx.y * tileSize + threadIdx.y, column = blockIdx.x * tileSize + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tileSize) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tileSize; ++i)
      sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 64;
  float *a = allocate<float>(n * n), *b = allocate<float>(n * n), *c = allocate<float>(n * n);
  for (int i = 0; i < n * n; ++i)
    a[i] = float(i % 7 - 3), b[i] = float(i % 5 - 2);
  matmul<<<dim3(n / tileSize, n / tileSize), dim3(tileSize, tileSize)>>>(a, b, c, n);
  finishKernels();
  long wrong = 0;
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];
      wrong += c[row * n + column] != sum;
    }
  return report("matmul-tiled", wrong);
}
