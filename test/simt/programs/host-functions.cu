// Functions that nvcc's headers give to host code: min and max of mixed types, isfinite, clock.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
template <class T> __host__ __device__ T clampTo(T x, T low, T high) { return max(low, min(x, high)); }

__global__ void kernel(double *out) {
  out[0] = clampTo(7, 0, 5) + min(3u, 4u) + max(2.0, 1.0f) + min(-1ll, 1ll);
  out[1] = nan("") == nan("");
  out[2] = isfinite(1.0f / float(threadIdx.x));
}

int main() {
  double *out = allocate<double>(3);
  kernel<<<1, 1>>>(out);
  finishKernels();
  long wrong = out[0] != 9 || out[1] != 0 || out[2] != 0;
  wrong += clampTo(7, 0, 5) != 5 || max(3u, 2) != 3 || min(2.5, 3.0f) != 2.5 || max(1l, 2l) != 2 || min(7ull, 9ll) != 7;
  wrong += max(NAN, 1.0f) != 1 || !isfinite(1.0f) || isnan(2.0) || clock() < 0;
  return report("host-functions", wrong);
}
