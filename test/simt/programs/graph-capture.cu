// A capture of two streams that fork and join by events, with copies and sets.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void add(int *x, const int *y) { x[threadIdx.x] += y[threadIdx.x]; }
__global__ void fill(int *x, int value) { x[threadIdx.x] = value; }

int main() {
  const int n = 32;
  int *x, *y, *z, host[n] = {};
  for (int **memory : {&x, &y, &z})
    CHECK(cudaMalloc(memory, n * sizeof(int)));
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(x, 0, n * sizeof(int), first));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  fill<<<1, n, 0, first>>>(y, 4);
  fill<<<1, n, 0, second>>>(z, 5);
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join, 0));
  add<<<1, n, 0, first>>>(x, y);
  add<<<1, n, 0, first>>>(x, z);
  CHECK(cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, first));
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(second, &status));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(first, &graph));
  long wrong = (status != cudaStreamCaptureStatusActive) + (host[0] != 0); // nothing has run yet
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  for (int round = 0; round < 2; ++round) {
    CHECK(cudaGraphLaunch(executable, first));
    CHECK(cudaStreamSynchronize(first));
    for (int &value : host)
      wrong += value != 9, value = 0;
  }
  return report("graph-capture", wrong);
}
