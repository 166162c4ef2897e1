// SIMT code called from tile kernels (<tilecc/threads.h>), of every kind: by one thread, by all, with a thread's elements,
// with a tile in shared memory, and for each element. Everything the emulator can check is checked.
//
// REQUIRES: emulated-cudart
// RUN: %tcc -O2 -arch=sm_80 --cudart=shared %s -o %t && env TILECC_DEVICE=emu TILECC_EMU_CHECKS=all %emulated %t | FileCheck %s
// RUN: env TILECC_DEVICE=emu TILECC_EMU_SCHEDULE=random TILECC_EMU_SEED=3 %emulated %t | FileCheck %s
// The code of sm_90a has other loops, and without optimization the functions are not inlined by themselves.
// RUN: %tcc -G -arch=sm_90 --cudart=shared %s -o %t.90 && env TILECC_DEVICE=emu:sm_90 %emulated %t.90 | FileCheck %s
// CHECK: calls: correct
//
// A function that forgets a barrier: the race is reported in the function.
// RUN: %tcc -O2 -arch=sm_80 -DFORGOTTEN --cudart=shared %s -o %t.race
// RUN: not env TILECC_DEVICE=emu %emulated %t.race 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: calls.cu:[[#@LINE+36]]:{{[0-9]+}}: error: data race in shared memory
//
// The functions are code of the tile kernels' module alone, and nothing of them is left in that of the SIMT code.
// RUN: %tcc -O2 -arch=sm_80 --emit=ptx %s | FileCheck %s --check-prefix=SIMT --implicit-check-not=thread_call
// SIMT: .entry {{.*}}simt_kernel
// RUN: %tcc -O2 -arch=sm_80 --emit=ptx --kernel=arrivals %s | FileCheck %s --check-prefix=TILE --implicit-check-not=call.uni
// TILE: .entry {{.*}}arrivals
// TILE: bar.sync
// TILE: atom.global.add
// TILE: bar.sync
#include <tilecc/threads.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void simt_kernel(int *x) { x[threadIdx.x] += 1; }

// By one thread: the last program to arrive adds up what all have stored.
__device__ int arrive(int *count) {
  __threadfence();
  int before = atomicAdd(count, 1);
  __threadfence();
  return before;
}
__tile_global__ void arrivals(const float *x, float *parts, int *count, float *sum) {
  int p = tt::program_id(0);
  tt::store(parts + p, tt::sum(tt::load(x + p * 256 + tt::arange<256>())));
  if (tt::once<arrive>(count) == tt::num_programs(0) - 1)
    tt::store(sum, tt::sum(tt::load(parts + tt::arange<8>(), tt::volatile_access)));
}

// With a thread's elements, and a scalar: the elements in reverse order, through shared memory.
template <int N> __device__ void reverse(int (&items)[N], int more) {
  __shared__ int all[N * 128];
  for (int k = 0; k < N; ++k)
    all[threadIdx.x * N + k] = items[k];
#ifndef FORGOTTEN
  __syncthreads();
#endif
  for (int k = 0; k < N; ++k)
    items[k] = all[N * 128 - 1 - (threadIdx.x * N + k)] + more;
}
__tile_global__ void reversals(const int *x, int *y, int n) {
  for (int first = 0; first < n; first += 512) { // the loads of the next round may begin before the call
    auto i = first + tt::arange<512>();
    auto v = tt::with_items<128, reverse<4>>(tt::load(x + i) * 3, 1);
    tt::store(y + i, v - 2);
  }
}

// Two tiles at once, of other types, and by a lambda.
__tile_global__ void pairs(int *keys, tt::float16 *values) {
  auto i = tt::arange<1024>();
  auto [k, v] = tt::with_items<64>(
      [](int (&keys)[16], tt::float16 (&values)[16], const int *offset) {
        for (int j = 0; j < 16; ++j) {
          keys[j] += *offset + threadIdx.x;
          values[j] = values[j] * tt::float16(2);
        }
      },
      tt::load(keys + i), tt::load(values + i), keys + 5);
  tt::store(keys + i, k);
  tt::store(values + i, v);
}

// In shared memory: a matrix in place.
template <int N> __tile_global__ void diagonals(float *x, double *y) {
  auto i = tt::arange<N>();
  auto at = i.col() * N + i.row();
  auto [v, w] = tt::in_shared(
      [](float (&a)[N][N], double (&b)[N], float d) {
        for (int i = threadIdx.x; i < N; i += blockDim.x) {
          b[i] += a[i][i];
          a[i][i] = d;
        }
      },
      tt::load(x + at), tt::load(y + i), 7.0f);
  tt::store(x + at, v * 2);
  tt::store(y + i, w);
}

// A softmax as SIMT code has it, between a product and a store of a tile kernel: a warp for each row.
__device__ void softmax_rows(float (&a)[16][32]) {
  for (int row = threadIdx.x / 32; row < 16; row += blockDim.x / 32) {
    float v = a[row][threadIdx.x % 32], most = v;
    for (int distance = 16; distance; distance /= 2)
      most = fmaxf(most, __shfl_xor_sync(~0u, most, distance));
    float e = expf(v - most), sum = e;
    for (int distance = 16; distance; distance /= 2)
      sum += __shfl_xor_sync(~0u, sum, distance);
    a[row][threadIdx.x % 32] = e / sum;
  }
}
__tile_global__ void scores(const tt::float16 *q, float *by_threads, float *by_tiles) {
  auto i = tt::arange<16>();
  auto j = tt::arange<32>();
  auto a = tt::load(q + (i.col() * 16 + tt::arange<16>().row()));
  auto b = tt::load(q + (tt::arange<16>().col() * 32 + j.row()));
  auto product = tt::dot(a, b);
  auto at = i.col() * 32 + j.row();
  tt::store(by_threads + at, tt::in_shared<softmax_rows>(product));
  tt::store(by_tiles + at, tt::softmax<1>(product));
}

// By all threads: nothing is returned, and a value that is the same in all.
__tile_global__ void everybody(int *out, unsigned char flag) {
  tt::all_threads([](int *out) { atomicAdd(out, 1); }, out);
  int threads = tt::all_threads([](bool flag, unsigned char value) { return flag ? int(blockDim.x) + value : 0; }, flag > 3, flag);
  int *other = tt::once([](int *p) { return p + 2; }, out);
  tt::store(out + 1, threads);
  tt::store(other, 5);
}

// For each element: a function with a branch, which is not inline; one that is static and reads memory.
__device__ float soft_clip(float x) { return x > 1 ? 1 + __logf(x) : x < -1 ? -1 : x; }
static __device__ int look_up(const int *table, int i) { return table[i & 7] + (i & 7) * (__brev(i) != 0); }
__tile_global__ void elements(float *x, const int *table, int *y) {
  auto i = tt::arange<64>();
  auto v = tt::load(x + i);
  tt::store(x + i, tt::map_elementwise([](float v) { return soft_clip(v); }, v));
  tt::store(y, look_up(table, 3));
}

template <class T> T *allocate(size_t n) {
  T *p;
  if (cudaMallocManaged(&p, n * sizeof(T)))
    std::exit(1); // also if an earlier kernel has failed
  return p;
}

int main() {
  int wrong = 0;
  auto expect = [&](bool holds, const char *what) {
    if (!holds && ++wrong < 10)
      std::printf("%s\n", what);
  };
  float *x = allocate<float>(2048), *parts = allocate<float>(8), *sum = allocate<float>(1), *m = allocate<float>(4096);
  int *count = allocate<int>(1), *a = allocate<int>(2048), *b = allocate<int>(2048), *keys = allocate<int>(1024),
      *out = allocate<int>(3), *z = allocate<int>(1);
  double *trace = allocate<double>(64);
  tt::float16 *values = allocate<tt::float16>(1024);
  float total = 0;
  *count = out[0] = 0;
  for (int i = 0; i < 2048; ++i)
    total += x[i] = float(i % 7), a[i] = i;
  for (int i = 0; i < 1024; ++i)
    keys[i] = i, values[i] = tt::float16(i % 50);
  for (int i = 0; i < 4096; ++i)
    m[i] = float(i), trace[i % 64] = 1;
  arrivals<<<8>>>(x, parts, count, sum);
  reversals<<<1>>>(a, b, 2048);
  pairs<<<1>>>(keys, values);
  diagonals<64><<<1>>>(m, trace);
  everybody<<<1>>>(out, 9);
  float *by_threads = allocate<float>(512), *by_tiles = allocate<float>(512);
  scores<<<1>>>(values, by_threads, by_tiles);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    x[i] = float(i - 32) / 8;
  elements<<<1>>>(x, a, z);
  if (cudaError_t error = cudaDeviceSynchronize()) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  expect(*sum == total, "arrivals");
  for (int i = 0; i < 2048; ++i)
    expect(b[i] == (i / 512 * 512 + 511 - i % 512) * 3 - 1, "reversals");
  for (int i = 0; i < 1024; ++i)
    expect(keys[i] == i + 5 + i / 16 && values[i] == tt::float16(2 * (i % 50)), "pairs");
  for (int i = 0; i < 4096; ++i)
    expect(m[i] == (i / 64 == i % 64 ? 14 : 2 * i), "diagonals, matrix");
  for (int i = 0; i < 512; ++i)
    expect(std::abs(by_threads[i] - by_tiles[i]) < 1e-5f && by_tiles[i] >= 0, "scores");
  for (int i = 0; i < 64; ++i)
    expect(trace[i] == 1 + i * 65, "diagonals, trace");
  expect(out[0] % 32 == 0 && out[0] > 0 && out[1] == out[0] + 9 && out[2] == 5, "everybody");
  for (int i = 0; i < 64; ++i) {
    float v = float(i - 32) / 8, want = v > 1 ? 1 + std::log(v) : v < -1 ? -1 : v;
    expect(std::abs(x[i] - want) < 1e-5f, "elements");
  }
  expect(*z == 3 + 3, "elements, table");
  std::printf("calls: %s\n", wrong ? "WRONG" : "correct");
  return wrong != 0;
}
