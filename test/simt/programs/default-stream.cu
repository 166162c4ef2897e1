// A default stream for each thread.
//
// RUN: %tcc -O2 --default-stream=per-thread --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <thread>

__global__ void count(int *x) { atomicAdd(x, 1); }

int main() {
  int *x = allocate<int>(1);
  *x = 0;
  auto work = [=] {
    for (int i = 0; i < 50; ++i)
      count<<<1, 32>>>(x);
    CHECK(cudaStreamSynchronize(0));
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  CHECK(cudaDeviceSynchronize());
  return report("default-stream", *x != 2 * 50 * 32);
}
