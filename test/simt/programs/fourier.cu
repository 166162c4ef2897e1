// A Fourier transform in shared memory, with cuComplex and sincospif.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuComplex.h>
constexpr int n = 256;

__global__ void transform(cuFloatComplex *x) {
  __shared__ cuFloatComplex values[n];
  for (int i = threadIdx.x; i < n; i += n / 2)
    values[__brev(i) >> 24] = x[i];
  for (int half = 1; half < n; half *= 2) {
    __syncthreads();
    int k = threadIdx.x % half, low = threadIdx.x / half * 2 * half + k;
    float sine, cosine;
    sincospif(-float(k) / half, &sine, &cosine);
    cuFloatComplex a = values[low], b = cuCmulf(values[low + half], make_cuFloatComplex(cosine, sine));
    values[low] = cuCaddf(a, b);
    values[low + half] = cuCsubf(a, b);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += n / 2)
    x[i] = values[i];
}

int main() {
  auto *x = allocate<cuFloatComplex>(n);
  for (int i = 0; i < n; ++i) // two waves
    x[i] = make_cuFloatComplex(float(cos(2 * M_PI * 5 * i / n)), float(sin(2 * M_PI * 40 * i / n)));
  transform<<<1, n / 2>>>(x);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < n; ++i) {
    double expected = (i == 5 || i == n - 5 ? n / 2 : 0) + (i == 40 ? n / 2 : 0) - (i == n - 40 ? n / 2 : 0);
    wrong += !close(cuCrealf(x[i]), expected, 1e-3) || !close(cuCimagf(x[i]), 0, 1e-3);
  }
  return report("fourier", wrong);
}
