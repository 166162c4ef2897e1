// omp.h on the host. Without -fopenmp, its pragmas have no effect, and its functions come from the host compiler's
// library.
//
// RUN: %tcc -O2 --cudart=shared %s -lgomp -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <omp.h>
__global__ void fill(int *x, int value) { x[threadIdx.x] = value; }

int main() {
  const int count = 8;
  int *x = allocate<int>(count * 32);
  double start = omp_get_wtime();
  omp_set_num_threads(4);
  int most = omp_get_max_threads();
#pragma omp parallel for
  for (int i = 0; i < count; ++i)
    fill<<<1, 32>>>(x + i * 32, i + 1);
  finishKernels();
  long wrong = (most != 4) + (omp_get_wtime() < start);
  for (int i = 0; i < count * 32; ++i)
    wrong += x[i] != i / 32 + 1;
  return report("openmp", wrong);
}
