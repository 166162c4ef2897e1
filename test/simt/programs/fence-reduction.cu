// A sum in one launch: the last block, which an atomic operation after a fence determines, adds the results of the
// others.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda/atomic>
__device__ cuda::atomic<unsigned, cuda::thread_scope_device> finished;

__global__ void sum(const int *x, int n, int *partial, int *out) {
  __shared__ int values[128];
  __shared__ bool isLast;
  int total = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
    total += x[i];
  values[threadIdx.x] = total;
  for (int half = 64; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      values[threadIdx.x] += values[threadIdx.x + half];
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = values[0];
    isLast = finished.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 0) {
    total = 0;
    for (int i = 0; i < gridDim.x; ++i)
      total += partial[i];
    *out = total;
  }
}

int main() {
  const int n = 10000;
  int *x = allocate<int>(n), *partial = allocate<int>(8), *out = allocate<int>(1), reference = 0;
  for (int i = 0; i < n; ++i)
    reference += x[i] = i % 101 - 40;
  sum<<<8, 128>>>(x, n, partial, out);
  finishKernels();
  return report("fence-reduction", *out != reference);
}
