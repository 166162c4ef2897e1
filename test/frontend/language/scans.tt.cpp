// RUN: %raise %s | FileCheck %s
#include <tilecc/tt.h>

// CHECK-LABEL: @sums(
// CHECK: "tt.scan"(%{{.*}}) <{axis = 1 : i32, reverse = false}>
// CHECK: arith.addf
// CHECK: tt.scan.return %{{.*}} : f32
// CHECK: (tensor<32x64xf32>) -> tensor<32x64xf32>
// CHECK: "tt.scan"(%{{.*}}) <{axis = 0 : i32, reverse = true}>
// CHECK: arith.mulf
// CHECK: arith.extsi %{{.*}} : tensor<64xi8> to tensor<64xi32>
// CHECK: "tt.scan"(%{{.*}}) <{axis = 0 : i32, reverse = false}>
// CHECK: (tensor<64xi32>) -> tensor<64xi32>
// CHECK: arith.extf %{{.*}} : tensor<64xbf16> to tensor<64xf32>
// CHECK: (tensor<64xf32>) -> tensor<64xf32>
extern "C" __tile_global__ void sums(float *x, signed char *c, tt::bfloat16 *b) {
  auto p = x + tt::arange<32>()(tt::all, tt::newaxis) * 64 + tt::arange<64>();
  tt::store(p, tt::cumsum<1>(tt::load(p)));
  tt::store(p, tt::cumprod(tt::load(p), tt::reverse));
  auto i = tt::arange<64>();
  tt::store(c + i, tt::cumsum(tt::load(c + i)));
  tt::store(b + i, tt::cumsum(tt::load(b + i)));
}

// CHECK-LABEL: @recurrence(
// CHECK: "tt.scan"(%{{.*}}, %{{.*}}) <{axis = 0 : i32, reverse = true}>
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %[[D:.*]]: f32):
// CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[C]] : f32
// CHECK: %[[Q:.*]] = arith.mulf %[[B]], %[[C]] : f32
// CHECK: %[[R:.*]] = arith.addf %[[Q]], %[[D]] : f32
// CHECK: tt.scan.return %[[P]], %[[R]] : f32, f32
extern "C" __tile_global__ void recurrence(float *a, float *b) {
  auto i = tt::arange<64>();
  auto [f, y] = tt::associative_scan<0>(
      tt::pair{tt::load(a + i), tt::load(b + i)},
      [](float a0, float b0, float a1, float b1) { return tt::pair{a0 * a1, b0 * a1 + b1}; }, tt::reverse);
  tt::store(a + i, f);
  tt::store(b + i, y);
}
