// Attributes of kernels, occupancy, launch bounds, cudaLaunchKernelEx, and parameters that stay in constant memory.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
struct Big {
  int values[200];
};

__global__ void __launch_bounds__(128, 4) kernel(const __grid_constant__ Big big, int *out) {
  out[threadIdx.x] = big.values[threadIdx.x];
}

int main() {
  Big big;
  for (int i = 0; i < 200; ++i)
    big.values[i] = i * 3;
  int *out = allocate<int>(128), blocks = 0;
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, kernel));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 0));
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(128);
  CHECK(cudaLaunchKernelEx(&config, kernel, big, out));
  finishKernels();
  long wrong = (attributes.maxThreadsPerBlock != 128) + (blocks < 4);
  for (int i = 0; i < 128; ++i)
    wrong += out[i] != i * 3;
  return report("attributes", wrong);
}
