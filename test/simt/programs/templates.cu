// Kernels that are templates: of types, values, packs and functions, deduced and named; constexpr and if constexpr.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <type_traits>
template <class T, int N> struct Array {
  T values[N];
};

template <int N, class T> __global__ void scale(Array<T, N> by, T *x) {
  if constexpr (std::is_floating_point_v<T>)
    x[threadIdx.x] *= by.values[threadIdx.x % N];
  else
    x[threadIdx.x] += by.values[threadIdx.x % N];
}

template <class... Ts> __global__ void sum(double *out, Ts... values) { *out = (0.0 + ... + values); }

template <auto Function> __global__ void apply(int *x) { x[threadIdx.x] = Function(x[threadIdx.x]); }
__device__ constexpr int triple(int x) { return 3 * x; }

template <unsigned N> constexpr unsigned log2Of = 1 + log2Of<N / 2>;
template <> constexpr unsigned log2Of<1> = 0;
template <unsigned N> __global__ void tree(int *x) {
#pragma unroll
  for (unsigned level = 0; level < log2Of<N>; ++level) {
    if (threadIdx.x < N >> (level + 1))
      x[threadIdx.x] += x[threadIdx.x + (N >> (level + 1))];
    __syncthreads();
  }
}

int main() {
  auto *real = allocate<float>(32);
  auto *whole = allocate<int>(32);
  auto *out = allocate<double>(1);
  for (int i = 0; i < 32; ++i)
    real[i] = float(whole[i] = i);
  scale<<<1, 32>>>(Array<float, 2>{{2, 3}}, real);
  scale<3><<<1, 32>>>(Array<int, 3>{{10, 20, 30}}, whole);
  apply<triple><<<1, 32>>>(whole);
  sum<<<1, 1>>>(out, 1, 2.5f, short(3), 'A', 1ull << 40);
  finishKernels();
  long wrong = *out != 6.5 + 'A' + double(1ull << 40), total = 0;
  for (int i = 0; i < 32; ++i) {
    wrong += real[i] != i * (i % 2 ? 3 : 2) || whole[i] != 3 * (i + 10 * (i % 3 + 1));
    total += whole[i];
  }
  tree<32><<<1, 32>>>(whole);
  finishKernels();
  return report("templates", wrong + (whole[0] != total));
}
