// curand in kernels: three generators, their sequences, normal and discrete distributions.
//
// RUN: %tcc -O2 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90] --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <curand_kernel.h>
template <class State> __global__ void draw(double *sums, int rounds) {
  State state;
  curand_init(1234, threadIdx.x, 0, &state);
  double sum = 0, squares = 0;
  unsigned poisson = 0;
  for (int i = 0; i < rounds; ++i) {
    float x = curand_normal(&state);
    sum += x;
    squares += x * x;
    poisson += curand_poisson(&state, 3.0);
  }
  atomicAdd(&sums[0], sum);
  atomicAdd(&sums[1], squares);
  atomicAdd(&sums[2], double(poisson));
  if (threadIdx.x == 0)
    sums[3] = curand_uniform_double(&state);
}

template <class State> long test() {
  const int rounds = 20, n = 64 * rounds;
  double *sums = allocate<double>(4);
  for (int i = 0; i < 4; ++i)
    sums[i] = 0;
  draw<State><<<1, 64>>>(sums, rounds);
  finishKernels();
  return !(std::fabs(sums[0] / n) < 0.15) + !(std::fabs(sums[1] / n - 1) < 0.2) + !(std::fabs(sums[2] / n - 3) < 0.3) +
         !(sums[3] > 0 && sums[3] <= 1);
}

int main() {
  return report("random-kinds",
                test<curandStatePhilox4_32_10_t>() + test<curandStateXORWOW_t>() + test<curandStateMRG32k3a_t>());
}
