// Reductions and scans with wrong types or functions are reported at the user's line.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

__tile_global__ void results(float *x) {
  auto a = tt::zeros<float, 64>();
  // CHECK-DAG: combine.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a combine function returns one value for each tile: of several tiles, a tt::pair or tt::tuple
  auto [b, c] = tt::reduce<0>(tt::pair{a, a}, [](float a0, float a1, float b0, float b1) { return a0 + b0; });
}

__tile_global__ void arguments(float *x) {
  auto a = tt::zeros<float, 64>();
  // CHECK-DAG: combine.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a combine function takes one element of each tile, and another one of each
  auto b = tt::reduce<0>(a, [](float a0, float a1, float b0, float b1) { return a0 + b0; });
}

__tile_global__ void different(float *x) {
  auto a = tt::zeros<float, 64>();
  // CHECK-DAG: combine.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tiles that are combined have one shape, not tile<float, 64> and tile<int, 32>
  auto b = tt::reduce<0>(tt::pair{a, tt::arange<32>()}, [](float a, int i, float b, int j) { return tt::pair{a, i}; });
}

__tile_global__ void scalar(float *x) {
  auto a = tt::zeros<float, 64>();
  // CHECK-DAG: combine.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot combine the elements of int, which is not a tile
  auto b = tt::associative_scan<0>(tt::pair{a, 3}, [](float a, int i, float b, int j) { return tt::pair{a, i}; });
}

__tile_global__ void axis(float *x) {
  auto a = tt::zeros<float, 64>();
  // CHECK-DAG: combine.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the axis is out of range for tile<float, 64>
  auto b = tt::cumsum<1>(a);
}

__tile_global__ void option(float *x) {
  auto a = tt::zeros<float, 64>();
  // CHECK-DAG: combine.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the option of a reduction is tt::keep_dims
  auto b = tt::sum(a, tt::reverse);
  // CHECK-DAG: combine.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the options of a scan are tt::reverse and tt::exclusive
  auto c = tt::cumsum(a, tt::keep_dims);
  // CHECK-DAG: combine.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the options of max and min are keep_dims, return_indices, tie_break_left and tie_break_fast of tt
  auto d = tt::argmax(a, tt::reverse);
  // CHECK-DAG: combine.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tt::tie_break_left and tt::tie_break_fast exclude each other
  auto e = tt::argmax(a, tt::tie_break_left, tt::tie_break_fast);
}

__tile_global__ void bits(float *x) {
  // CHECK-DAG: combine.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: xor_sum is of integers, not of tile<float, 64>
  auto b = tt::xor_sum(tt::zeros<float, 64>());
}

__tile_global__ void launched_with(float *x, int n) {}
// CHECK: 10 errors generated.
