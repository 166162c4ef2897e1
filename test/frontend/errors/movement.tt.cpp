// Invalid reshapes, joins and gathers are reported at the user's line, with the shapes.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

__tile_global__ void reshape(float *x) {
  auto a = tt::zeros<float, 64, 32>();
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot reshape tile<float, 64, 32> to tile<float, 16, 16>: 2048 and 256 elements
  auto b = tt::reshape<16, 16>(a);
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot reshape tile<float, 64, 32> to tile<float, 32>: 2048 and 32 elements
  auto c = tt::reshape(a, tt::shape<32>{}, tt::can_reorder);
}

__tile_global__ void permute(float *x) {
  auto a = tt::zeros<float, 64, 32>();
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: permute names each dimension of tile<float, 64, 32> once
  auto b = tt::permute<0, 0>(a);
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: permute names each dimension of tile<float, 64, 32> once
  auto c = tt::trans<1, 0, 2>(a);
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot transpose tile<int, 16>: it has no two dimensions
  auto d = tt::trans(tt::arange<16>());
}

__tile_global__ void join(float *x, int *y) {
  auto a = tt::zeros<float, 64, 32>();
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot broadcast tile<float, 64, 32> with tile<int, 16>: dimension 1 is 32 and 16
  auto b = tt::join(a, tt::arange<16>());
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no tile has the elements of both tile<float *, 16> and tile<int *, 16>
  auto c = tt::interleave(x + tt::arange<16>(), y + tt::arange<16>());
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot split tile<float, 64, 32>: its last dimension is not 2
  auto [d, e] = tt::split(a);
}

__tile_global__ void cat(float *x) {
  auto a = tt::zeros<float, 64, 32>();
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot concatenate tile<float, 64, 32> and tile<float, 32, 32>: the sum of two sizes is a power of two only if they are equal
  auto b = tt::cat(a, tt::zeros<float, 32, 32>());
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cat: the axis is out of range for tile<float, 64, 32>
  auto c = tt::cat<2>(a, a);
}

__tile_global__ void gather(float *x) {
  auto a = tt::zeros<float, 64, 32>();
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot gather from tile<float, 64, 32> by tile<int, 16, 16>: only along axis 0 may they differ
  auto b = tt::gather<0>(a, tt::zeros<int, 16, 16>());
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot gather from tile<float, 64, 32> by tile<int, 64>: only along axis 1 may they differ
  auto c = tt::gather<-1>(a, tt::arange<64>());
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: gather takes integers as indices, not tile<float, 64, 32>
  auto d = tt::gather<0>(a, a);
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: gather: the axis is out of range for tile<float, 64, 32>
  auto e = tt::gather<2>(a, tt::zeros<int, 64, 32>());
  // CHECK-DAG: movement.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: flip: the axis is out of range for tile<float, 64, 32>
  auto f = tt::flip<-3>(a);
}

// CHECK: 15 errors generated.
