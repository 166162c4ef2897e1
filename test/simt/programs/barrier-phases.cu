// cuda::barrier with a function on completion, arrivals that do not wait, and a latch and a semaphore of libcu++.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
struct Count {
  int *phases;
  __device__ void operator()() { ++*phases; }
};

__global__ void kernel(int *phases, int *out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block, Count>;
  __shared__ alignas(Barrier) char memory[sizeof(Barrier)];
  using Latch = cuda::latch<cuda::thread_scope_block>;
  using Semaphore = cuda::binary_semaphore<cuda::thread_scope_block>;
  __shared__ alignas(Latch) char latchMemory[sizeof(Latch)];
  __shared__ alignas(Semaphore) char semaphoreMemory[sizeof(Semaphore)];
  __shared__ int guarded;
  auto *barrier = reinterpret_cast<Barrier *>(memory);
  auto &ready = *reinterpret_cast<Latch *>(latchMemory);
  auto &lock = *reinterpret_cast<Semaphore *>(semaphoreMemory);
  if (threadIdx.x == 0) {
    new (barrier) Barrier(64, Count{phases});
    new (&ready) Latch(64);
    new (&lock) Semaphore(1);
    guarded = 0;
  }
  __syncthreads();
  for (int round = 0; round < 4; ++round)
    barrier->arrive_and_wait();
  ready.arrive_and_wait();
  if (threadIdx.x % 32 == 0) {
    lock.acquire();
    guarded += 5;
    lock.release();
  }
  __syncthreads();
  if (threadIdx.x == 0)
    *out = guarded;
}

int main() {
  int *phases = allocate<int>(1), *out = allocate<int>(1);
  *phases = 0;
  kernel<<<1, 64>>>(phases, out);
  finishKernels();
  return report("barrier-phases", (*phases != 4) + (*out != 10));
}
