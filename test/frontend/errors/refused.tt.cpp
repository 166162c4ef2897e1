// Code that would compile, but not to what its author intends, is an error at its line.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

// CHECK-DAG: refused.tt.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: a mask is bool, not float: it comes before the other value, which needs one
__tile_global__ void mask_is_other(float *x) {
  auto y = tt::load(x + tt::arange<16>(), 0.0f);
  tt::store(x + tt::arange<16>(), y);
}
// CHECK-DAG: refused.tt.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: a mask is bool, not tile<int, 16>: it follows the value
__tile_global__ void mask_is_number(float *x) {
  tt::store(x + tt::arange<16>(), 0.0f, tt::arange<16>());
}
// CHECK-DAG: refused.tt.cpp:[[#@LINE+4]]:{{[0-9]+}}: error: cannot assign to tile<int, 16> the result, a tile<float, 16>: a variable keeps its type; convert one with .to<T>()
__tile_global__ void carried(float *x, int n) {
  auto sum = tt::zeros<int, 16>();
  for (int i = 0; i < n; ++i)
    sum += tt::load(x + tt::arange<16>() + i);
  tt::store(x + tt::arange<16>(), sum);
}
// CHECK-DAG: refused.tt.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: cannot concatenate tile<int, 16> and tile<float, 16>: convert one with .to<T>()
__tile_global__ void two_types(float *x) {
  auto y = tt::cat(tt::arange<16>(), tt::zeros<float, 16>());
  tt::store(x + tt::arange<32>(), y);
}
// CHECK-DAG: refused.tt.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: a combine function returns the element type, not double for elements of float
__tile_global__ void wider(float *x) {
  x[0] = tt::reduce(tt::load(x + tt::arange<16>()), [](float a, float b) { return a + 0.5 * b; });
}
// CHECK-DAG: refused.tt.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: a column is made of a tile of one dimension, not of tile<float, 4, 4>
__tile_global__ void column(float *x) {
  auto y = tt::zeros<float, 4, 4>().col();
  (void)y;
}

__tile_global__ void kernel(float *x) { x[0] = 1; }
void launches(float *x, int n) {
  // CHECK-DAG: refused.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a tile kernel has no block size, it chooses its threads itself: launch it with <<<grid>>> or <<<grid, stream>>>, and set warps with {{\[\[}}tt::num_warps(N)]]
  kernel<<<4, 256>>>(x);
  // CHECK-DAG: refused.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a tile kernel has no block size
  kernel<<<4, dim3(32, 4)>>>(x);
  // CHECK-DAG: refused.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a tile kernel has no shared memory of the launch's: the third launch argument is 0
  kernel<<<4, 1, 1024>>>(x);
  kernel<<<4, 1>>>(x);
  kernel<<<4, dim3(1), 0>>>(x);
  kernel<<<4, n>>>(x); // only the launch knows its value
}
