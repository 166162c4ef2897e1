// Shapes that do not fit are reported at the user's line, with the shapes.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

__tile_global__ void clash(float *x) {
  auto rows = tt::arange<64>();
  auto columns = tt::arange<32>();
  // CHECK-DAG: shapes.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot broadcast tile<int, 64> with tile<int, 32>: dimension 0 is 64 and 32
  auto sum = rows + columns;
  tt::store(x + sum, 1.0f);
}

__tile_global__ void clash2d(float *x) {
  auto a = tt::zeros<float, 64, 32>();
  auto b = tt::zeros<float, 64>();
  // CHECK-DAG: shapes.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot broadcast tile<float, 64, 32> with tile<float, 64>: dimension 1 is 32 and 64
  auto c = a * b;
}

__tile_global__ void mask(float *x) {
  auto i = tt::arange<64>();
  // CHECK-DAG: shapes.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot broadcast tile<bool, 16> with tile<bool, 64>: dimension 0 is 16 and 64
  tt::store(x + i, 1.0f, tt::arange<16>() < 3);
}

__tile_global__ void wide_mask(float *x) {
  auto i = tt::arange<64>();
  auto mask = tt::zeros<bool, 2, 64>();
  // CHECK-DAG: shapes.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot broadcast tile<bool, 2, 64> to the shape of tile<float *, 64>: it would lose elements
  tt::store(x + i, 1.0f, mask);
}

__tile_global__ void assign(float *x) {
  auto a = tt::zeros<float, 64>();
  auto b = tt::zeros<float, 2, 64>();
  // CHECK-DAG: shapes.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot assign to tile<float, 64> the result, a tile<float, 2, 64>
  a += b;
}

__tile_global__ void product(float *x) {
  auto a = tt::zeros<float, 32, 64>();
  // CHECK-DAG: shapes.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot multiply tile<float, 32, 64> by tile<float, 32, 64>: the columns of one are not the rows of the other
  auto c = tt::dot(a, a);
}

__tile_global__ void accumulator(float *x) {
  auto a = tt::zeros<float, 32, 32>();
  // CHECK-DAG: shapes.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the accumulator of dot is tile<float, 16, 32>, and its result is tile<float, 32, 32>
  auto c = tt::dot(a, a, tt::zeros<float, 16, 32>());
}

__tile_global__ void axis(float *x) {
  auto a = tt::zeros<float, 32, 32>();
  // CHECK-DAG: shapes.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the axis is out of range for tile<float, 32, 32>
  auto c = tt::sum<2>(a);
}

__tile_global__ void index(float *x) {
  auto a = tt::zeros<float, 32, 32>();
  // CHECK-DAG: shapes.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tile<float, 32, 32> is indexed with one tt::all for each of its dimensions
  auto c = a(tt::all, tt::newaxis);
}

__tile_global__ void launched_with(float *x, int n) {}
// CHECK: 9 errors generated.
