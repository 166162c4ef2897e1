// RUN: %raise %s | FileCheck %s
#include <tilecc/tt.h>

// As in Triton, max with indices has the position along the axis as a second operand.
// CHECK-LABEL: @indices(
// CHECK: %[[AT:.*]] = tt.broadcast %{{.*}} : tensor<1x64xi32> -> tensor<32x64xi32>
// CHECK: "tt.reduce"(%{{.*}}, %[[AT]]) <{axis = 1 : i32}>
// CHECK: ^bb0(%[[A:.*]]: f32, %[[I:.*]]: i32, %[[B:.*]]: f32, %[[J:.*]]: i32):
// CHECK: %[[GT:.*]] = arith.cmpf ogt, %[[A]], %[[B]] : f32
// CHECK: %[[EQ:.*]] = arith.cmpf oeq, %[[A]], %[[B]] : f32
// CHECK: %[[LT:.*]] = arith.cmpi slt, %[[I]], %[[J]] : i32
// CHECK: %[[TIE:.*]] = arith.andi %[[EQ]], %[[LT]] : i1
// CHECK: %[[C:.*]] = arith.ori %[[GT]], %[[TIE]] : i1
// CHECK: %[[V:.*]] = arith.select %[[C]], %[[A]], %[[B]] : f32
// CHECK: %[[K:.*]] = arith.select %[[C]], %[[I]], %[[J]] : i32
// CHECK: tt.reduce.return %[[V]], %[[K]] : f32, i32
// CHECK: (tensor<32x64xf32>, tensor<32x64xi32>) -> (tensor<32xf32>, tensor<32xi32>)
// CHECK: "tt.reduce"
// CHECK: arith.cmpf olt
// CHECK-NOT: arith.cmpf oeq
// CHECK: tt.reduce.return
// A reduction of all elements: two tiles may not be reordered independently.
// CHECK: tt.reshape %{{.*}} : tensor<32x64xf32> -> tensor<2048xf32>
// CHECK: tt.reshape %{{.*}} : tensor<32x64xi32> -> tensor<2048xi32>
// CHECK: (tensor<2048xf32>, tensor<2048xi32>) -> (f32, i32)
// bfloat16 is compared as float.
// CHECK: arith.extf %{{.*}} : tensor<64xbf16> to tensor<64xf32>
extern "C" __tile_global__ void indices(float *x, int *at, tt::bfloat16 *b) {
  auto r = tt::arange<32>();
  auto t = tt::load(x + r(tt::all, tt::newaxis) * 64 + tt::arange<64>());
  auto [largest, position] = tt::max<1>(t, tt::return_indices);
  tt::store(x + r, largest);
  tt::store(at + r, position);
  tt::store(at + tt::arange<64>(), tt::argmin<0>(t, tt::tie_break_fast));
  at[0] = tt::argmax(t);
  at[1] = tt::argmax(tt::load(b + tt::arange<64>()));
}

// CHECK-LABEL: @kept(
// CHECK: (tensor<32x64xf32>) -> tensor<32xf32>
// CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
// CHECK: tt.reshape %{{.*}} allow_reorder
// CHECK: tt.splat %{{.*}} : f32 -> tensor<1x1xf32>
extern "C" __tile_global__ void kept(float *x) {
  auto p = x + tt::arange<32>()(tt::all, tt::newaxis) * 64 + tt::arange<64>();
  auto t = tt::load(p);
  tt::store(p, t / tt::sum<1>(t, tt::keep_dims));
  tt::store(x + tt::zeros<int, 1, 1>(), tt::max(t, tt::keep_dims));
}

// A function with control flow, of three tiles.
// CHECK-LABEL: @branches(
// CHECK: "tt.reduce"(%{{.*}}, %{{.*}}, %{{.*}}) <{axis = 0 : i32}>
// CHECK: scf.if
// CHECK: tt.reduce.return %{{.*}}, %{{.*}}, %{{.*}} : i32, i32, f32
// CHECK: (tensor<64xi32>, tensor<64xi32>, tensor<64xf32>) -> (i32, i32, f32)
extern "C" __tile_global__ void branches(int *x, float *y) {
  auto i = tt::arange<64>();
  auto [a, b, c] = tt::reduce(tt::tuple{tt::load(x + i), i, tt::load(y + i)},
                              [](int a0, int b0, float c0, int a1, int b1, float c1) {
                                if (b0 < b1)
                                  for (int k = 0; k < a0; ++k)
                                    c0 *= c1;
                                return tt::tuple{a0 + a1, b0, c0};
                              });
  x[0] = a + b;
  y[0] = c;
}

// CHECK-LABEL: @bits(
// CHECK: arith.xori
// CHECK: (tensor<64xi32>) -> i32
// CHECK: arith.ori
// CHECK: (tensor<64xi1>) -> i1
extern "C" __tile_global__ void bits(int *x) {
  auto i = tt::arange<64>();
  x[0] = tt::xor_sum(tt::load(x + i));
  x[1] = tt::reduce_or(tt::load(x + i) > 3);
}
