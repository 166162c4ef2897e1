// Concepts, ranges' kin, constexpr functions in kernels, structured bindings.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <array>
#include <bit>
#include <concepts>

template <std::integral T> constexpr T power(T base, int n) {
  T result = 1;
  while (n--)
    result *= base;
  return result;
}
struct Both {
  int a, b;
  constexpr auto operator<=>(const Both &) const = default;
};

template <auto N> __global__ void kernel(int *out) {
  auto [a, b] = Both{int(threadIdx.x), N};
  out[threadIdx.x] = power(a, 2) + (Both{a, b} < Both{16, 0}) + std::popcount(unsigned(a));
}

int main() {
  int *out = allocate<int>(32);
  kernel<3><<<1, 32>>>(out);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 32; ++i)
    wrong += out[i] != i * i + (i < 16) + std::popcount(unsigned(i));
  return report("cpp20", wrong);
}
