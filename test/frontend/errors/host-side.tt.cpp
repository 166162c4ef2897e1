// Mistakes in host code: launches, and tile operations outside kernels.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="error:"
#include <tilecc/tt.h>

using T = tt::tile<float, 64>;
__tile_global__ void kernel(float *x, int n) {}
__tile__ int helper(int n) { return n; }
void function(float *x);

void launches(float *x) {
  // CHECK: host-side.tt.cpp:[[#@LINE+1]]:9: error: kernel 'kernel' is launched, not called: kernel<<<grid>>>(...)
  kernel(x, 3);
  // CHECK: host-side.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: too few arguments to function call, expected 2, have 1
  kernel<<<1>>>(x);
  // CHECK: host-side.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: too many arguments to function call, expected 2, have 3
  kernel<<<1>>>(x, 1, 2);
  // CHECK: host-side.tt.cpp:[[#@LINE+1]]:17: error: cannot initialize a parameter of type 'float *' with an lvalue of type 'const char[2]'
  kernel<<<1>>>("a", 1);
  // CHECK: host-side.tt.cpp:[[#@LINE+1]]:12: error: the grid of a launch is an integer or a dim3, not 'const char[2]'
  kernel<<<"x">>>(x, 1);
  // CHECK: host-side.tt.cpp:[[#@LINE+1]]:12: error: the grid of a launch is an integer or a dim3, not 'double'
  kernel<<<1.5>>>(x, 1);
  // CHECK: host-side.tt.cpp:[[#@LINE+1]]:15: error: the second launch argument is a stream, not 'float *'
  kernel<<<1, x>>>(x, 1);
  // CHECK: host-side.tt.cpp:[[#@LINE+1]]:21: error: the fourth launch argument is a stream, not 'int'
  kernel<<<1, 1, 0, 5>>>(x, 1);
  // CHECK: host-side.tt.cpp:[[#@LINE+1]]:18: error: 'function' is not a tile kernel: those are marked __tile_global__, and SIMT kernels need --simt
  function<<<1>>>(x);
}

// Grids may be computed from int: only between the braces of a dim3, that is no narrowing error.
void grids(float *x, int m, long n) {
  kernel<<<dim3{tt::cdiv(m, 64), 2}>>>(x, 1);
  dim3 a{m, tt::cdiv(n, 64)};
  dim3 c = {[](int i) { return i; }(m), m};
  kernel<<<a>>>(x, int{3});
  // CHECK: host-side.tt.cpp:[[#@LINE+1]]:23: error: non-constant-expression cannot be narrowed from type 'int' to 'unsigned int'
  unsigned sizes[] = {m};
}

void operations(float *x, T a, T b) {
  // CHECK: host-side.tt.cpp:[[#@LINE+1]]:12: error: tile operation 'arange' is only available in tile kernels and __tile__ functions
  auto i = tt::arange<64>();
  // CHECK: host-side.tt.cpp:[[#@LINE+1]]:3: error: tile operation 'store' is only available in tile kernels and __tile__ functions
  tt::store(x, 1.0f);
  // CHECK: host-side.tt.cpp:[[#@LINE+1]]:14: error: operations on tiles are only available in tile kernels and __tile__ functions
  auto c = a + b;
  // CHECK: host-side.tt.cpp:[[#@LINE+2]]:11: error: __tile__ function 'helper' cannot be called by host code
  // CHECK: host-side.tt.cpp:8:14: note: declared here
  int n = helper(3);
}
