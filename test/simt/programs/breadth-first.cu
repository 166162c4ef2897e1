// Breadth-first search: compare-and-swap on levels, a queue with one atomic for each warp, as many launches as levels.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__device__ int queued; // of the next level

__global__ void expand(const int *from, int count, int *next, int *level, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  for (int step : {1, 7, 31}) {
    int to = (from[i] + step) % n;
    if (atomicCAS(&level[to], -1, depth) != -1)
      continue;
    unsigned active = __activemask();
    int leader = __ffs(active) - 1, lane = threadIdx.x % 32, base = 0;
    if (lane == leader)
      base = atomicAdd(&queued, __popc(active));
    base = __shfl_sync(active, base, leader);
    next[base + __popc(active & ((1u << lane) - 1))] = to;
  }
}

int main() {
  const int n = 1000;
  int *level = allocate<int>(n), *queues[2] = {allocate<int>(n), allocate<int>(n)};
  level[0] = queues[0][0] = 0;
  int count = 1, depth = 0;
  while (count) {
    int none = 0;
    CHECK(cudaMemcpyToSymbol(queued, &none, sizeof none));
    expand<<<(count + 63) / 64, 64>>>(queues[depth % 2], count, queues[1 - depth % 2], level, n, depth + 1);
    CHECK(cudaMemcpyFromSymbol(&count, queued, sizeof count));
    ++depth;
  }
  long wrong = 0;
  for (int i = 0; i < n; ++i) { // the shortest sum of steps
    int best = n;
    for (int many = 0; many * 31 < 2 * n; ++many)
      for (int rest = i + n * 0; rest <= i + n; rest += n)
        if (int left = rest - many * 31; left >= 0)
          best = min(best, many + left / 7 + left % 7);
    wrong += level[i] > best || (i && level[i] < 1);
  }
  return report("breadth-first", wrong);
}
