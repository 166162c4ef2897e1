// Functions of floats and doubles compared with the host's.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void kernel(const double *x, double *out) {
  int i = threadIdx.x;
  double v = x[i];
  float f = float(v);
  out[i * 6 + 0] = sin(v) + cos(v) + tan(v / 2);
  out[i * 6 + 1] = exp(v) + log(v + 1) + pow(v, 1.5);
  out[i * 6 + 2] = erf(v) + tgamma(v + 1) + cbrt(v);
  out[i * 6 + 3] = sinf(f) + expf(f) + sqrtf(f) + fmodf(f, 0.3f);
  out[i * 6 + 4] = fma(v, v, -1.0) + hypot(v, 2.0) + atan2(v, 3.0);
  out[i * 6 + 5] = rint(v * 10) + llround(v * 7) + copysign(1.0, -v) + ldexp(v, 3);
}

int main() {
  double *x = allocate<double>(32), *out = allocate<double>(32 * 6);
  for (int i = 0; i < 32; ++i)
    x[i] = 0.01 + i * 0.097;
  kernel<<<1, 32>>>(x, out);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 32; ++i) {
    double v = x[i], *mine = out + i * 6;
    float f = float(v);
    wrong += !close(mine[0], sin(v) + cos(v) + tan(v / 2), 1e-13);
    wrong += !close(mine[1], exp(v) + log(v + 1) + pow(v, 1.5), 1e-13);
    wrong += !close(mine[2], erf(v) + tgamma(v + 1) + cbrt(v), 1e-13);
    wrong += !close(mine[3], sinf(f) + expf(f) + sqrtf(f) + fmodf(f, 0.3f), 1e-5);
    wrong += !close(mine[4], fma(v, v, -1.0) + hypot(v, 2.0) + atan2(v, 3.0), 1e-13);
    wrong += !close(mine[5], rint(v * 10) + llround(v * 7) + copysign(1.0, -v) + ldexp(v, 3), 1e-13);
  }
  return report("math", wrong);
}
