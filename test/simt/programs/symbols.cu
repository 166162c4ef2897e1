// __constant__ and __device__ variables, also static and in namespaces, by their symbols.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__constant__ float coefficients[4];
__device__ int counter = 5;
static __device__ double own = 2.5;
namespace { __device__ int hidden[3] = {1, 2, 3}; }
namespace outer { __device__ short inner = -7; }

__global__ void use(float *out) {
  float value = 0;
  for (float c : coefficients)
    value = value * 2 + c;
  *out = value + float(own) + hidden[1] + outer::inner;
  counter += hidden[2];
}

int main() {
  float host[4] = {1, 2, 3, 4}, *out = allocate<float>(1);
  double ownHost = 10;
  CHECK(cudaMemcpyToSymbol(coefficients, host, sizeof host));
  CHECK(cudaMemcpyToSymbol(own, &ownHost, sizeof ownHost));
  use<<<1, 1>>>(out);
  int count = 0;
  void *address = nullptr;
  size_t size = 0;
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  CHECK(cudaGetSymbolAddress(&address, hidden));
  CHECK(cudaGetSymbolSize(&size, coefficients));
  return report("symbols", (*out != 26 + 10 + 2 - 7) + (count != 8) + !address + (size != sizeof host));
}
