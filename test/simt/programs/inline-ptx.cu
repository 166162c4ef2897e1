// Assembly: special registers, predicates, vectors, 64-bit and floating-point operands, several instructions.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__device__ unsigned lane() {
  unsigned value;
  asm("mov.u32 %0, %%laneid;" : "=r"(value));
  return value;
}
__device__ int choose(int a, int b, int c) {
  asm("{\n\t.reg .pred p;\n\tsetp.gt.s32 p, %1, 10;\n\tselp.s32 %0, %2, %3, p;\n\t}"
      : "=r"(a)
      : "r"(a), "r"(b), "r"(c));
  return a;
}
__device__ float4 load(const float4 *p) {
  float4 v;
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
  return v;
}

__global__ void kernel(const float4 *in, double *out) {
  double fused;
  asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(fused) : "d"(2.0), "d"(double(lane())), "d"(0.5));
  unsigned long long wide;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(1u << 31), "r"(lane()));
  float4 v = load(in + threadIdx.x);
  out[threadIdx.x] = fused + double(wide >> 31) + choose(threadIdx.x, 100, 200) + v.w;
}

int main() {
  auto *in = allocate<float4>(32);
  auto *out = allocate<double>(32);
  for (int i = 0; i < 32; ++i)
    in[i] = make_float4(0, 0, 0, float(i * i));
  kernel<<<1, 32>>>(in, out);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 32; ++i)
    wrong += out[i] != 2 * i + 0.5 + i + (i > 10 ? 100 : 200) + i * i;
  return report("inline-ptx", wrong);
}
