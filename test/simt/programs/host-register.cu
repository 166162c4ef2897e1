// Host memory that kernels may use, and pools with their attributes.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <vector>
__global__ void negate(int *x, int n) {
  if (int i = threadIdx.x; i < n)
    x[i] = -x[i];
}

int main() {
  const int n = 100;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = i;
  CHECK(cudaHostRegister(host.data(), n * sizeof(int), cudaHostRegisterMapped));
  int *mapped;
  CHECK(cudaHostGetDevicePointer(&mapped, host.data(), 0));
  negate<<<1, 128>>>(mapped, n);
  finishKernels();
  long wrong = cudaHostRegister(host.data() + 1, sizeof(int), 0) != cudaErrorHostMemoryAlreadyRegistered;
  CHECK(cudaHostUnregister(host.data()));
  wrong += cudaHostUnregister(host.data()) != cudaErrorHostMemoryNotRegistered;
  cudaGetLastError();
  cudaMemPool_t pool;
  unsigned long long threshold = 1 << 20;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  unsigned long long kept = 0;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
  wrong += kept != threshold;
  for (int i = 0; i < n; ++i)
    wrong += host[i] != -i;
  return report("host-register", wrong);
}
