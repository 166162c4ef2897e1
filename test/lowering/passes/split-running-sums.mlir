// RUN: tcc-opt %s --tritongpu-split-running-sums --canonicalize --cse | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#row = #ttg.slice<{dim = 1, parent = #mma}>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked_row = #ttg.slice<{dim = 1, parent = #blocked}>
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// A thread has two neighbours, four lanes share a row, and there are eight such groups: 64 = 8 x 4 x 2, of which the 4
// stay.
// CHECK-LABEL: @softmax
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<64x4xf32
// CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[PARTS:.*]] = %[[ZEROS]]) -> (tensor<64x4xf32, #[[PARTS_LAYOUT:.*]]>)
// CHECK: %[[SPLIT:.*]] = tt.reshape %{{.*}} : tensor<64x64xf32, #mma> -> tensor<64x8x4x2xf32, #linear>
// CHECK: %[[PAIRS:.*]] = "tt.reduce"(%[[SPLIT]]) <{axis = 3 : i32}>
// CHECK: %[[OWN:.*]] = "tt.reduce"(%[[PAIRS]]) <{axis = 1 : i32}>
// CHECK: %[[FACTOR:.*]] = tt.broadcast %{{.*}} -> tensor<64x4xf32
// CHECK: %[[SCALED:.*]] = arith.mulf %[[PARTS]], %[[FACTOR]] : tensor<64x4xf32
// CHECK: arith.addf %[[SCALED]], %[[OWN]]
// CHECK: "tt.reduce"(%[[LOOP]]) <{axis = 1 : i32}>
// CHECK: ttg.convert_layout {{.*}} -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
tt.func @softmax(%x: tensor<64x64xf32, #mma>, %factor: tensor<64xf32, #row>, %n: i32) -> tensor<64xf32, #row> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32, #row>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32, #row>) : i32 {
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #row>
    %m = arith.mulf %acc, %factor : tensor<64xf32, #row>
    %t = arith.addf %m, %s : tensor<64xf32, #row>
    scf.yield %t : tensor<64xf32, #row>
  }
  tt.return %r : tensor<64xf32, #row>
}

// Only one part gets the initial value of the sum.
// CHECK-LABEL: @begun
// CHECK: %[[NUMBER:.*]] = tt.make_range {end = 8 : i32, start = 0 : i32}
// CHECK: %[[FIRST:.*]] = arith.cmpi eq
// CHECK: %[[INIT:.*]] = arith.select %[[FIRST]], %{{.*}}, %{{.*}} : tensor<64x8xi1
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[INIT]])
tt.func @begun(%x: tensor<64x32xf32, #blocked>, %factor: tensor<64xf32, #blocked_row>, %init: tensor<64xf32, #blocked_row>, %n: i32) -> tensor<64xf32, #blocked_row> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (tensor<64xf32, #blocked_row>) : i32 {
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64x32xf32, #blocked>) -> tensor<64xf32, #blocked_row>
    %m = arith.mulf %factor, %acc : tensor<64xf32, #blocked_row>
    %t = arith.addf %s, %m : tensor<64xf32, #blocked_row>
    scf.yield %t : tensor<64xf32, #blocked_row>
  }
  tt.return %r : tensor<64xf32, #blocked_row>
}

// Another use of the sum in the loop needs all of it.
// CHECK-LABEL: @read
// CHECK: scf.for {{.*}} -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32
tt.func @read(%x: tensor<64x64xf32, #mma>, %factor: tensor<64xf32, #row>, %n: i32) -> (tensor<64xf32, #row>, tensor<64xf32, #row>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32, #row>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %last = %zero) -> (tensor<64xf32, #row>, tensor<64xf32, #row>) : i32 {
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #row>
    %m = arith.mulf %acc, %factor : tensor<64xf32, #row>
    %t = arith.addf %m, %s : tensor<64xf32, #row>
    scf.yield %t, %acc : tensor<64xf32, #row>, tensor<64xf32, #row>
  }
  tt.return %r#0, %r#1 : tensor<64xf32, #row>, tensor<64xf32, #row>
}

// A scalar: each thread has a part.
// CHECK-LABEL: @scalar
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<128xf32
// CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[PARTS:.*]] = %[[ZEROS]]) -> (tensor<128xf32
// CHECK: %[[OWN:.*]] = "tt.reduce"(%{{.*}}) <{axis = 1 : i32}>
// CHECK: %[[FACTOR:.*]] = tt.splat %arg1 : f32 -> tensor<128xf32
// CHECK: %[[SCALED:.*]] = arith.mulf %[[PARTS]], %[[FACTOR]] : tensor<128xf32
// CHECK: arith.addf %[[SCALED]], %[[OWN]]
// CHECK: %[[SUM:.*]] = "tt.reduce"(%[[LOOP]]) <{axis = 0 : i32}>
// CHECK: tt.return %[[SUM]] : f32
tt.func @scalar(%x: tensor<512xf32, #four>, %a: f32, %n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %z = arith.addf %p, %q : f32
      tt.reduce.return %z : f32
    }) : (tensor<512xf32, #four>) -> f32
    %scaled = arith.mulf %acc, %a : f32
    %next = arith.addf %scaled, %s : f32
    scf.yield %next : f32
  }
  tt.return %r : f32
}

// With another initial value: the first thread's part has it.
// CHECK-LABEL: @scalarBegun
// CHECK: %[[NUMBER:.*]] = tt.make_range {end = 128 : i32, start = 0 : i32}
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[NUMBER]]
// CHECK: %[[INIT:.*]] = arith.select %[[FIRST]], %{{.*}}, %{{.*}} : tensor<128xi1
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[INIT]])
tt.func @scalarBegun(%x: tensor<512xf32, #four>, %a: f32, %begin: f32, %n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %begin) -> (f32) : i32 {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %z = arith.addf %p, %q : f32
      tt.reduce.return %z : f32
    }) : (tensor<512xf32, #four>) -> f32
    %scaled = arith.mulf %acc, %a : f32
    %next = arith.addf %s, %scaled : f32
    scf.yield %next : f32
  }
  tt.return %r : f32
}
}
