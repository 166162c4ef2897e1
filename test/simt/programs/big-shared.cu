// More dynamic shared memory than a kernel has without opting in, and the carve-out.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void reverse(int *x, int n) {
  extern __shared__ __align__(16) unsigned char bytes[];
  int *values = reinterpret_cast<int *>(bytes);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    values[i] = x[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    x[i] = values[n - 1 - i];
}

int main() {
  const int n = 20000; // 80 KB
  int *x = allocate<int>(n);
  for (int i = 0; i < n; ++i)
    x[i] = i;
  CHECK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, n * sizeof(int)));
  CHECK(cudaFuncSetAttribute(reverse, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
  reverse<<<1, 256, n * sizeof(int)>>>(x, n);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += x[i] != n - 1 - i;
  return report("big-shared", wrong);
}
