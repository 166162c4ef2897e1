// Time in kernels: clock64, globaltimer and nanosleep; memory that is volatile.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void kernel(volatile int *flag, long long *out) {
  long long start = clock64();
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  *flag = 7;
  __nanosleep(100);
  __threadfence_system();
  out[0] = clock64() - start;
  out[1] = *flag + (time == 0);
  out[2] = clock() >= 0 || true;
}

int main() {
  int *flag = allocate<int>(1);
  auto *out = allocate<long long>(3);
  kernel<<<1, 1>>>(flag, out);
  finishKernels();
  return report("assembly-clock", (out[0] < 0) + (out[1] != 7) + (out[2] != 1));
}
