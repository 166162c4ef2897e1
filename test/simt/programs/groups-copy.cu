// Asynchronous copies by cooperative groups.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void reverse(const int *in, int *out, int n) {
  __shared__ __align__(16) int stage[256];
  cg::thread_block block = cg::this_thread_block();
  for (int start = 0; start < n; start += 256) {
    cg::memcpy_async(block, stage, in + start, sizeof stage);
    cg::wait(block);
    out[start + threadIdx.x] = stage[255 - threadIdx.x];
    block.sync();
  }
}

int main() {
  const int n = 1024;
  int *in = allocate<int>(n), *out = allocate<int>(n);
  for (int i = 0; i < n; ++i)
    in[i] = i * 3;
  reverse<<<1, 256>>>(in, out, n);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += out[i] != (i / 256 * 256 + 255 - i % 256) * 3;
  return report("groups-copy", wrong);
}
