// printf and assertions that hold.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cassert>

__global__ void kernel(int n) {
  assert(n == 3);
  if (threadIdx.x == 1)
    printf("thread %d of %u says %s, %.2f\n", threadIdx.x, blockDim.x, "hello", 1.5);
}

int main() {
  kernel<<<1, 2>>>(3);
  finishKernels();
  return report("printf-assert", 0);
}
