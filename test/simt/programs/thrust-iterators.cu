// Thrust: iterators that count, transform and permute; sums by key, and a search.
//
// RUN: %tcc -O2 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90] --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

struct Square {
  __host__ __device__ long operator()(int x) const { return long(x) * x; }
};
struct Tenth {
  __host__ __device__ int operator()(int x) const { return x / 10; }
};

int main() {
  const int n = 500;
  thrust::counting_iterator<int> numbers(0);
  long squares = thrust::transform_reduce(numbers, numbers + n, Square(), 0L, thrust::plus<long>());
  thrust::device_vector<int> keys(n), sums(n), found(2);
  auto tens = thrust::make_transform_iterator(numbers, Tenth());
  auto ends = thrust::reduce_by_key(tens, tens + n, numbers, keys.begin(), sums.begin());
  long groups = ends.first - keys.begin();
  thrust::device_vector<int> order(3), wanted(2);
  order[0] = 7, order[1] = 1, order[2] = 49;
  auto picked = thrust::make_permutation_iterator(sums.begin(), order.begin());
  int some = thrust::reduce(picked, picked + 3);
  wanted[0] = 120, wanted[1] = 9999;
  thrust::lower_bound(sums.begin(), sums.begin() + groups, wanted.begin(), wanted.end(), found.begin());
  auto sumOf = [](int group) { return group * 100 + 45; };
  return report("thrust-iterators", (squares != long(n - 1) * n * (2 * n - 1) / 6) + (groups != n / 10) +
                                        (keys[20] != 20) + (some != sumOf(7) + sumOf(1) + sumOf(49)) + (found[0] != 1) +
                                        (found[1] != groups));
}
