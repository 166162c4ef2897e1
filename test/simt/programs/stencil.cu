// Heat on a three-dimensional grid, with three-dimensional blocks and two alternating buffers.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
constexpr int size = 16;
__device__ __host__ inline int at(int x, int y, int z) { return (z * size + y) * size + x; }

__host__ __device__ float step(const float *in, int x, int y, int z) {
  float sum = -6 * in[at(x, y, z)];
  for (int d = -1; d <= 1; d += 2)
    sum += in[at(x + d, y, z)] + in[at(x, y + d, z)] + in[at(x, y, z + d)];
  return in[at(x, y, z)] + 0.125f * sum;
}

__global__ void heat(const float *in, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  bool isInside = x > 0 && y > 0 && z > 0 && x < size - 1 && y < size - 1 && z < size - 1;
  out[at(x, y, z)] = isInside ? step(in, x, y, z) : in[at(x, y, z)];
}

int main() {
  const int n = size * size * size;
  float *grids[2] = {allocate<float>(n), allocate<float>(n)}, reference[2][n];
  for (int i = 0; i < n; ++i)
    grids[0][i] = reference[0][i] = reference[1][i] = float(i % 11 * (i % 5));
  for (int round = 0; round < 4; ++round)
    heat<<<dim3(4, 2, 8), dim3(4, 8, 2)>>>(grids[round % 2], grids[1 - round % 2]);
  finishKernels();
  for (int round = 0; round < 4; ++round)
    for (int z = 1; z < size - 1; ++z)
      for (int y = 1; y < size - 1; ++y)
        for (int x = 1; x < size - 1; ++x)
          reference[1 - round % 2][at(x, y, z)] = step(reference[round % 2], x, y, z);
  long wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += !close(grids[0][i], reference[0][i]);
  return report("stencil", wrong);
}
