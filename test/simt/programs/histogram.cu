// A histogram: counts of a block in shared memory, then of all blocks.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void histogram(const unsigned char *data, int n, unsigned *bins) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[data[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main() {
  const int n = 5000;
  auto *data = allocate<unsigned char>(n);
  auto *bins = allocate<unsigned>(256);
  unsigned reference[256] = {};
  for (int i = 0; i < n; ++i)
    ++reference[data[i] = i * i % 251];
  CHECK(cudaMemset(bins, 0, 256 * sizeof(unsigned)));
  histogram<<<4, 256>>>(data, n, bins);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 256; ++i)
    wrong += bins[i] != reference[i];
  return report("histogram", wrong);
}
