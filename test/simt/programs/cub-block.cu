// CUB in kernels: loads that turn values around, reductions, histograms and warps.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

__global__ void kernel(const int *x, int *sums, unsigned *bins, int *scanned) {
  using Load = cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Reduce = cub::BlockReduce<int, 64>;
  using Histogram = cub::BlockHistogram<unsigned char, 64, 4, 16, cub::BLOCK_HISTO_ATOMIC>;
  using Warp = cub::WarpReduce<int, 16>;
  using Scan = cub::WarpScan<int>;
  __shared__ union {
    Load::TempStorage load;
    Reduce::TempStorage reduce;
    Histogram::TempStorage histogram;
    Warp::TempStorage warp[4];
    Scan::TempStorage scan[2];
  } shared;
  __shared__ unsigned counts[16];
  int items[4];
  unsigned char small[4];
  Load(shared.load).Load(x, items);
  __syncthreads();
  int sum = Reduce(shared.reduce).Sum(items);
  if (threadIdx.x == 0)
    sums[0] = sum;
  for (int k = 0; k < 4; ++k)
    small[k] = items[k] % 16;
  __syncthreads();
  Histogram(shared.histogram).Histogram(small, counts);
  __syncthreads();
  if (threadIdx.x < 16)
    bins[threadIdx.x] = counts[threadIdx.x];
  int most = Warp(shared.warp[threadIdx.x / 16]).Reduce(items[0], [](int a, int b) { return a > b ? a : b; });
  if (threadIdx.x % 16 == 0)
    sums[1 + threadIdx.x / 16] = most;
  __syncthreads();
  int before;
  Scan(shared.scan[threadIdx.x / 32]).InclusiveSum(items[1], before);
  scanned[threadIdx.x] = before;
}

int main() {
  int *x = allocate<int>(256), *sums = allocate<int>(5), *scanned = allocate<int>(64), sum = 0;
  auto *bins = allocate<unsigned>(16);
  unsigned counts[16] = {};
  for (int i = 0; i < 256; ++i) {
    sum += x[i] = i * 37 % 101;
    ++counts[x[i] % 16];
  }
  kernel<<<1, 64>>>(x, sums, bins, scanned);
  finishKernels();
  long wrong = sums[0] != sum;
  for (int i = 0; i < 16; ++i)
    wrong += bins[i] != counts[i];
  for (int i = 0, running = 0, most = 0; i < 64; ++i) {
    running = i % 32 ? running + x[i * 4 + 1] : x[i * 4 + 1];
    most = i % 16 ? max(most, x[i * 4]) : x[i * 4];
    wrong += scanned[i] != running || (i % 16 == 15 && sums[1 + i / 16] != most);
  }
  return report("cub-block", wrong);
}
