// Atomics of a block, of the device and of the system; compare-and-swap loops on doubles; pairs of halves.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda_fp16.h>
struct Results {
  int block, system, least, bits;
  unsigned long long wide, greatest;
  double product;
  __half2 halves;
};

__device__ double atomicMultiply(double *at, double by) {
  auto *bits = reinterpret_cast<unsigned long long *>(at);
  unsigned long long old = atomicAdd(bits, 0), expected;
  do {
    expected = old;
    old = atomicCAS(bits, expected, __double_as_longlong(by * __longlong_as_double(expected)));
  } while (old != expected);
  return __longlong_as_double(old);
}

__global__ void all(Results *r) {
  atomicAdd_block(&r->block, 3);
  atomicAdd_system(&r->system, -1);
  atomicMin_system(&r->least, -int(threadIdx.x));
  atomicAnd_block(&r->bits, ~(1 << threadIdx.x % 32));
  atomicAdd_system(&r->wide, 1ull << 40);
  atomicMax(&r->greatest, 1ull << threadIdx.x % 64);
  atomicAdd(&r->halves, __floats2half2_rn(1.0f, 0.5f));
  if (threadIdx.x < 8)
    atomicMultiply(&r->product, 2);
}

int main() {
  auto *r = allocate<Results>(1);
  *r = {};
  r->bits = -1;
  r->product = 3;
  all<<<1, 64>>>(r);
  finishKernels();
  long wrong = (r->block != 192) + (r->system != -64) + (r->least != -63) + (r->bits != 0) +
               (r->wide != 64ull << 40) + (r->greatest != 1ull << 63) + (r->product != 768) +
               (__low2float(r->halves) != 64) + (__high2float(r->halves) != 32);
  return report("atomics-scopes", wrong);
}
