// An estimate of pi with a generator of our own, states in registers, and warps that vote.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__host__ __device__ unsigned next(unsigned &state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}
__host__ __device__ int hits(unsigned seed, int rounds) {
  unsigned state = seed * 2654435769u + 1;
  int count = 0;
  for (int i = 0; i < rounds; ++i) {
    float x = next(state) * 0x1p-32f, y = next(state) * 0x1p-32f;
    count += x * x + y * y < 1.0f;
  }
  return count;
}

__global__ void estimate(int rounds, unsigned *total) {
  unsigned mine = hits(blockIdx.x * blockDim.x + threadIdx.x, rounds), sum = mine;
  for (int distance = 16; distance; distance /= 2)
    sum += __shfl_xor_sync(~0u, sum, distance);
  if (threadIdx.x % 32 == 0)
    atomicAdd(total, sum);
}

int main() {
  const int rounds = 50, threads = 8 * 128;
  auto *total = allocate<unsigned>(1);
  *total = 0;
  estimate<<<8, 128>>>(rounds, total);
  finishKernels();
  long reference = 0;
  for (int i = 0; i < threads; ++i)
    reference += hits(i, rounds);
  double pi = 4.0 * *total / (threads * rounds);
  return report("monte-carlo", (labs(long(*total) - reference) > 3) + !(pi > 3.1 && pi < 3.18));
}
