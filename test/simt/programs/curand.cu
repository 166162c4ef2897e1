// Random numbers on the device.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <curand_kernel.h>

__global__ void pi(unsigned long long seed, int *inside) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  int count = 0;
  for (int i = 0; i < 100; ++i) {
    float x = curand_uniform(&state), y = curand_uniform(&state);
    count += x * x + y * y <= 1;
  }
  atomicAdd(inside, count);
}

int main() {
  int *inside = allocate<int>(1);
  *inside = 0;
  pi<<<64, 128>>>(1234, inside);
  finishKernels();
  return report("curand", !close(4.0 * *inside / (64 * 128 * 100), 3.14159, 5e-3));
}
