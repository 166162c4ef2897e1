// Thrust with lambdas of the device on managed memory: for_each, remove_if, unique, inclusive_scan.
//
// RUN: %tcc -O2 --extended-lambda -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90] --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/unique.h>

int main() {
  const int n = 300;
  int *x = allocate<int>(n), offset = 2;
  for (int i = 0; i < n; ++i)
    x[i] = i / 2;
  thrust::for_each(thrust::device, x, x + n, [=] __device__(int &value) { value += offset; });
  int *end = thrust::unique(thrust::device, x, x + n);
  end = thrust::remove_if(thrust::device, x, end, [] __device__(int value) { return value % 3 == 0; });
  thrust::inclusive_scan(thrust::device, x, end, x);
  CHECK(cudaDeviceSynchronize());
  long wrong = 0, count = 0, sum = 0;
  for (int value = 2; value < n / 2 + 2; ++value)
    if (value % 3)
      wrong += x[count++] != (sum += value);
  return report("thrust-lambdas", wrong + (end - x != count));
}
