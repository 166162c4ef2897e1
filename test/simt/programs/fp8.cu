// 8-bit floats, to and from half, on both sides.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__global__ void convert(const float *x, float *out, unsigned char *bits) {
  __nv_fp8_e4m3 small(x[threadIdx.x]);
  __nv_fp8_e5m2 wide(x[threadIdx.x]);
  out[threadIdx.x] = float(small) + float(wide);
  bits[threadIdx.x] = small.__x;
}

int main() {
  const int n = 64;
  float *x = allocate<float>(n), *out = allocate<float>(n);
  auto *bits = allocate<unsigned char>(n);
  for (int i = 0; i < n; ++i)
    x[i] = float(i - 32) * 0.37f;
  convert<<<1, n>>>(x, out, bits);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += bits[i] != __nv_fp8_e4m3(x[i]).__x || out[i] != float(__nv_fp8_e4m3(x[i])) + float(__nv_fp8_e5m2(x[i]));
  return report("fp8", wrong);
}
