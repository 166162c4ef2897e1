// CUDA code called from a tile kernel. Each program of `sort_rows` sorts one row with CUB, so that the row stays in
// registers between the tile operations before and after. The last program to finish sums up the stored values.
//
//   tcc -O2 -arch=sm_90 calls.cu -o calls && ./calls [rows]
//
// Exits with 1 if a result is wrong.
#include <tilecc/threads.h>

#include <cub/block/block_radix_sort.cuh>

#include "../support/cuda_check.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int threads = 128, columns = 512;

// For a block of 128 threads, each of which has 4 adjacent elements of the row.
__device__ void sort_items(float (&items)[columns / threads]) {
  using Sort = cub::BlockRadixSort<float, threads, columns / threads>;
  __shared__ typename Sort::TempStorage storage;
  Sort(storage).Sort(items);
}

// One thread per program. The fences order the stores of the program before the count, and those of the other programs
// before what this program loads.
__device__ int count_program(int *count) {
  __threadfence();
  int before = atomicAdd(count, 1);
  __threadfence();
  return before;
}

__tile_global__ void sort_rows(const float *x, float *sorted, float *medians, int *count, float *sum) {
  int row = tt::program_id(0), rows = tt::num_programs(0);
  auto at = row * columns + tt::arange<columns>();
  auto y = tt::with_items<threads, sort_items>(tt::abs(tt::load(x + at)));
  tt::store(sorted + at, y);
  tt::store(medians + row, tt::sum(tt::where(tt::arange<columns>() == columns / 2, y, 0.0f)));
  if (tt::once<count_program>(count) == rows - 1) {
    float total = 0;
    for (int first : tt::range(0, rows, 64)) {
      auto i = first + tt::arange<64>();
      total += tt::sum(tt::load(medians + i, i < rows, 0.0f, tt::volatile_access));
    }
    tt::store(sum, total);
  }
}

int main(int argc, char **argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::vector<float> x(rows * columns), y(x.size());
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(int(i * 7919 % 10007)) - 5000;
  float *in, *out, *medians, *sum;
  int *count;
  CHECK(cudaMalloc(&in, x.size() * sizeof(float)));
  CHECK(cudaMalloc(&out, x.size() * sizeof(float)));
  CHECK(cudaMalloc(&medians, rows * sizeof(float)));
  CHECK(cudaMalloc(&sum, sizeof(float)));
  CHECK(cudaMalloc(&count, sizeof(int)));
  CHECK(cudaMemcpy(in, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(count, 0, sizeof(int)));

  sort_rows<<<rows>>>(in, out, medians, count, sum);

  float got = 0;
  double wanted = 0;
  CHECK(cudaMemcpy(y.data(), out, y.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&got, sum, sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    std::vector<float> reference(x.begin() + row * columns, x.begin() + (row + 1) * columns);
    for (float &value : reference)
      value = value < 0 ? -value : value;
    std::sort(reference.begin(), reference.end());
    wrong += !std::equal(reference.begin(), reference.end(), y.begin() + row * columns);
    wanted += reference[columns / 2];
  }
  bool isRight = wrong == 0 && std::abs(got - wanted) <= 1e-5 * wanted; // floats, in another order
  std::printf("%d rows, the medians sum up to %.0f: %s\n", rows, got, isRight ? "correct" : "WRONG");
  return !isRight;
}
