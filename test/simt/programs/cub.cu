// CUB: a reduction of the device, a scan and a sort of a block.
//
// RUN: %tcc -O2 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90] --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cub/cub.cuh>

__global__ void sortBlock(int *x) {
  using Sort = cub::BlockRadixSort<int, 128, 4>;
  using Scan = cub::BlockScan<int, 128>;
  __shared__ union {
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
  } storage;
  int items[4], before;
  for (int k = 0; k < 4; ++k)
    items[k] = x[threadIdx.x * 4 + k];
  Sort(storage.sort).Sort(items);
  __syncthreads();
  Scan(storage.scan).ExclusiveSum(1, before);
  for (int k = 0; k < 4; ++k)
    x[before * 4 + k] = items[k];
}

int main() {
  const int n = 512;
  int *x = allocate<int>(n), *sum = allocate<int>(1);
  for (int i = 0; i < n; ++i)
    x[i] = i * 167 % n;
  size_t bytes = 0;
  CHECK(cub::DeviceReduce::Sum(nullptr, bytes, x, sum, n));
  void *storage;
  CHECK(cudaMalloc(&storage, bytes));
  CHECK(cub::DeviceReduce::Sum(storage, bytes, x, sum, n));
  sortBlock<<<1, 128>>>(x);
  finishKernels();
  long wrong = *sum != n * (n - 1) / 2;
  for (int i = 0; i < n; ++i)
    wrong += x[i] != i;
  return report("cub", wrong);
}
