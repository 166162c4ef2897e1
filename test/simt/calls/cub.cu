// Block-level functions of CUB on tiles: sorts of pairs, scans and reductions, with the elements in registers, in kernels
// whose other tile operations use shared memory, too.
//
// REQUIRES: emulated-cudart
// RUN: %tcc -O2 -arch=sm_90 --cudart=shared %s -o %t && env TILECC_DEVICE=emu:sm_90 TILECC_EMU_CHECKS=all %emulated %t | FileCheck %s
// RUN: env TILECC_DEVICE=emu:sm_90 TILECC_EMU_SCHEDULE=random TILECC_EMU_SEED=5 %emulated %t | FileCheck %s
// CHECK: cub: correct
#include <tilecc/threads.h>

#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

template <int Threads, int N>
__tile_global__ void sort_pairs(const unsigned *keys, unsigned *sorted, int *places) {
  auto at = tt::program_id(0) * N + tt::arange<N>();
  auto [k, v] = tt::with_items<Threads>(
      [](auto &keys, auto &values) {
        using Sort = cub::BlockRadixSort<unsigned, Threads, N / Threads, int>;
        __shared__ typename Sort::TempStorage storage;
        Sort(storage).SortDescending(keys, values);
      },
      tt::load(keys + at), tt::arange<N>());
  tt::store(sorted + at, k);
  tt::store(places + at, v);
}

// The running sums of a tile that is transposed before and after, by CUB and by the language.
template <int N> __tile_global__ void scan(const int *x, int *y, int *z, int *largest) {
  auto i = tt::arange<N * N>();
  auto t = tt::ravel(tt::trans(tt::reshape<N, N>(tt::load(x + i))));
  auto sums = tt::with_items<128>(
      [](int (&items)[N * N / 128]) {
        using Scan = cub::BlockScan<int, 128>;
        __shared__ typename Scan::TempStorage storage;
        Scan(storage).InclusiveSum(items, items);
      },
      t);
  tt::store(y + i, tt::ravel(tt::trans(tt::reshape<N, N>(sums))));
  tt::store(z + i, tt::ravel(tt::trans(tt::reshape<N, N>(tt::cumsum(t)))));
  int most = tt::all_threads(
      [](const int *x) {
        using Reduce = cub::BlockReduce<int, 128>;
        __shared__ typename Reduce::TempStorage storage;
        __shared__ int result;
        int most = Reduce(storage).Reduce(x[threadIdx.x], [](int a, int b) { return a > b ? a : b; });
        if (threadIdx.x == 0)
          result = most;
        __syncthreads();
        return result;
      },
      x);
  tt::store(largest, most);
}

template <class T> T *allocate(size_t n) {
  T *p;
  if (cudaMallocManaged(&p, n * sizeof(T)))
    std::abort();
  return p;
}

int main() {
  constexpr int rows = 3, n = 512, side = 32;
  unsigned *keys = allocate<unsigned>(rows * n), *sorted = allocate<unsigned>(rows * n);
  int *places = allocate<int>(rows * n), *x = allocate<int>(side * side), *y = allocate<int>(side * side),
      *z = allocate<int>(side * side), *largest = allocate<int>(1);
  for (int i = 0; i < rows * n; ++i)
    keys[i] = unsigned(i) * 2654435761u % 300;
  for (int i = 0; i < side * side; ++i)
    x[i] = i * 37 % 101;
  sort_pairs<64, n><<<rows>>>(keys, sorted, places);
  scan<side><<<1>>>(x, y, z, largest);
  if (cudaError_t error = cudaDeviceSynchronize()) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[row * n + a] > keys[row * n + b]; });
    for (int i = 0; i < n; ++i)
      wrong += places[row * n + i] != order[i] || sorted[row * n + i] != keys[row * n + order[i]];
  }
  for (int i = 0; i < side * side; ++i)
    wrong += y[i] != z[i];
  wrong += *largest != *std::max_element(x, x + 128);
  std::printf("cub: %s\n", wrong ? "WRONG" : "correct");
  return wrong != 0;
}
