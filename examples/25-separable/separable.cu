// 25: relocatable device code. A SIMT kernel and a tile kernel call functions of a library that was compiled before.
// The device link combines the objects, which may also come from nvcc.
//
//   tcc -O2 -dc noise.cu statistics.tt.cpp && ar rc libnoise.a noise.o statistics.o
//   tcc -O2 -rdc=true separable.cu -L. libnoise.a -o separable && ./separable

#include "../support/cuda_check.h"
#include "noise.cuh"
#include "statistics.h"
#include <cmath>

__global__ void fill(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = uniform(noiseSeed, i);
}

__tile_global__ void standardize(float *x, float *means, int n) {
  int first = tt::program_id(0) * block, count = tt::minimum(n - first, block);
  auto i = first + tt::arange<block>();
  auto values = tt::load(x + i, i < n, 0.0f);
  Moments m = moments(values, count);
  tt::store(x + i, standardized(values, m), i < n);
  tt::store(means + tt::program_id(0), m.mean);
}

int main() {
  const int blocks = 256, n = blocks * block - 77;
  float *x, *means;
  CHECK(cudaMallocManaged(&x, n * sizeof(float)));
  CHECK(cudaMallocManaged(&means, blocks * sizeof(float)));
  fill<<<(n + 255) / 256, 256>>>(x, n);
  standardize<<<blocks>>>(x, means, n);
  CHECK(cudaDeviceSynchronize());

  int wrong = 0;
  for (int b = 0; b < blocks; ++b) {
    int count = b + 1 < blocks ? block : n - b * block;
    double sum = 0, squares = 0;
    for (int i = b * block; i < b * block + count; ++i) {
      sum += x[i];
      squares += double(x[i]) * x[i];
    }
    // The mean of a block of uniform numbers is within six standard deviations of 0.5. Normalized, they have mean 0 and
    // deviation 1.
    wrong += !(std::fabs(means[b] - 0.5f) < 0.06f && std::fabs(sum / count) < 1e-3 && std::fabs(squares / count - 1) < 1e-3);
  }
  return report("separable", wrong, blocks);
}
