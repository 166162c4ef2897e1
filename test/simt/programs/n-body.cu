// Bodies that attract each other: vectors of four, tiles in shared memory, rsqrtf.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__host__ __device__ float3 attraction(float3 sum, float4 from, float4 to) {
  float x = to.x - from.x, y = to.y - from.y, z = to.z - from.z, square = x * x + y * y + z * z + 0.01f;
#ifdef __CUDA_ARCH__
  float inverse = rsqrtf(square);
#else
  float inverse = 1 / sqrtf(square);
#endif
  float scale = to.w * inverse * inverse * inverse;
  return make_float3(sum.x + x * scale, sum.y + y * scale, sum.z + z * scale);
}

__global__ void accelerate(const float4 *bodies, float3 *out, int n) {
  __shared__ float4 tile[64];
  float4 mine = bodies[blockIdx.x * 64 + threadIdx.x];
  float3 sum = {};
  for (int start = 0; start < n; start += 64) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 64; ++k)
      sum = attraction(sum, mine, tile[k]);
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

int main() {
  const int n = 256;
  auto *bodies = allocate<float4>(n);
  auto *out = allocate<float3>(n);
  for (int i = 0; i < n; ++i)
    bodies[i] = make_float4(float(i % 8), float(i / 8 % 8), float(i / 64), 1 + i % 3);
  accelerate<<<n / 64, 64>>>(bodies, out, n);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < n; ++i) {
    float3 sum = {};
    for (int k = 0; k < n; ++k)
      sum = attraction(sum, bodies[i], bodies[k]);
    wrong += !close(out[i].x, sum.x, 1e-3) || !close(out[i].y, sum.y, 1e-3) || !close(out[i].z, sum.z, 1e-3);
  }
  return report("n-body", wrong);
}
