// A graph of nodes made by hand: sets, copies, kernels and a function of the host, with dependencies, changed and
// launched again.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void scale(int *x, int by) { x[threadIdx.x] *= by; }

int main() {
  const int n = 32;
  int *x, host[n], back[n] = {}, by = 3, calls = 0;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t set, in, kernel, out, call;
  cudaMemsetParams zeros = {};
  zeros.dst = x;
  zeros.elementSize = 1;
  zeros.width = n * sizeof(int);
  zeros.height = 1;
  CHECK(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &zeros));
  CHECK(cudaGraphAddMemcpyNode1D(&in, graph, &set, 1, x, host, n / 2 * sizeof(int), cudaMemcpyHostToDevice));
  void *arguments[] = {&x, &by};
  cudaKernelNodeParams launch = {};
  launch.func = (void *)scale;
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(n);
  launch.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &in, 1, &launch));
  CHECK(cudaGraphAddMemcpyNode1D(&out, graph, &kernel, 1, back, x, n * sizeof(int), cudaMemcpyDeviceToHost));
  cudaHostNodeParams function = {[](void *calls) { ++*static_cast<int *>(calls); }, &calls};
  CHECK(cudaGraphAddHostNode(&call, graph, &out, 1, &function));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));

  cudaGraphExec_t executable;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  long wrong = nodes != 5;
  for (int factor : {3, 5}) {
    by = factor;
    CHECK(cudaGraphExecKernelNodeSetParams(executable, kernel, &launch));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; ++i)
      wrong += back[i] != (i < n / 2 ? i * factor : 0);
  }
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  return report("graph-nodes", wrong + (calls != 2));
}
