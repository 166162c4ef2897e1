// What is named in decltype is not called: it may be functions of the host.
// RUN: %raise %s | FileCheck %s
#include <tilecc/tt.h>
#include <utility>

float on_host(int);
template <class T> T element_of(tt::tile<T, 16>);

// CHECK-LABEL: tt.func public @kernel
// CHECK: arith.constant dense<7.000000e+00> : tensor<16xf32>
// CHECK-NOT: call
extern "C" __tile_global__ void kernel(float *p) {
  auto x = tt::arange<16>().to<float>();
  decltype(std::declval<float>() * 2) a = 1;
  decltype(on_host(3)) b = 2;
  decltype(element_of(x)) c = 4;
  decltype([](auto x) { return on_host(x); }(1)) d = 0;
  tt::store(p + tt::arange<16>(), tt::full<float, 16>(a + b + c + d));
}
