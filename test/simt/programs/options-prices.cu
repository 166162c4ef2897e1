// Black and Scholes: functions of the mathematical library against the host in double.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
struct Option {
  float price, strike, years;
};

template <class Real> __host__ __device__ Real call(Option o) {
  const Real rate = Real(0.02), volatility = Real(0.3), root = sqrt(Real(o.years));
  Real d1 =
      (log(Real(o.price) / Real(o.strike)) + (rate + volatility * volatility / 2) * o.years) / (volatility * root);
  Real d2 = d1 - volatility * root;
  auto normal = [](Real x) { return erfc(-x * Real(0.70710678118654752)) / 2; };
  return o.price * normal(d1) - o.strike * exp(-rate * o.years) * normal(d2);
}

__global__ void prices(const Option *options, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = call<float>(options[i]);
}

int main() {
  const int n = 1000;
  auto *options = allocate<Option>(n);
  auto *out = allocate<float>(n);
  for (int i = 0; i < n; ++i)
    options[i] = {5.0f + i % 25, 1.0f + i % 90, 0.25f + i % 10};
  prices<<<4, 128>>>(options, out, n);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += !close(out[i], call<double>(options[i]), 1e-4);
  return report("options-prices", wrong);
}
