// A prefix sum over blocks: within each, over their totals, and both together.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void scanBlocks(const int *in, int *out, int *totals) {
  __shared__ int buffer[2][128];
  int thread = threadIdx.x, i = blockIdx.x * 128 + thread, at = 0;
  buffer[0][thread] = in[i];
  for (int distance = 1; distance < 128; distance *= 2, at = 1 - at) {
    __syncthreads();
    buffer[1 - at][thread] = buffer[at][thread] + (thread >= distance ? buffer[at][thread - distance] : 0);
  }
  out[i] = buffer[at][thread];
  if (thread == 127)
    totals[blockIdx.x] = out[i];
}

__global__ void addTotals(int *out, const int *totals) {
  if (blockIdx.x)
    out[blockIdx.x * 128 + threadIdx.x] += totals[blockIdx.x - 1];
}

int main() {
  const int n = 128 * 128;
  int *in = allocate<int>(n), *out = allocate<int>(n), *totals = allocate<int>(128), *sums = allocate<int>(128),
      *whole = allocate<int>(1);
  for (int i = 0; i < n; ++i)
    in[i] = i % 7 - 2;
  scanBlocks<<<128, 128>>>(in, out, totals);
  scanBlocks<<<1, 128>>>(totals, sums, whole);
  addTotals<<<128, 128>>>(out, sums);
  finishKernels();
  long wrong = 0;
  for (int i = 0, sum = 0; i < n; ++i)
    wrong += out[i] != (sum += in[i]);
  return report("scan", wrong + (*whole != out[n - 1]));
}
