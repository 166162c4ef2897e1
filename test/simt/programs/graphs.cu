// A captured graph, and one of kernel nodes.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void addTo(int *x, int value) { atomicAdd(x, value); }

int main() {
  int *x = allocate<int>(1);
  *x = 0;
  cudaStream_t stream;
  cudaGraph_t captured, built;
  cudaGraphExec_t executable;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  addTo<<<2, 8, 0, stream>>>(x, 1);
  addTo<<<1, 1, 0, stream>>>(x, 100);
  CHECK(cudaStreamEndCapture(stream, &captured));
  CHECK(cudaGraphInstantiate(&executable, captured, 0));
  for (int round = 0; round < 3; ++round)
    CHECK(cudaGraphLaunch(executable, stream));

  int value = 1000;
  void *arguments[] = {&x, &value};
  cudaKernelNodeParams node = {};
  node.func = (void *)addTo;
  node.gridDim = dim3(1);
  node.blockDim = dim3(2);
  node.kernelParams = arguments;
  cudaGraphNode_t handle;
  CHECK(cudaGraphCreate(&built, 0));
  CHECK(cudaGraphAddKernelNode(&handle, built, nullptr, 0, &node));
  CHECK(cudaGraphInstantiate(&executable, built, 0));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  return report("graphs", *x != 3 * 116 + 2000);
}
