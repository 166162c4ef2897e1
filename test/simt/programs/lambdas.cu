// Extended lambdas, also for both sides, generic ones, and std::function's kin on the host.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
template <class F> __global__ void apply(F f, int *out) { out[threadIdx.x] = f(int(threadIdx.x)); }

int main() {
  int *out = allocate<int>(32), offset = 5;
  long wrong = 0;
  apply<<<1, 32>>>([=] __device__(int i) { return i * i + offset; }, out);
  finishKernels();
  for (int i = 0; i < 32; ++i)
    wrong += out[i] != i * i + 5;
  auto both = [=] __host__ __device__(auto i) { return i * 3 - offset; };
  apply<<<1, 32>>>(both, out);
  finishKernels();
  for (int i = 0; i < 32; ++i)
    wrong += out[i] != both(i);
  return report("lambdas", wrong);
}
