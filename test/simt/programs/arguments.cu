// Arguments of kernels: structs with holes, arrays, bit fields, small and empty ones, references to managed memory,
// many.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
struct Empty {};
struct Mixed {
  char tag;
  double value;
  short pair[2];
  unsigned low : 5, high : 27;
};
struct alignas(32) Wide {
  float4 parts[2];
};

__global__ void kernel(Empty, char a, Mixed m, bool b, Wide w, int (&values)[4], long long c, const Mixed *more,
                       double *out) {
  out[0] = a + m.tag + m.value + m.pair[1];
  out[1] = m.low * 1000.0 + m.high;
  out[2] = w.parts[1].z + b + values[3];
  out[3] = double(c) + more->pair[0];
}

int main() {
  auto *out = allocate<double>(4);
  auto *more = allocate<Mixed>(1);
  int(*values)[4] = reinterpret_cast<int(*)[4]>(allocate<int>(4));
  (*values)[3] = 70;
  *more = {1, 2, {-9, 4}, 0, 0};
  Mixed m = {'x', 0.25, {5, 6}, 17, 123456};
  Wide w = {{{1, 2, 3, 4}, {5, 6, 7, 8}}};
  kernel<<<1, 1>>>(Empty(), 'a', m, true, w, *values, 1ll << 35, more, out);
  finishKernels();
  return report("arguments",
                (out[0] != 'a' + 'x' + 6.25) + (out[1] != 140456) + (out[2] != 78) + (out[3] != double(1ll << 35) - 9));
}
