// Tensor cores by assembly: ldmatrix and mma.sync on halves.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda_fp16.h>
// 16x8 of A (16x16) and B (16x8, column by column).
__global__ void multiply(const __half *a, const __half *b, float *c) {
  __shared__ __align__(16) __half tile[16 * 16];
  int lane = threadIdx.x;
  for (int i = lane; i < 256; i += 32)
    tile[i] = a[i];
  __syncwarp();
  unsigned x[4], y[2];
  float d[4] = {};
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&tile[lane % 16 * 16 + lane / 16 * 8]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
               : "r"(address));
  const unsigned *column = reinterpret_cast<const unsigned *>(b + lane / 4 * 16);
  y[0] = column[lane % 4];
  y[1] = column[lane % 4 + 4];
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, "
               "%1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  for (int i = 0; i < 4; ++i)
    c[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

int main() {
  auto *a = allocate<__half>(256), *b = allocate<__half>(128);
  auto *c = allocate<float>(128);
  for (int i = 0; i < 256; ++i)
    a[i] = __float2half(float(i % 7 - 3));
  for (int i = 0; i < 128; ++i)
    b[i] = __float2half(float(i % 5 - 2));
  multiply<<<1, 32>>>(a, b, c);
  finishKernels();
  long wrong = 0;
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      float sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += float((row * 16 + k) % 7 - 3) * float((column * 16 + k) % 5 - 2);
      wrong += c[row * 8 + column] != sum;
    }
  return report("mma-ptx", wrong);
}
