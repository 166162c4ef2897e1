// half, bfloat16 and their vectors.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void halves(const __half *x, const __nv_bfloat16 *y, float *out) {
  int i = threadIdx.x;
  __half2 pair = __hfma2(__half2half2(x[i]), __float2half2_rn(2.0f), __floats2half2_rn(1.0f, 3.0f));
  __nv_bfloat16 sum = y[i] + __float2bfloat16(0.5f);
  out[i * 3] = __low2float(pair);
  out[i * 3 + 1] = __half2float(hsqrt(__hmul(x[i], x[i])));
  out[i * 3 + 2] = __bfloat162float(sum);
}

int main() {
  const int n = 32;
  auto *x = allocate<__half>(n);
  auto *y = allocate<__nv_bfloat16>(n);
  auto *out = allocate<float>(n * 3);
  for (int i = 0; i < n; ++i)
    x[i] = __float2half(float(i)), y[i] = __float2bfloat16(float(i));
  halves<<<1, n>>>(x, y, out);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += out[i * 3] != 2 * i + 1 || out[i * 3 + 1] != i || out[i * 3 + 2] != i + 0.5f;
  return report("half-bf16", wrong);
}
