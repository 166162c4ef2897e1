// Static and dynamic shared memory, and barriers.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void sum(const int *x, int n, int *out) {
  __shared__ int part[256];
  int total = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    total += x[i];
  part[threadIdx.x] = total;
  for (int half = blockDim.x / 2; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    *out = part[0];
}

__global__ void reverse(int *x) {
  extern __shared__ int values[];
  values[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

int main() {
  const int n = 5000;
  int *x = allocate<int>(n), *out = allocate<int>(1), *small = allocate<int>(512);
  long reference = 0;
  for (int i = 0; i < n; ++i)
    reference += x[i] = i % 37;
  for (int i = 0; i < 512; ++i)
    small[i] = i;
  sum<<<1, 256>>>(x, n, out);
  reverse<<<1, 512, 512 * sizeof(int)>>>(small);
  finishKernels();
  long wrong = *out != reference;
  for (int i = 0; i < 512; ++i)
    wrong += small[i] != 511 - i;
  return report("shared-memory", wrong);
}
