// CUB: a radix sort of pairs, downwards, over some bits.
//
// RUN: %tcc -O2 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90] --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cub/device/device_radix_sort.cuh>
int main() {
  const int n = 600;
  auto *keys = allocate<unsigned>(n), *sorted = allocate<unsigned>(n);
  int *values = allocate<int>(n), *order = allocate<int>(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = (i * 2654435761u >> 8) % 4096;
    values[i] = i;
  }
  size_t bytes = 0;
  void *storage;
  CHECK(cub::DeviceRadixSort::SortPairsDescending(nullptr, bytes, keys, sorted, values, order, n, 0, 12));
  CHECK(cudaMalloc(&storage, bytes));
  CHECK(cub::DeviceRadixSort::SortPairsDescending(storage, bytes, keys, sorted, values, order, n, 0, 12));
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += sorted[i] != keys[order[i]] ||
             (i && (sorted[i - 1] < sorted[i] || (sorted[i - 1] == sorted[i] && order[i - 1] > order[i])));
  return report("cub-sort-pairs", wrong);
}
