// Measures the cost of a call of SIMT code in a tile kernel (<tilecc/threads.h>): each kernel does the same work on
// tiles of 512 numbers in registers, 64 times, once with tile operations alone and once with calls. The last rows
// compare a block sort by CUB in a tile kernel and in a SIMT kernel.
//
//   tcc -O2 -arch=sm_90 calls.cu -o calls && ./calls
//
// Prints nanoseconds per program and call on a GPU that is full of programs, and the ratio to the form above. Rounds
// are interleaved in random order; the figures are medians.
#include <tilecc/threads.h>

#include <cub/block/block_radix_sort.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

constexpr int size = 512, threads = 128, calls = 64, programs = 132 * 16 * 8;

__device__ float step(float x) { return x * 1.0001f + 0.5f; }
__device__ __noinline__ int number(int i) { return i * 3 + 1; }

enum form { tiles, each, items, shared, none, by_one, by_all, barrier };

template <form Form> [[tt::num_warps(4)]] __tile_global__ void work(const float *x, float *y, int n) {
  auto at = tt::program_id(0) % 64 * size + tt::arange<size>();
  auto v = tt::load(x + at);
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if constexpr (Form == tiles)
      v = tt::fma(v, 1.0001f, 0.5f);
    else if constexpr (Form == each)
      v = tt::map_elementwise([](float x) { return step(x); }, v);
    else if constexpr (Form == items)
      v = tt::with_items<threads>([](float (&v)[size / threads]) {
        for (float &x : v)
          x = step(x);
      }, v);
    else if constexpr (Form == shared)
      v = tt::in_shared([](float (&v)[size]) {
        for (int i = threadIdx.x; i < size; i += blockDim.x)
          v[i] = step(v[i]);
      }, v);
    else if constexpr (Form == by_one)
      sum += tt::once<number>(i + sum);
    else if constexpr (Form == by_all)
      sum += tt::all_threads<number>(i + sum);
    else if constexpr (Form == barrier) {
      tt::debug_barrier();
      sum += (i + sum) * 3 + 1;
    } else
      sum += (i + sum) * 3 + 1;
  }
  tt::store(y + at, v + float(sum));
}

__device__ void sort_items(float (&items)[size / threads]) {
  using Sort = cub::BlockRadixSort<float, threads, size / threads>;
  __shared__ typename Sort::TempStorage storage;
  Sort(storage).Sort(items);
}
__global__ void __launch_bounds__(threads) simt_sort(const float *x, float *y) {
  size_t at = blockIdx.x % 64 * size + threadIdx.x * 4;
  float items[4];
  *reinterpret_cast<float4 *>(items) = *reinterpret_cast<const float4 *>(x + at);
  sort_items(items);
  *reinterpret_cast<float4 *>(y + at) = *reinterpret_cast<float4 *>(items);
}
__tile_global__ void tile_sort(const float *x, float *y) {
  auto at = tt::program_id(0) % 64 * size + tt::arange<size>();
  tt::store(y + at, tt::with_items<threads, sort_items>(tt::load(x + at)));
}
__tile_global__ void language_sort(const float *x, float *y) {
  auto at = tt::program_id(0) % 64 * size + tt::arange<size>();
  tt::store(y + at, tt::sort(tt::load(x + at)));
}

int main() {
  float *x, *y;
  if (cudaMalloc(&x, 64 * size * 4) || cudaMalloc(&y, 64 * size * 4))
    return std::printf("no memory\n"), 1;
  std::mt19937 random(1);
  std::vector<float> host(64 * size);
  for (float &v : host)
    v = float(random() % 100000);
  cudaMemcpy(x, host.data(), host.size() * 4, cudaMemcpyHostToDevice);
  struct row {
    const char *name, *beside;
    int count;
    std::function<void()> launch;
    std::vector<float> times;
  };
  std::vector<row> rows = {
      {"fma of tiles", "fma of tiles", calls, [&] { work<tiles><<<programs>>>(x, y, calls); }, {}},
      {"map_elementwise", "fma of tiles", calls, [&] { work<each><<<programs>>>(x, y, calls); }, {}},
      {"with_items", "fma of tiles", calls, [&] { work<items><<<programs>>>(x, y, calls); }, {}},
      {"in_shared", "fma of tiles", calls, [&] { work<shared><<<programs>>>(x, y, calls); }, {}},
      {"scalar code", "scalar code", calls, [&] { work<none><<<programs>>>(x, y, calls); }, {}},
      {"a barrier", "scalar code", calls, [&] { work<barrier><<<programs>>>(x, y, calls); }, {}},
      {"all_threads", "a barrier", calls, [&] { work<by_all><<<programs>>>(x, y, calls); }, {}},
      {"once", "a barrier", calls, [&] { work<by_one><<<programs>>>(x, y, calls); }, {}},
      {"CUB's sort, SIMT kernel", "CUB's sort, SIMT kernel", 1, [&] { simt_sort<<<programs, threads>>>(x, y); }, {}},
      {"CUB's sort, tile kernel", "CUB's sort, SIMT kernel", 1, [&] { tile_sort<<<programs>>>(x, y); }, {}},
      {"tt::sort", "CUB's sort, SIMT kernel", 1, [&] { language_sort<<<programs>>>(x, y); }, {}},
  };
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<row *> order;
  for (row &each : rows)
    order.push_back(&each);
  for (int round = 0; round < 31; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (row *each : order) {
      cudaEventRecord(begin);
      each->launch();
      cudaEventRecord(end);
      if (cudaError_t error = cudaEventSynchronize(end))
        return std::printf("%s: %s\n", each->name, cudaGetErrorString(error)), 1;
      float ms = 0;
      cudaEventElapsedTime(&ms, begin, end);
      each->times.push_back(ms);
    }
  }
  std::printf("| form | ns per program and call | ratio to |\n|---|---|---|\n");
  auto median = [](row &each) {
    std::sort(each.times.begin(), each.times.end());
    return double(each.times[each.times.size() / 2]);
  };
  for (row &each : rows) {
    auto isBeside = [&](row &other) { return std::string(other.name) == each.beside; };
    row &beside = *std::find_if(rows.begin(), rows.end(), isBeside);
    std::printf("| %s | %.3f | %.2f of %s |\n", each.name, median(each) * 1e6 / programs / each.count,
                median(each) / median(beside), each.beside);
  }
}
