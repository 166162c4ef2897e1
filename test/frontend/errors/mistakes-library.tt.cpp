// Functions of the host's libraries: one message each, at the line that calls them.
//
// Nothing else is printed.
// RUN: not %raise -ferror-limit=0 -fno-caret-diagnostics %s 2>&1 | FileCheck %s --implicit-check-not="{{[^[:space:]]}}"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>
#include <tilecc/tt.h>

__tile_global__ void k0(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-library.tt.cpp:[[#@LINE+1]]:12: error: 'expf' takes single numbers, not tiles; kernels have tt::exp(x){{$}}
  auto x = expf(tt::zeros<float,16>());
}
__tile_global__ void k1(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-library.tt.cpp:[[#@LINE+1]]:12: error: host function 'log1pf' is not available in a tile kernel; kernels have tt::log1p(x){{$}}
  auto x = log1pf(p[0]);
}
__tile_global__ void k2(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-library.tt.cpp:[[#@LINE+1]]:3: error: assert is not available in a tile kernel; kernels have tt::device_assert(condition, "text"){{$}}
  assert(n > 0);
}
__tile_global__ void k3(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-library.tt.cpp:[[#@LINE+1]]:3: error: host function 'printf' is not available in a tile kernel; kernels have tt::device_print("text", x){{$}}
  printf("%d", n);
}
__tile_global__ void k4(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-library.tt.cpp:[[#@LINE+1]]:13: error: a stream is not available in a tile kernel; kernels have tt::device_print("text", x){{$}}
  std::cout << n;
}
__tile_global__ void k5(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-library.tt.cpp:[[#@LINE+1]]:3: error: host function 'malloc' is not available in a tile kernel; kernels have no heap: an array of a constant number of elements, as float x[4], is a local variable{{$}}
  malloc(3);
}
__tile_global__ void k6(float *p, int n) {
  auto x = tt::zeros<float, 16>();
  // CHECK-DAG: {{^[^ ]*/}}mistakes-library.tt.cpp:[[#@LINE+1]]:7: error: 'expf' takes single numbers, not tiles; kernels have tt::exp(x){{$}}
  x = expf(x);
}
__tile_global__ void k7(float *p, int n) {
  auto x = tt::zeros<float, 16>();
  // CHECK-DAG: {{^[^ ]*/}}mistakes-library.tt.cpp:[[#@LINE+1]]:12: error: a tile<bool, 16> is not one condition but many: tt::where(condition, a, b) selects by each, and tt::reduce_or(condition) says whether any holds{{$}}
  x = std::max(x, x);
}
__tile_global__ void k8(float *p, int n) {
  auto x = tt::zeros<float, 16>();
  // CHECK-DAG: {{^[^ ]*/}}mistakes-library.tt.cpp:[[#@LINE+1]]:12: error: a tile<bool, 16> is not one condition but many: tt::where(condition, a, b) selects by each, and tt::reduce_or(condition) says whether any holds{{$}}
  x = std::clamp(x, x, x);
}
__tile_global__ void k9(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-library.tt.cpp:[[#@LINE+1]]:3: error: a tile<int, 16> is not one int: a reduction such as tt::sum(x) or tt::max(x) makes one of all its elements{{$}}
  switch (tt::arange<16>()) { case 0: break; }
}
