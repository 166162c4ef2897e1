// Streams, events, asynchronous copies, and functions that the host runs in between.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void scale(float *x, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= by;
}

int main() {
  const int n = 4096;
  float *host, *device;
  CHECK(cudaMallocHost(&host, n * sizeof(float)));
  CHECK(cudaMalloc(&device, n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    host[i] = float(i);
  cudaStream_t first, second;
  cudaEvent_t start, done;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&done));
  CHECK(cudaEventRecord(start, first));
  CHECK(cudaMemcpyAsync(device, host, n * sizeof(float), cudaMemcpyHostToDevice, first));
  scale<<<n / 256, 256, 0, first>>>(device, n, 2);
  CHECK(cudaEventRecord(done, first));
  CHECK(cudaStreamWaitEvent(second, done, 0));
  scale<<<n / 256, 256, 0, second>>>(device, n, 3);
  CHECK(cudaMemcpyAsync(host, device, n * sizeof(float), cudaMemcpyDeviceToHost, second));
  static int called = 0;
  CHECK(cudaLaunchHostFunc(second, [](void *by) { called += *static_cast<int *>(by); }, new int(41)));
  CHECK(cudaStreamSynchronize(second));
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, start, done));
  long wrong = (called != 41) + !(ms >= 0);
  for (int i = 0; i < n; ++i)
    wrong += host[i] != float(i) * 6;
  return report("streams-events", wrong);
}
