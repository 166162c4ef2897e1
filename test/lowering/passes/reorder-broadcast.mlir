// RUN: tcc-opt %s --triton-reorder-broadcast | FileCheck %s

// CHECK-LABEL: @splats
// CHECK: %[[S:.*]] = arith.mulf %arg0, %arg1 : f32
// CHECK: tt.splat %[[S]] : f32 -> tensor<16xf32>
// CHECK-NEXT: tt.return
tt.func @splats(%x: f32, %y: f32) -> tensor<16xf32> {
  %0 = tt.splat %x : f32 -> tensor<16xf32>
  %1 = tt.splat %y : f32 -> tensor<16xf32>
  %2 = arith.mulf %0, %1 : tensor<16xf32>
  tt.return %2 : tensor<16xf32>
}

// A constant is a splat as well.
// CHECK-LABEL: @splat_and_constant
// CHECK: arith.cmpi slt, %arg0, %{{.*}} : i32
// CHECK: tt.splat %{{.*}} : i1 -> tensor<16xi1>
tt.func @splat_and_constant(%x: i32) -> tensor<16xi1> {
  %0 = tt.splat %x : i32 -> tensor<16xi32>
  %1 = arith.constant dense<3> : tensor<16xi32>
  %2 = arith.cmpi slt, %0, %1 : tensor<16xi32>
  tt.return %2 : tensor<16xi1>
}

// CHECK-LABEL: @broadcasts
// CHECK: %[[E:.*]] = math.exp %arg0 : tensor<16x1xf32>
// CHECK: %[[M:.*]] = arith.mulf %[[E]], %{{.*}} : tensor<16x1xf32>
// CHECK: tt.broadcast %[[M]] : tensor<16x1xf32> -> tensor<16x32xf32>
// CHECK-NEXT: tt.return
tt.func @broadcasts(%x: tensor<16x1xf32>, %y: f32) -> tensor<16x32xf32> {
  %0 = tt.broadcast %x : tensor<16x1xf32> -> tensor<16x32xf32>
  %1 = math.exp %0 : tensor<16x32xf32>
  %2 = tt.splat %y : f32 -> tensor<16x32xf32>
  %3 = arith.mulf %1, %2 : tensor<16x32xf32>
  tt.return %3 : tensor<16x32xf32>
}

// A row and a column together give all elements, so they stay broadcast.
// CHECK-LABEL: @row_and_column
// CHECK: arith.addi %{{.*}}, %{{.*}} : tensor<16x32xi32>
tt.func @row_and_column(%x: tensor<16x1xi32>, %y: tensor<1x32xi32>) -> tensor<16x32xi32> {
  %0 = tt.broadcast %x : tensor<16x1xi32> -> tensor<16x32xi32>
  %1 = tt.broadcast %y : tensor<1x32xi32> -> tensor<16x32xi32>
  %2 = arith.addi %0, %1 : tensor<16x32xi32>
  tt.return %2 : tensor<16x32xi32>
}
