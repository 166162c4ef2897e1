// Mathematics of the wrong types is reported at the user's line, with the types.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/libdevice.h>
#include <tilecc/tt.h>

__tile_global__ void kernel(float *x) {
  auto i = tt::arange<64>();
  auto f = tt::zeros<float, 64>();
  auto h = tt::zeros<tt::float16, 64>();
  // CHECK-DAG: math.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tt::sin takes floating-point numbers, not tile<int, 64>
  auto a = tt::sin(i);
  // CHECK-DAG: math.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tt::pow takes floating-point numbers, not tile<int, 64>
  auto b = tt::pow(i, 2);
  // CHECK-DAG: math.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tt::umulhi takes integers of 32 or 64 bits, not tile<float, 64>
  auto c = tt::umulhi(f, f);
  // CHECK-DAG: math.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot broadcast tile<float, 64> with tile<float, 32>: dimension 0 is 64 and 32
  auto d = tt::fma(f, 2, tt::zeros<float, 32>());
  // CHECK-DAG: math.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tt::libdevice::tan takes float or double, not tile<float16, 64>
  auto e = tt::libdevice::tan(h);
  // CHECK-DAG: math.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tt::libdevice::fast_sinf takes float, not tile<int, 64>
  auto g = tt::libdevice::fast_sinf(i);
  // CHECK-DAG: math.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the offsets of random numbers are a tile of integers, not tile<float, 64>
  auto j = tt::rand(1, f);
  // CHECK-DAG: math.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the seed of random numbers is an integer, not float
  auto k = tt::rand(1.0f, i);
  // CHECK-DAG: math.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the axis of tt::softmax is out of range for tile<float, 64>
  auto l = tt::softmax<1>(f);
}
