// RUN: tcc-opt %s | tcc-opt | FileCheck %s --check-prefix=PRINT
// RUN: tcc-opt %s --canonicalize | FileCheck %s

// Shape operations are parsed and printed in Triton's syntax.
// PRINT-LABEL: @forms
tt.func @forms(%x: tensor<64x32xf32>, %v: tensor<64xf32>, %i: tensor<64xi32>, %m: tensor<64xi1>, %one: tensor<1xf32>) {
  // PRINT: tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<64x32xf32> -> tensor<32x64xf32>
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x32xf32> -> tensor<32x64xf32>
  // PRINT: tt.join %{{.*}}, %{{.*}} : tensor<64xf32> -> tensor<64x2xf32>
  %j = tt.join %v, %v : tensor<64xf32> -> tensor<64x2xf32>
  // PRINT: %{{.*}}, %{{.*}} = tt.split %{{.*}} : tensor<64x2xf32> -> tensor<64xf32>
  %l, %r = tt.split %j : tensor<64x2xf32> -> tensor<64xf32>
  // PRINT: tt.cat %{{.*}}, %{{.*}} : tensor<64xf32> -> tensor<128xf32>
  %c = tt.cat %l, %r : tensor<64xf32> -> tensor<128xf32>
  // PRINT: tt.gather %{{.*}}[%{{.*}}] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  %g = tt.gather %v[%i] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  // PRINT: tt.histogram %{{.*}}, %{{.*}} : tensor<64xi32> -> tensor<16xi32>
  %h = tt.histogram %i, %m : tensor<64xi32> -> tensor<16xi32>
  // PRINT: tt.histogram %{{.*}} : tensor<64xi32> -> tensor<16xi32>
  %n = tt.histogram %i : tensor<64xi32> -> tensor<16xi32>
  // PRINT: tt.unsplat %{{.*}} : tensor<1xf32>
  %u = tt.unsplat %one : tensor<1xf32>
  tt.return
}

// CHECK-LABEL: @two_in_a_row
// CHECK-NEXT: %[[R:.*]] = tt.reshape %arg0 : tensor<64x32xf32> -> tensor<2048xf32>
// CHECK-NEXT: %[[A:.*]] = tt.reshape %arg0 allow_reorder : tensor<64x32xf32> -> tensor<2048xf32>
// CHECK-NEXT: %[[T:.*]] = tt.trans %arg1 {order = array<i32: 0, 2, 1>} : tensor<2x4x8xf32> -> tensor<2x8x4xf32>
// CHECK-NEXT: tt.return %[[R]], %[[A]], %[[T]], %arg0, %arg1
tt.func @two_in_a_row(%x: tensor<64x32xf32>, %y: tensor<2x4x8xf32>)
    -> (tensor<2048xf32>, tensor<2048xf32>, tensor<2x8x4xf32>, tensor<64x32xf32>, tensor<2x4x8xf32>) {
  %0 = tt.reshape %x : tensor<64x32xf32> -> tensor<4x512xf32>
  %1 = tt.reshape %0 : tensor<4x512xf32> -> tensor<2048xf32>
  %2 = tt.reshape %x allow_reorder : tensor<64x32xf32> -> tensor<4x512xf32>
  %3 = tt.reshape %2 : tensor<4x512xf32> -> tensor<2048xf32>
  %4 = tt.trans %y {order = array<i32: 2, 0, 1>} : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
  %5 = tt.trans %4 {order = array<i32: 1, 0, 2>} : tensor<8x2x4xf32> -> tensor<2x8x4xf32>
  %6 = tt.reshape %1 : tensor<2048xf32> -> tensor<64x32xf32>
  %7 = tt.trans %4 {order = array<i32: 1, 2, 0>} : tensor<8x2x4xf32> -> tensor<2x4x8xf32>
  tt.return %1, %3, %5, %6, %7 : tensor<2048xf32>, tensor<2048xf32>, tensor<2x8x4xf32>, tensor<64x32xf32>, tensor<2x4x8xf32>
}

// A join of split halves is folded, and a split of joined tiles; with exchanged halves, it is not.
// CHECK-LABEL: @halves
// CHECK-NEXT: %[[L:.*]], %[[R:.*]] = tt.split %arg0
// CHECK-NEXT: %[[J:.*]] = tt.join %[[R]], %[[L]]
// CHECK-NEXT: tt.return %arg0, %[[J]], %arg1, %arg2
tt.func @halves(%x: tensor<64x2xf32>, %a: tensor<64xf32>, %b: tensor<64xf32>)
    -> (tensor<64x2xf32>, tensor<64x2xf32>, tensor<64xf32>, tensor<64xf32>) {
  %l, %r = tt.split %x : tensor<64x2xf32> -> tensor<64xf32>
  %0 = tt.join %l, %r : tensor<64xf32> -> tensor<64x2xf32>
  %1 = tt.join %r, %l : tensor<64xf32> -> tensor<64x2xf32>
  %2 = tt.join %a, %b : tensor<64xf32> -> tensor<64x2xf32>
  %3, %4 = tt.split %2 : tensor<64x2xf32> -> tensor<64xf32>
  tt.return %0, %1, %3, %4 : tensor<64x2xf32>, tensor<64x2xf32>, tensor<64xf32>, tensor<64xf32>
}

// A shape operation on a splat is a splat.
// CHECK-LABEL: @splats
// CHECK-DAG: %[[C:.*]] = arith.constant dense<3> : tensor<32xi32>
// CHECK-DAG: %[[R:.*]] = tt.splat %arg0 : f32 -> tensor<2048xf32>
// CHECK-DAG: %[[T:.*]] = tt.splat %arg0 : f32 -> tensor<32x64xf32>
// CHECK-DAG: %[[G:.*]] = tt.splat %arg0 : f32 -> tensor<8x32xf32>
// CHECK: tt.return %[[R]], %[[T]], %[[G]], %[[C]], %[[C]]
tt.func @splats(%x: f32, %i: tensor<8x32xi32>)
    -> (tensor<2048xf32>, tensor<32x64xf32>, tensor<8x32xf32>, tensor<32xi32>, tensor<32xi32>) {
  %0 = tt.splat %x : f32 -> tensor<64x32xf32>
  %1 = tt.reshape %0 : tensor<64x32xf32> -> tensor<2048xf32>
  %2 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<64x32xf32> -> tensor<32x64xf32>
  %3 = tt.gather %0[%i] {axis = 0 : i32} : (tensor<64x32xf32>, tensor<8x32xi32>) -> tensor<8x32xf32>
  %c = arith.constant dense<3> : tensor<64xi32>
  %4 = tt.reshape %c : tensor<64xi32> -> tensor<32x2xi32>
  %5, %6 = tt.split %4 : tensor<32x2xi32> -> tensor<32xi32>
  tt.return %1, %2, %3, %5, %6 : tensor<2048xf32>, tensor<32x64xf32>, tensor<8x32xf32>, tensor<32xi32>, tensor<32xi32>
}

// A gather of every element from its own position is folded.
// CHECK-LABEL: @identity
// CHECK-NEXT: tt.return %arg0
tt.func @identity(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %0 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %2 = tt.broadcast %1 : tensor<1x64xi32> -> tensor<16x64xi32>
  %3 = tt.gather %x[%2] {axis = 1 : i32} : (tensor<16x64xf32>, tensor<16x64xi32>) -> tensor<16x64xf32>
  tt.return %3 : tensor<16x64xf32>
}

// Along another axis, or of only some elements, it is not.
// CHECK-LABEL: @no_identity
// CHECK: tt.gather
// CHECK: tt.gather
// CHECK: tt.gather
tt.func @no_identity(%x: tensor<16x16xf32>, %y: tensor<64xf32>) -> (tensor<16x16xf32>, tensor<16xf32>, tensor<64xf32>) {
  %0 = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %2 = tt.broadcast %1 : tensor<1x16xi32> -> tensor<16x16xi32>
  %3 = tt.gather %x[%2] {axis = 0 : i32} : (tensor<16x16xf32>, tensor<16x16xi32>) -> tensor<16x16xf32>
  %4 = tt.gather %y[%0] {axis = 0 : i32} : (tensor<64xf32>, tensor<16xi32>) -> tensor<16xf32>
  %5 = tt.make_range {start = 64 : i32, end = 128 : i32} : tensor<64xi32>
  %6 = tt.gather %y[%5] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  tt.return %3, %4, %6 : tensor<16x16xf32>, tensor<16xf32>, tensor<64xf32>
}
