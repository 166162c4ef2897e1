// Mistakes that are only visible in the whole kernel: one message each, at its line.
//
// Nothing else is printed.
// RUN: not %raise -ferror-limit=0 -fno-caret-diagnostics %s 2>&1 | FileCheck %s --implicit-check-not="{{[^[:space:]]}}"
#include <vector>
#include <tilecc/tt.h>

__tile_global__ void k0(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-kernels.tt.cpp:[[#@LINE+1]]:14: error: num_stages of tt::range must be at least 1, not 0{{$}}
  for (int i : tt::range(n).num_stages(0)) p[i] = 1;
}
__tile_global__ void k1(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-kernels.tt.cpp:[[#@LINE+1]]:14: error: num_stages of tt::range must be a constant{{$}}
  for (int i : tt::range(n).num_stages(n)) p[i] = 1;
}
__tile_global__ void k3(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-kernels.tt.cpp:[[#@LINE+1]]:3: error: an array of variable length, whose size is not a constant, is not available in a tile kernel{{$}}
  int a[n]; a[0] = 1; p[0] = a[n-1];
}
__tile_global__ void k4(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-kernels.tt.cpp:[[#@LINE+1]]:14: error: static variable 'k' is not available in a tile kernel: programs of a grid share nothing but the memory that pointers lead to{{$}}
  static int k = 0; p[0] = k++;
}
__tile_global__ void k5(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-kernels.tt.cpp:[[#@LINE+1]]:14: error: a tile kernel has no heap and no operator new: an array of a constant number of elements, as float x[4], is a local variable{{$}}
  float *q = new float[4]; p[0] = q[0];
}
__tile_global__ void k6(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-kernels.tt.cpp:[[#@LINE+1]]:3: error: '__syncthreads', SIMT code, for which there is tt::debug_barrier(), is not available in a tile kernel{{$}}
  __syncthreads();
}
__tile_global__ void k7(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-kernels.tt.cpp:[[#@LINE+1]]:3: error: the address of a local variable ('x') is not available in a tile kernel{{$}}
  auto x = tt::zeros<float,16>(); float *q = (float *)&x; p[0] = q[0];
}
__tile_global__ void k8(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-kernels.tt.cpp:[[#@LINE+1]]:20: error: std::vector is not available in a tile kernel: it has memory of the heap; a local array has a constant number of elements, as float x[4] and std::array<float, 4> have{{$}}
  std::vector<int> v(3); p[0] = v[0];
}
__tile_global__ void k9(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-kernels.tt.cpp:[[#@LINE+1]]:27: error: static variable 'k' is not available in a tile kernel: programs of a grid share nothing but the memory that pointers lead to{{$}}
  static thread_local int k = 0; p[0] = k++;
}
