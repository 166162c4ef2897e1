// RUN: %raise %s | FileCheck %s
#include <cstdint>
#include <tilecc/tt.h>

// CHECK-LABEL: @along_axes(
// CHECK: "tt.reduce"(%{{.*}}) <{axis = 1 : i32}>
// CHECK: (tensor<32x64xf32>) -> tensor<32xf32>
// CHECK: "tt.reduce"(%{{.*}}) <{axis = 0 : i32}>
// CHECK: arith.maxnumf
// CHECK: (tensor<32x64xf32>) -> tensor<64xf32>
// CHECK: tt.reshape %{{.*}} allow_reorder : tensor<32x64xf32> -> tensor<2048xf32>
// CHECK: "tt.reduce"
// CHECK: arith.minnumf
// CHECK: (tensor<2048xf32>) -> f32
extern "C" __tile_global__ void along_axes(float *x) {
  auto t = tt::load(x + tt::arange<32>()(tt::all, tt::newaxis) * 64 + tt::arange<64>());
  tt::store(x + tt::arange<32>(), tt::sum<1>(t));
  tt::store(x + tt::arange<64>(), tt::max<-2>(t));
  x[0] = tt::min(t);
}

// A lambda's body, control flow included, becomes the region.
// CHECK-LABEL: @lambdas(
// CHECK: "tt.reduce"
// CHECK: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32):
// CHECK: arith.ori %[[A]], %[[B]]
// CHECK: tt.reduce.return
// CHECK: "tt.reduce"
// CHECK: ^bb0(%[[A2:.*]]: i32, %[[B2:.*]]: i32):
// CHECK: %[[R:.*]] = scf.for {{.*}} -> (i32)
// CHECK: tt.reduce.return %[[R]]
extern "C" __tile_global__ void lambdas(int *x) {
  auto t = tt::load(x + tt::arange<64>());
  x[0] = tt::reduce<0>(t, [](int a, int b) { return a | b; });
  x[1] = tt::reduce(t, [](int a, int b) {
    for (int i = 0; i < 3; ++i)
      a = a * 5 + (b ^ i);
    return a;
  });
}

// Narrow integers add up in 32 bits, narrow maxima are taken in 32 bits, as Triton does.
// CHECK-LABEL: @narrow(
// CHECK: arith.extsi {{.*}} tensor<64xi8> to tensor<64xi32>
// CHECK: (tensor<64xi32>) -> i32
// CHECK: arith.extui {{.*}} tensor<64xi16> to tensor<64xi32>
// CHECK: (tensor<64xi32>) -> i32
// CHECK: (tensor<64xf16>) -> f16
// CHECK: arith.extf {{.*}} tensor<64xf16> to tensor<64xf32>
// CHECK: (tensor<64xf32>) -> f32
// CHECK: arith.extui {{.*}} tensor<64xi1> to tensor<64xi32>
// CHECK: (tensor<64xi32>) -> i32
extern "C" __tile_global__ void narrow(int8_t *a, uint16_t *b, tt::float16 *h, float *o) {
  auto i = tt::arange<64>();
  o[0] = tt::sum(tt::load(a + i));
  o[1] = tt::sum(tt::load(b + i));
  o[2] = tt::sum(tt::load(h + i));
  o[3] = tt::max(tt::load(h + i));
  o[4] = tt::sum(tt::load(a + i) > 3);
}
