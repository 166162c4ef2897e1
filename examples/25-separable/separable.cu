// 25: relocatable device code. A kernel calls functions of a library that was compiled before; the device link brings
// them together, also with objects that nvcc compiled. Beside it a tile kernel averages what the threads have made.
//
//   tcc -O2 -dc noise.cu && ar rc libnoise.a noise.o
//   tcc -O2 -rdc=true separable.cu -L. libnoise.a -o separable && ./separable

#include "../support/cuda_check.h"
#include "noise.cuh"
#include <cmath>
#include <tilecc/tt.h>
#include <vector>

__global__ void fill(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = uniform(noiseSeed, i);
}

__tile_global__ void average(const float *x, float *out, int n) {
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  tt::store(out + tt::program_id(0), tt::sum(tt::load(x + i, i < n)) / 1024.0f);
}

int main() {
  const int blocks = 256, n = blocks * 1024;
  float *x, *averages;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMallocManaged(&averages, blocks * sizeof(float)));
  fill<<<n / 256, 256>>>(x, n);
  average<<<blocks>>>(x, averages, n);
  CHECK(cudaDeviceSynchronize());

  int wrong = 0;
  for (int block = 0; block < blocks; ++block)
    wrong += !(std::fabs(averages[block] - 0.5f) < 0.06f); // six deviations of the mean of 1024
  return report("separable", wrong, blocks);
}
