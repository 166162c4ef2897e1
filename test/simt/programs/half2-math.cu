// Arithmetic on pairs of halves and of bfloat16: conversions, fused products, comparisons, rounding.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void kernel(float *out) {
  float v = float(threadIdx.x) / 4;
  __half2 h = __floats2half2_rn(v, -v), two = __float2half2_rn(2.0f);
  float2 fused = __half22float2(__hfma2(h, two, __half2half2(__float2half(0.5f))));
  __nv_bfloat162 b = __floats2bfloat162_rn(v, 1.0f);
  float2 squared = __bfloat1622float2(__hmul2(b, b));
  float *mine = out + threadIdx.x * 8;
  mine[0] = fused.x;
  mine[1] = fused.y;
  mine[2] = squared.x;
  mine[3] = __half2float(hsqrt(__float2half(v)));
  mine[4] = __hgt(__low2half(h), __high2half(h)) * 2 + __hbeq2(h, h);
  mine[5] = float(__half2int_rn(__float2half(v))) + float(__float2half_rz(v + 0.0001f));
  mine[6] = __half2float(__hmax(__low2half(h), __float2half(3.0f)));
  mine[7] = __bfloat162float(__habs(__float2bfloat16(-v)));
}

int main() {
  float *out = allocate<float>(32 * 8);
  kernel<<<1, 32>>>(out);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 32; ++i) {
    float v = i / 4.0f, *mine = out + i * 8;
    wrong += (mine[0] != 2 * v + 0.5f) + (mine[1] != -2 * v + 0.5f) + !close(mine[2], v * v, 1e-2) +
             !close(mine[3], std::sqrt(v), 1e-3) + (mine[4] != (v > -v) * 2 + 1) + !close(mine[5], rint(v) + v, 1e-3) +
             (mine[6] != fmaxf(v, 3)) + (mine[7] != v);
  }
  return report("half2-math", wrong);
}
