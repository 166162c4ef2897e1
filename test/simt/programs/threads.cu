// Threads of the host, each with a stream of its own.
//
// RUN: %tcc -O2 -pthread --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <thread>
#include <vector>
__global__ void work(int *x, int value) { atomicAdd(&x[threadIdx.x], value * int(threadIdx.x)); }

int main() {
  const int count = 4;
  int *x = allocate<int>(count * 32);
  CHECK(cudaMemset(x, 0, count * 32 * sizeof(int)));
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t)
    threads.emplace_back([=] {
      cudaStream_t stream;
      CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      for (int round = 1; round <= 5; ++round)
        work<<<2, 32, 0, stream>>>(x + t * 32, t + round);
      CHECK(cudaStreamSynchronize(stream));
      CHECK(cudaStreamDestroy(stream));
    });
  for (std::thread &thread : threads)
    thread.join();
  finishKernels();
  long wrong = 0;
  for (int t = 0; t < count; ++t)
    for (int i = 0; i < 32; ++i)
      wrong += x[t * 32 + i] != 2 * (5 * t + 15) * i;
  return report("threads", wrong);
}
