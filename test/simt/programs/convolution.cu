// A convolution of rows and columns: the filter in constant memory, tiles with a border in shared memory.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
constexpr int radius = 3, width = 64, height = 32, tile = 16;
__constant__ float filter[2 * radius + 1];

__global__ void rows(const float *in, float *out) {
  __shared__ float line[tile + 2 * radius];
  int x = blockIdx.x * tile, y = blockIdx.y;
  for (int i = threadIdx.x; i < tile + 2 * radius; i += tile) {
    int at = x + i - radius;
    line[i] = at >= 0 && at < width ? in[y * width + at] : 0.0f;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k <= 2 * radius; ++k)
    sum += filter[k] * line[threadIdx.x + k];
  out[y * width + x + threadIdx.x] = sum;
}

__global__ void columns(const float *__restrict__ in, float *__restrict__ out) {
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y;
  float sum = 0;
  for (int k = -radius; k <= radius; ++k)
    if (y + k >= 0 && y + k < height)
      sum += filter[k + radius] * __ldg(&in[(y + k) * width + x]);
  out[y * width + x] = sum;
}

int main() {
  const float weights[] = {1, 2, 4, 8, 4, 2, 1};
  CHECK(cudaMemcpyToSymbol(filter, weights, sizeof weights));
  float *in = allocate<float>(width * height), *half = allocate<float>(width * height),
        *out = allocate<float>(width * height);
  for (int i = 0; i < width * height; ++i)
    in[i] = float(i * 37 % 16);
  rows<<<dim3(width / tile, height), tile>>>(in, half);
  columns<<<dim3(width / tile, height), tile>>>(half, out);
  finishKernels();
  long wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      double sum = 0;
      for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx)
          if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
            sum += double(weights[dy + radius]) * weights[dx + radius] * in[(y + dy) * width + x + dx];
      wrong += !close(out[y * width + x], sum);
    }
  return report("convolution", wrong);
}
