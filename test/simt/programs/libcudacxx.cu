// libcu++: atomics with scopes, a barrier in shared memory, spans, and cuda::std.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/span>

__global__ void kernel(int *count, float *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ float values[64];
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  values[threadIdx.x] = float(threadIdx.x);
  barrier.arrive_and_wait();
  cuda::std::span<float> all(values, 64);
  cuda::std::complex<float> z(all[63 - threadIdx.x], 1.0f);
  cuda::atomic_ref<int, cuda::thread_scope_device>(*count).fetch_add(1, cuda::memory_order_relaxed);
  out[threadIdx.x] = (z * z).real();
}

int main() {
  int *count = allocate<int>(1);
  float *out = allocate<float>(64);
  *count = 0;
  kernel<<<2, 64>>>(count, out);
  finishKernels();
  long wrong = *count != 128;
  for (int i = 0; i < 64; ++i)
    wrong += out[i] != float((63 - i) * (63 - i) - 1);
  return report("libcudacxx", wrong);
}
