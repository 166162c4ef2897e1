// Thrust: sort, transform and reduce of device vectors.
//
// RUN: %tcc -O2 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90] --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

int main() {
  const int n = 10000;
  thrust::device_vector<int> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = i * 7919 % n;
  thrust::sort(x.begin(), x.end(), thrust::greater<int>());
  thrust::transform(x.begin(), x.end(), x.begin(), [] __device__(int v) { return 2 * v; });
  long sum = thrust::reduce(x.begin(), x.end(), 0L);
  return report("thrust", (x[0] != 2 * (n - 1)) + (x[n - 1] != 0) + (sum != long(n) * (n - 1)));
}
