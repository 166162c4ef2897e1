// CUB on whole arrays: scans, selections, runs, and a sum of segments.
//
// RUN: %tcc -O2 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90] --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cub/cub.cuh>
template <class Call> void run(Call call) {
  size_t bytes = 0;
  void *storage = nullptr;
  CHECK(call(storage, bytes));
  CHECK(cudaMalloc(&storage, bytes));
  CHECK(call(storage, bytes));
  CHECK(cudaFree(storage));
}
struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2; }
};

int main() {
  const int n = 700;
  int *x = allocate<int>(n), *out = allocate<int>(n), *odd = allocate<int>(n), *count = allocate<int>(3),
      *keys = allocate<int>(n), *lengths = allocate<int>(n);
  for (int i = 0; i < n; ++i)
    x[i] = i / 3 % 10;
  run([&](void *s, size_t &b) { return cub::DeviceScan::ExclusiveSum(s, b, x, out, n); });
  run([&](void *s, size_t &b) { return cub::DeviceSelect::If(s, b, x, odd, count, n, IsOdd()); });
  run([&](void *s, size_t &b) { return cub::DeviceRunLengthEncode::Encode(s, b, x, keys, lengths, count + 1, n); });
  finishKernels();
  long wrong = count[1] != (n + 2) / 3;
  int sum = 0, odds = 0;
  for (int i = 0; i < n; ++i) {
    wrong += out[i] != sum;
    sum += x[i];
    if (x[i] % 2)
      wrong += odd[odds++] != x[i];
  }
  for (int i = 0; i < count[1]; ++i)
    wrong += keys[i] != i % 10 || lengths[i] != min(3, n - 3 * i);
  return report("cub-scan-select", wrong + (count[0] != odds));
}
