// A barrier of the whole grid, by a cooperative launch, which takes as many blocks as the device holds at a time.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void rotate(int *x, int n) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank();
  for (int round = 0; round < 4; ++round) {
    int value = x[(i + 1) % n];
    grid.sync();
    x[i] = value;
    grid.sync();
  }
}

int main() {
  int n = 8 * 64, *x = allocate<int>(n);
  for (int i = 0; i < n; ++i)
    x[i] = i;
  void *arguments[] = {&x, &n};
  CHECK(cudaLaunchCooperativeKernel((const void *)rotate, dim3(8), dim3(64), arguments));
  finishKernels();
  long wrong = cudaLaunchCooperativeKernel((const void *)rotate, dim3(1 << 20), dim3(64), arguments) !=
               cudaErrorCooperativeLaunchTooLarge;
  cudaGetLastError();
  for (int i = 0; i < n; ++i)
    wrong += x[i] != (i + 4) % n;
  return report("grid-sync", wrong);
}
