// RUN: tcc-opt %s --triton-hoist-scales | FileCheck %s

// The scale of a softmax: the result is the scaled maximum, and the difference can become a fused multiply-add.
// CHECK-LABEL: @softmax
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<64x32xf32>, %[[S:[a-z0-9]*]]: f32
// CHECK: %[[SCALED:.*]] = arith.mulf %[[X]], %{{.*}}
// CHECK: %[[MAX:.*]] = "tt.reduce"(%[[X]])
// CHECK: %[[SPLAT:.*]] = tt.splat %[[S]] : f32 -> tensor<64xf32>
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[MAX]], %[[SPLAT]]
// CHECK: tt.expand_dims %[[PRODUCT]]
// CHECK: arith.subf %[[SCALED]]
tt.func @softmax(%x: tensor<64x32xf32>, %s: f32 {tt.positive}) -> tensor<64x32xf32> {
  %scale = tt.splat %s : f32 -> tensor<64x32xf32>
  %scaled = arith.mulf %x, %scale : tensor<64x32xf32>
  %max = "tt.reduce"(%scaled) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maxnumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<64x32xf32>) -> tensor<64xf32>
  %rows = tt.expand_dims %max {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  %all = tt.broadcast %rows : tensor<64x1xf32> -> tensor<64x32xf32>
  %d = arith.subf %scaled, %all : tensor<64x32xf32>
  tt.return %d : tensor<64x32xf32>
}

// Constants, and products of positive numbers, are positive. Unused values are removed.
// CHECK-LABEL: @numbers
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<32xf32>
// CHECK-NOT: arith.mulf %[[X]]
// CHECK: %[[MAX:.*]] = "tt.reduce"(%[[X]])
// CHECK: %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK: arith.mulf %[[MAX]], %[[HALF]]
// CHECK: %[[OTHER:.*]] = "tt.reduce"(%[[X]])
// CHECK: arith.mulf %[[OTHER]], %{{.*}} : f32
tt.func @numbers(%x: tensor<32xf32>, %s: f32 {tt.positive}) -> (f32, f32) {
  %half = arith.constant dense<0.5> : tensor<32xf32>
  %log2e = arith.constant 1.44269502 : f32
  %one = arith.mulf %half, %x : tensor<32xf32>
  %max = "tt.reduce"(%one) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<32xf32>) -> f32
  %both = arith.mulf %s, %log2e : f32
  %scale = tt.splat %both : f32 -> tensor<32xf32>
  %other = arith.mulf %x, %scale : tensor<32xf32>
  %max2 = "tt.reduce"(%other) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maxnumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<32xf32>) -> f32
  tt.return %max, %max2 : f32, f32
}

// A scale that may be negative, a negative scale, a minimum and a sum stay as they are.
// CHECK-LABEL: @others
// CHECK-COUNT-4: arith.mulf %{{.*}}, %{{.*}} : tensor<32xf32>
// CHECK-NOT: arith.mulf
// CHECK: tt.return
tt.func @others(%x: tensor<32xf32>, %s: f32, %p: f32 {tt.positive}) -> (f32, f32, f32, f32) {
  %scale = tt.splat %s : f32 -> tensor<32xf32>
  %positive = tt.splat %p : f32 -> tensor<32xf32>
  %negative = arith.constant dense<-0.5> : tensor<32xf32>
  %0 = arith.mulf %x, %scale : tensor<32xf32>
  %1 = arith.mulf %x, %negative : tensor<32xf32>
  %2 = arith.mulf %x, %positive : tensor<32xf32>
  %3 = arith.mulf %positive, %x : tensor<32xf32>
  %4 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maxnumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<32xf32>) -> f32
  %5 = "tt.reduce"(%1) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maxnumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<32xf32>) -> f32
  %6 = "tt.reduce"(%2) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.minnumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<32xf32>) -> f32
  %7 = "tt.reduce"(%3) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<32xf32>) -> f32
  tt.return %4, %5, %6, %7 : f32, f32, f32, f32
}
