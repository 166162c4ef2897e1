// Dimensions are powers of two, and there are at most 2^20 elements.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

__tile_global__ void range(float *x) {
  // CHECK-DAG: dimensions.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the dimensions of a tile are powers of two: dimension 0 is 100
  tt::store(x + tt::arange<100>(), 1.0f);
}

__tile_global__ void filled(float *x) {
  // CHECK-DAG: dimensions.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the dimensions of a tile are powers of two: dimension 1 is 24
  auto a = tt::zeros<float, 32, 24>();
}

// CHECK-DAG: dimensions.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the dimensions of a tile are powers of two: dimension 0 is 0
__tile_global__ void empty(float *x) { auto a = tt::full<float, 0>(1.0f); }

// CHECK-DAG: dimensions.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a tile has at most 2^20 elements
__tile_global__ void large(float *x) { auto a = tt::zeros<float, 1024, 2048>(); }

template <int N> __tile_global__ void block(float *x) {
  // CHECK-DAG: dimensions.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the dimensions of a tile are powers of two: dimension 0 is 48
  tt::store(x + tt::arange<N>(), 1.0f);
}
// CHECK-DAG: dimensions.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: note: in instantiation of function template specialization 'block<48>' requested here
void launch(float *x) { block<48><<<1>>>(x); }
// CHECK: 5 errors generated.
