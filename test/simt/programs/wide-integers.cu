// Integers of 128 bits, long divisions, and multiplications that are twice as wide.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__host__ __device__ unsigned __int128 mix(unsigned long long a, unsigned long long b) {
  unsigned __int128 wide = (unsigned __int128)a * b + a;
  wide = (wide << 7) | (wide >> 121);
  return wide / (b | 1) + wide % (a | 1);
}

__global__ void kernel(unsigned long long *out) {
  unsigned long long a = 0x9e3779b97f4a7c15ull * (threadIdx.x + 1), b = ~a >> threadIdx.x;
  unsigned __int128 mixed = mix(a, b);
  out[threadIdx.x * 3] = (unsigned long long)mixed;
  out[threadIdx.x * 3 + 1] = (unsigned long long)(mixed >> 64);
  out[threadIdx.x * 3 + 2] = __umul64hi(a, b) + (unsigned long long)(long long)(-7 / (int(threadIdx.x) - 40));
}

int main() {
  auto *out = allocate<unsigned long long>(32 * 3);
  kernel<<<1, 32>>>(out);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 32; ++i) {
    unsigned long long a = 0x9e3779b97f4a7c15ull * (i + 1), b = ~a >> i;
    unsigned __int128 mixed = mix(a, b);
    wrong += out[i * 3] != (unsigned long long)mixed || out[i * 3 + 1] != (unsigned long long)(mixed >> 64) ||
             out[i * 3 + 2] != (unsigned long long)((unsigned __int128)a * b >> 64) + (long long)(-7 / (i - 40));
  }
  return report("wide-integers", wrong);
}
