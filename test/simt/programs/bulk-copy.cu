// A bulk copy to shared memory by cuda::memcpy_async, with the bytes counted by a barrier.
//
// RUN: %tcc -O2 -gencode arch=compute_90,code=[sm_90,compute_90] --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda/barrier>
#include <cuda/ptx>

__global__ void turnAround(const int *in, int *out) {
  __shared__ __align__(16) int values[512];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  if (threadIdx.x == 0) {
    init(&arrived, blockDim.x);
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::memcpy_async(values, in + blockIdx.x * 512, cuda::aligned_size_t<16>(sizeof values), arrived);
    token = arrived.arrive();
  } else {
    token = arrived.arrive();
  }
  arrived.wait(cuda::std::move(token));
  for (int i = threadIdx.x; i < 512; i += blockDim.x)
    out[blockIdx.x * 512 + i] = values[511 - i];
}

int main() {
  const int n = 2048;
  int *in = allocate<int>(n), *out = allocate<int>(n);
  for (int i = 0; i < n; ++i)
    in[i] = i ^ 5;
  turnAround<<<n / 512, 128>>>(in, out);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += out[i] != ((i / 512 * 512 + 511 - i % 512) ^ 5);
  return report("bulk-copy", wrong);
}
