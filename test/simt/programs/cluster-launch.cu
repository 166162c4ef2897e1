// Clusters by cudaLaunchKernelEx: a histogram whose bins lie in the shared memory of four blocks.
//
// RUN: %tcc -O2 -gencode arch=compute_90,code=[sm_90,compute_90] --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void histogram(const int *x, int n, int *bins) {
  __shared__ int mine[16];
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < 16)
    mine[threadIdx.x] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(cluster.map_shared_rank(&mine[x[i] % 16], x[i] / 16), 1);
  cluster.sync();
  if (threadIdx.x < 16)
    atomicAdd(&bins[cluster.block_rank() * 16 + threadIdx.x], mine[threadIdx.x]);
}

int main() {
  const int n = 1000;
  int *x = allocate<int>(n), *bins = allocate<int>(64), reference[64] = {};
  for (int i = 0; i < n; ++i)
    ++reference[x[i] = i * i % 64];
  for (int i = 0; i < 64; ++i)
    bins[i] = 0;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(8);
  config.blockDim = dim3(64);
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = 4;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, histogram, (const int *)x, n, bins));
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 64; ++i)
    wrong += bins[i] != reference[i];
  return report("cluster-launch", wrong);
}
