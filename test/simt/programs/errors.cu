// Mistakes of the host are numbers with names: a block that is too large, memory that is not there, and what is kept.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cstring>
__global__ void kernel(int *x) { *x = 1; }

int main() {
  int *x = allocate<int>(1);
  long wrong = 0;
  kernel<<<1, 4096>>>(x);
  wrong += cudaPeekAtLastError() != cudaErrorInvalidValue;
  wrong += cudaGetLastError() != cudaErrorInvalidValue;
  wrong += cudaGetLastError() != cudaSuccess;
  wrong += cudaSetDevice(1000) != cudaErrorInvalidDevice;
  cudaGetLastError();
  wrong += std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") != 0;
  wrong += std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") != 0;
  kernel<<<1, 1>>>(x);
  finishKernels();
  return report("errors", wrong + (*x != 1));
}
