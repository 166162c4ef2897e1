// Invalid operands of sorts, histograms and bitcasts are reported at the user's line, with the shapes.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

__tile_global__ void order(float *x) {
  auto a = tt::zeros<float, 64, 32>();
  // CHECK-DAG: order.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the axis to sort is out of range for tile<float, 64, 32>
  auto b = tt::sort<2>(a);
  // CHECK-DAG: order.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot sort tile<float *, 16>
  auto c = tt::sort(x + tt::arange<16>());
  // CHECK-DAG: order.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: topk of tile<float, 64, 32> along axis 1 takes a power of two, at most 32, not 64
  auto d = tt::topk<64>(a);
  // CHECK-DAG: order.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: topk of tile<float, 64, 32> along axis 0 takes a power of two, at most 64, not 12
  auto e = tt::topk<12, 0>(a);
  // CHECK-DAG: order.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: histogram counts integers, not tile<float, 64, 32>
  auto f = tt::histogram<16>(a);
}

__tile_global__ void bits(float *x) {
  // CHECK-DAG: order.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot take the bits of tile<int, 16> as double: they are no numbers of one width
  auto a = tt::bitcast<double>(tt::arange<16>());
}
// CHECK: 6 errors generated.
