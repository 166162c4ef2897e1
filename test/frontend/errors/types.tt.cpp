// Types that do not fit are reported at the user's line, with the types.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

struct point {
  float x, y;
};

__tile_global__ void halves(float *x) {
  auto a = tt::zeros<tt::float16, 64>();
  auto b = tt::zeros<tt::bfloat16, 64>();
  // CHECK-DAG: types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no common element type of tile<float16, 64> and tile<bfloat16, 64>: convert one with .to<T>()
  auto c = a + b;
}

__tile_global__ void shift(float *x) {
  // CHECK-DAG: types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot shift tile<float, 64> by int: shifts are for integers
  auto c = tt::zeros<float, 64>() << 2;
}

__tile_global__ void bitwise(float *x) {
  auto a = tt::zeros<float, 64>();
  // CHECK-DAG: types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no bitwise operation between tile<float, 64> and tile<float, 64>: it is for integers and bool
  auto c = a & a;
}

__tile_global__ void offset(float *x) {
  // CHECK-DAG: types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot offset float * by tile<float, 64>: offsets are integers
  tt::store(x + tt::zeros<float, 64>(), 1.0f);
}

__tile_global__ void values(float *x) {
  // CHECK-DAG: types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: memory is accessed through pointers, not through tile<int, 64>
  auto a = tt::load(tt::arange<64>());
}

__tile_global__ void constant(const float *x) {
  // CHECK-DAG: types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot store through tile<const float *, 64>
  tt::store(x + tt::arange<64>(), 1.0f);
}

__tile_global__ void structs(point *x) {
  // CHECK-DAG: types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot access memory through point *: it does not point to numbers
  tt::store(x, 1.0f);
}

__tile_global__ void scalar_pointer(float *x) {
  // CHECK-DAG: types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot use tile<int, 64> with float *, which is a single pointer
  tt::store(x, tt::arange<64>());
}

__tile_global__ void exponent(float *x) {
  // CHECK-DAG: types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tt::exp takes floating-point numbers, not tile<int, 64>
  auto a = tt::exp(tt::arange<64>());
}

__tile_global__ void comparison(float *x) {
  // CHECK-DAG: types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot compare tile<float *, 64> with int
  auto a = x + tt::arange<64>() < 3;
}

__tile_global__ void products(float *x) {
  auto a = tt::zeros<float, 16, 16>();
  auto b = tt::zeros<tt::float16, 16, 16>();
  // CHECK-DAG: types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: dot multiplies tiles of one element type, not tile<float, 16, 16> by tile<float16, 16, 16>
  auto c = tt::dot(a, b);
}

__tile_global__ void captures(float *x, float f) {
  // CHECK-DAG: types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a combine function cannot capture
  auto s = tt::reduce<0>(tt::zeros<float, 64>(), [f](float a, float b) { return a + b * f; });
}

__tile_global__ void unrelated(float *x, point p) {
  // CHECK-DAG: types.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: invalid operands to binary expression
  auto a = tt::arange<64>() + p;
}
// CHECK: 13 errors generated.
