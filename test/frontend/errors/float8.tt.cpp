// There is no arithmetic on 8-bit floats.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

using T = tt::tile<tt::float8_e4m3fn, 64>;
using U = tt::tile<tt::float8_e5m2, 64>;

__tile_global__ void arithmetic(float *p) {
  T a{};
  // CHECK-DAG: float8.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no arithmetic between tile<float8_e4m3fn, 64> and tile<float8_e4m3fn, 64>: convert 8-bit floats with .to<float>()
  auto b = a + a;
}
__tile_global__ void with_scalar(float *p) {
  U a{};
  // CHECK-DAG: float8.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no arithmetic between tile<float8_e5m2, 64> and float: convert 8-bit floats with .to<float>()
  auto b = a * 2.0f;
}
__tile_global__ void comparison(float *p) {
  T a{};
  // CHECK-DAG: float8.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot compare tile<float8_e4m3fn, 64> with int: convert 8-bit floats with .to<float>()
  auto b = a < 0;
}
__tile_global__ void negation(float *p) {
  T a{};
  // CHECK-DAG: float8.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no arithmetic on tile<float8_e4m3fn, 64>: convert it with .to<float>()
  auto b = -a;
}
__tile_global__ void bits(float *p) {
  T a{};
  // CHECK-DAG: float8.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no bitwise operation between tile<float8_e4m3fn, 64> and int: it is for integers and bool
  auto b = a & 1;
}
__tile_global__ void reduction(float *p) {
  tt::tile<tt::float8_e4m3fn, 32> a{};
  // CHECK-DAG: float8.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no arithmetic on tile<float8_e4m3fn, 32>: convert it with .to<float>()
  auto b = tt::sum(a);
}
__tile_global__ void function(float *p) {
  U a{};
  // CHECK-DAG: float8.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tt::exp takes floating-point numbers, not tile<float8_e5m2, 64>
  auto b = tt::exp(a);
}
__tile_global__ void sorting(float *p) {
  U a{};
  // CHECK-DAG: float8.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no arithmetic on tile<float8_e5m2, 64>: convert it with .to<float>()
  auto b = tt::sort(a);
}
__tile_global__ void selection(float *p) {
  U a{};
  T b{};
  // CHECK-DAG: float8.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no common element type of tile<float8_e5m2, 64> and tile<float8_e4m3fn, 64>: convert one with .to<T>()
  auto c = tt::where(true, a, b);
}
__tile_global__ void extremum(float *p) {
  U a{};
  // CHECK-DAG: float8.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: no maximum or minimum of tile<float8_e5m2, 64> and tile<float8_e5m2, 64>
  auto c = tt::maximum(a, a);
}
__tile_global__ void product(float *p) {
  tt::tile<tt::float8_e5m2, 16, 16> a{};
  tt::tile<float, 16, 16> b{};
  // CHECK-DAG: float8.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: dot multiplies tiles of one element type, not tile<float8_e5m2, 16, 16> by tile<float, 16, 16>
  auto c = tt::dot(a, b);
}
__tile_global__ void atomic(tt::float8_e5m2 *p) {
  // CHECK-DAG: float8.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: there is no such atomic operation on what tt::float8_e5m2 * points to
  tt::atomic_add(p, tt::float8_e5m2(1));
}
