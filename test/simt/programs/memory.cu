// Pools, pitched and zero-copy memory, and copies of every direction.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void fill(char *x, size_t pitch, int value) {
  (x + blockIdx.x * pitch)[threadIdx.x] = char(value + blockIdx.x);
}
__global__ void add(int *x) { x[threadIdx.x] += 7; }

int main() {
  char *pitched, host[5][20];
  size_t pitch;
  CHECK(cudaMallocPitch(&pitched, &pitch, 20, 5));
  fill<<<5, 20>>>(pitched, pitch, 3);
  CHECK(cudaMemcpy2D(host, 20, pitched, pitch, 20, 5, cudaMemcpyDeviceToHost));
  long wrong = 0;
  for (int row = 0; row < 5; ++row)
    for (char value : host[row])
      wrong += value != 3 + row;

  int *mapped, *onDevice, *pooled, back[32];
  CHECK(cudaHostAlloc(&mapped, 32 * sizeof(int), cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&onDevice, mapped, 0));
  for (int i = 0; i < 32; ++i)
    mapped[i] = i;
  add<<<1, 32>>>(onDevice);
  CHECK(cudaMallocAsync(&pooled, 32 * sizeof(int), 0));
  CHECK(cudaMemcpyAsync(pooled, onDevice, 32 * sizeof(int), cudaMemcpyDefault, 0));
  add<<<1, 32>>>(pooled);
  CHECK(cudaMemcpy(back, pooled, sizeof back, cudaMemcpyDeviceToHost));
  CHECK(cudaFreeAsync(pooled, 0));
  for (int i = 0; i < 32; ++i)
    wrong += mapped[i] != i + 7 || back[i] != i + 14;
  return report("memory", wrong);
}
