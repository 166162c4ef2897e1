// A bitonic sort in shared memory.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void sort(unsigned *x) {
  __shared__ unsigned values[256];
  unsigned thread = threadIdx.x;
  values[thread] = x[thread];
  for (unsigned size = 2; size <= 256; size *= 2)
    for (unsigned stride = size / 2; stride; stride /= 2) {
      __syncthreads();
      unsigned other = thread ^ stride;
      if (other > thread && (values[thread] > values[other]) == !(thread & size)) {
        unsigned kept = values[thread];
        values[thread] = values[other];
        values[other] = kept;
      }
    }
  __syncthreads();
  x[thread] = values[thread];
}

int main() {
  auto *x = allocate<unsigned>(256);
  unsigned long sum = 0, sorted = 0;
  for (int i = 0; i < 256; ++i)
    sum += x[i] = (i * 2654435761u) >> 7;
  sort<<<1, 256>>>(x);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 256; ++i) {
    wrong += i && x[i - 1] > x[i];
    sorted += x[i];
  }
  return report("sort-bitonic", wrong + (sum != sorted));
}
