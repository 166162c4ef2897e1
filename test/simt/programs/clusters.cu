// Thread block clusters: shared memory of other blocks.
//
// RUN: %tcc -O2 -gencode arch=compute_90,code=[sm_90,compute_90] --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s --check-prefix=EMULATED %}
// EMULATED: PASS
// RUN: %tcc -O2 -arch=sm_90 -ptx %s -o - | FileCheck %s
// CHECK: .visible .entry _Z4ringPi
// CHECK: .explicitcluster
// CHECK-NEXT: .reqnctapercluster 4, 1, 1
#include "Inputs/check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) ring(int *out) {
  __shared__ int value;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0)
    value = blockIdx.x * 10;
  cluster.sync();
  int *next = cluster.map_shared_rank(&value, (cluster.block_rank() + 1) % 4);
  if (threadIdx.x == 0)
    out[blockIdx.x] = *next;
  cluster.sync();
}

int main() {
  int *out = allocate<int>(8);
  ring<<<8, 32>>>(out);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 8; ++i)
    wrong += out[i] != (i / 4 * 4 + (i + 1) % 4) * 10;
  return report("clusters", wrong);
}
