// The runtime's information about devices, kernels and memory.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void kernel(int *x) {
  __shared__ int values[100];
  values[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = values[99 - threadIdx.x];
}

int main() {
  int count = 0, device = -1, most = 0, driver = 0, runtime = 0, smallest = 0, block = 0;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaGetDevice(&device));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, device));
  CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, device));
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  CHECK(cudaOccupancyMaxPotentialBlockSize(&smallest, &block, kernel, 0, 100));
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, kernel));
  size_t free, total;
  CHECK(cudaMemGetInfo(&free, &total));
  int *x = allocate<int>(100);
  cudaPointerAttributes pointer;
  CHECK(cudaPointerGetAttributes(&pointer, x));
  return report("device-properties", (count < 1) + (device != 0) + (properties.warpSize != 32) +
                                         (properties.major < 8) + (most != properties.maxThreadsPerBlock) +
                                         (driver < 12000) + (runtime != CUDART_VERSION) + (block > 100) +
                                         (smallest < 1) + (attributes.sharedSizeBytes != 400) + (free > total) +
                                         (total == 0) + (pointer.type != cudaMemoryTypeManaged));
}
