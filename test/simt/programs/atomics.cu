// Atomic operations of every kind and type, in global and shared memory.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
struct Results {
  int sum, least, greatest, bits, exchanged;
  unsigned wrapped;
  unsigned long long wide;
  float real;
  double exact;
};

__global__ void all(Results *r) {
  __shared__ int inBlock;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    inBlock = 0;
  __syncthreads();
  atomicAdd(&inBlock, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(&r->sum, inBlock);
  atomicMin(&r->least, -i);
  atomicMax(&r->greatest, i);
  atomicOr(&r->bits, 1 << (i % 20));
  atomicInc(&r->wrapped, 99);
  atomicAdd(&r->wide, 1ull << 33);
  atomicAdd(&r->real, 0.5f);
  atomicAdd(&r->exact, 0.25);
  for (int old = 0, seen; (seen = atomicCAS(&r->exchanged, old, old + 3)) != old;)
    old = seen;
}

int main() {
  auto *r = allocate<Results>(1);
  *r = {};
  all<<<4, 100>>>(r);
  finishKernels();
  long wrong = (r->sum != 400) + (r->least != -399) + (r->greatest != 399) + (r->bits != (1 << 20) - 1) +
               (r->exchanged != 1200) + (r->wrapped != 0) + (r->wide != 400ull << 33) + (r->real != 200) +
               (r->exact != 100);
  return report("atomics", wrong);
}
