// Asynchronous copies to shared memory, by the pipeline's primitives.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda_pipeline.h>

__global__ void copy(const int4 *in, int4 *out, int rounds) {
  __shared__ int4 stages[2][64];
  __pipeline_memcpy_async(&stages[0][threadIdx.x], &in[threadIdx.x], sizeof(int4));
  __pipeline_commit();
  for (int round = 0; round < rounds; ++round) {
    if (round + 1 < rounds)
      __pipeline_memcpy_async(&stages[(round + 1) % 2][threadIdx.x], &in[(round + 1) * 64 + threadIdx.x], sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[round * 64 + threadIdx.x] = stages[round % 2][63 - threadIdx.x];
    __syncthreads();
  }
}

int main() {
  const int rounds = 6;
  auto *in = allocate<int4>(rounds * 64), *out = allocate<int4>(rounds * 64);
  for (int i = 0; i < rounds * 64; ++i)
    in[i] = make_int4(i, 2 * i, 3 * i, 4 * i);
  copy<<<1, 64>>>(in, out, rounds);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < rounds * 64; ++i)
    wrong += out[i].w != 4 * (i / 64 * 64 + 63 - i % 64);
  return report("pipeline", wrong);
}
