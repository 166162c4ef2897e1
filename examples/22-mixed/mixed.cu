// 22: SIMT and tile kernels in one file. They use the same memory and stream, and one graph captures both. Each kind
// does what it does best: threads build a histogram with atomics, tiles normalize rows.
//
//   tcc -O2 mixed.cu -o mixed && ./mixed

#include "../support/cuda_check.h"
#include <cmath>
#include <tilecc/tt.h>
#include <vector>

constexpr int columns = 256;

// One program per row: x / sum(x).
__tile_global__ void normalize(float *x, int stride) {
  auto i = tt::program_id(0) * stride + tt::arange<columns>();
  auto row = tt::load(x + i);
  tt::store(x + i, row / tt::sum(row));
}

// One thread per element.
__global__ void count(const float *x, int n, float largest, int *bins, int binCount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[min(int(x[i] / largest * binCount), binCount - 1)], 1);
}

__global__ void scale(float *x, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= by;
}

int main() {
  const int rows = 1000, n = rows * columns, binCount = 16, rounds = 3;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = float(i % columns + 1);

  float *dx;
  int *dbins;
  cudaStream_t stream;
  CHECK(cudaMalloc(&dx, n * sizeof(float)));
  CHECK(cudaMalloc(&dbins, binCount * sizeof(int)));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMemcpyAsync(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemsetAsync(dbins, 0, binCount * sizeof(int), stream));

  // Loads the tile kernel, because code cannot be loaded during a capture.
  normalize<<<rows, stream>>>(dx, columns);

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  scale<<<(n + 255) / 256, 256, 0, stream>>>(dx, n, 3.0f);
  normalize<<<rows, stream>>>(dx, columns);
  count<<<(n + 255) / 256, 256, 0, stream>>>(dx, n, 2.0f / columns, dbins, binCount);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int round = 0; round < rounds; ++round)
    CHECK(cudaGraphLaunch(executable, stream));

  std::vector<int> bins(binCount);
  CHECK(cudaMemcpyAsync(x.data(), dx, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaMemcpyAsync(bins.data(), dbins, binCount * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));

  int wrong = 0, counted = 0;
  for (int i = 0; i < n; ++i) {
    double reference = (i % columns + 1) / (columns * (columns + 1) / 2.0);
    wrong += !(std::fabs(x[i] - reference) < 1e-5 * reference);
  }
  for (int bin : bins)
    counted += bin;
  wrong += counted != rounds * n;
  return report("mixed", wrong, n);
}
