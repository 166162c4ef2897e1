// printf and assertions that hold.
//
// RUN: %tcc -O2 %s -o %t
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
