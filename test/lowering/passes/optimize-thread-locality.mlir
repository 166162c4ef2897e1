// RUN: tcc-opt %s --tritongpu-optimize-thread-locality | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#one = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.slice<{dim = 1, parent = #b}>
#out = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Row sums: in the loop, each thread that shares a row has a partial result; one reduction follows behind it. The
// initial value counts once.
// CHECK: #[[B:.*]] = #ttg.linear<{register = {{\[\[}}0, 0, 1], [0, 0, 2]], lane = {{\[\[}}0, 1, 0], [0, 2, 0], [0, 4, 0], [1, 0, 0], [2, 0, 0]],
// CHECK-LABEL: @rows
// CHECK: %[[ZERO:.*]] = arith.constant dense<-0.000000e+00> : tensor<16x8xf32, #ttg.slice<{dim = 2, parent = #[[B]]}>>
// CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[P:.*]] = %[[ZERO]]) -> (tensor<16x8xf32, #ttg.slice<{dim = 2, parent = #[[B]]}>>)
// CHECK: %[[X:.*]] = tt.load
// CHECK: %[[RUNS:.*]] = tt.reshape %[[X]] : tensor<16x32xf32, #{{.*}}> -> tensor<16x8x4xf32, #[[B]]>
// CHECK: %[[OWN:.*]] = "tt.reduce"(%[[RUNS]]) <{axis = 2 : i32}>
// CHECK: %[[N:.*]] = arith.addf %[[P]], %[[OWN]] : tensor<16x8xf32
// CHECK-NOT: tt.reduce"
// CHECK: scf.yield %[[N]]
// CHECK: "tt.reduce"(%[[LOOP]]) <{axis = 1 : i32}>
// CHECK: %[[R:.*]] = ttg.convert_layout
// CHECK: arith.addf %{{.*}}, %[[R]] : tensor<16xf32
tt.func @rows(%p: tensor<16x32x!tt.ptr<f32>, #b>, %init: tensor<16xf32, #out>, %o: tensor<16x!tt.ptr<f32>, #out>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (tensor<16xf32, #out>) : i32 {
    %x = tt.load %p : tensor<16x32x!tt.ptr<f32>, #b>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %z = arith.addf %a, %b : f32
      tt.reduce.return %z : f32
    }) : (tensor<16x32xf32, #b>) -> tensor<16xf32, #rows>
    %t = ttg.convert_layout %s : tensor<16xf32, #rows> -> tensor<16xf32, #out>
    %next = arith.addf %acc, %t : tensor<16xf32, #out>
    scf.yield %next : tensor<16xf32, #out>
  }
  tt.store %o, %r : tensor<16x!tt.ptr<f32>, #out>
  tt.return
}

// A scalar; a maximum that ignores NaN.
// CHECK-LABEL: @scalar
// CHECK: arith.constant dense<0x7FC00000> : tensor<128xf32
// CHECK: scf.for
// CHECK: "tt.reduce"(%{{.*}}) <{axis = 1 : i32}>
// CHECK: arith.maxnumf %{{.*}}, %{{.*}} : tensor<128xf32
// CHECK: scf.yield
// CHECK: %[[R:.*]] = "tt.reduce"
// CHECK: arith.maxnumf %{{.*}}, %[[R]] : f32
tt.func @scalar(%p: tensor<512x!tt.ptr<f32>, #one>, %init: f32, %o: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (f32) : i32 {
    %x = tt.load %p : tensor<512x!tt.ptr<f32>, #one>
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %z = arith.maxnumf %a, %b : f32
      tt.reduce.return %z : f32
    }) : (tensor<512xf32, #one>) -> f32
    %next = arith.maxnumf %s, %acc : f32
    scf.yield %next : f32
  }
  tt.store %o, %r : !tt.ptr<f32>
  tt.return
}

// Unchanged: the sum is used in the loop; another operation accumulates; the operation has no identity.
// CHECK-LABEL: @others
// CHECK-COUNT-3: tt.reduce"
// CHECK: scf.yield
// CHECK-NOT: tt.reduce"
tt.func @others(%p: tensor<16x32x!tt.ptr<i32>, #b>, %init: tensor<16xi32, #rows>, %o: tensor<16x!tt.ptr<i32>, #rows>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a0 = %init, %a1 = %init, %a2 = %init) -> (tensor<16xi32, #rows>, tensor<16xi32, #rows>, tensor<16xi32, #rows>) : i32 {
    %x = tt.load %p : tensor<16x32x!tt.ptr<i32>, #b>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %z = arith.addi %a, %b : i32
      tt.reduce.return %z : i32
    }) : (tensor<16x32xi32, #b>) -> tensor<16xi32, #rows>
    %n0 = arith.addi %a0, %s : tensor<16xi32, #rows>
    tt.store %o, %s : tensor<16x!tt.ptr<i32>, #rows>
    %t = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %z = arith.addi %a, %b : i32
      tt.reduce.return %z : i32
    }) : (tensor<16x32xi32, #b>) -> tensor<16xi32, #rows>
    %n1 = arith.maxsi %a1, %t : tensor<16xi32, #rows>
    %u = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %z = arith.subi %a, %b : i32
      tt.reduce.return %z : i32
    }) : (tensor<16x32xi32, #b>) -> tensor<16xi32, #rows>
    %n2 = arith.subi %a2, %u : tensor<16xi32, #rows>
    scf.yield %n0, %n1, %n2 : tensor<16xi32, #rows>, tensor<16xi32, #rows>, tensor<16xi32, #rows>
  }
  tt.store %o, %r#0 : tensor<16x!tt.ptr<i32>, #rows>
  tt.store %o, %r#1 : tensor<16x!tt.ptr<i32>, #rows>
  tt.store %o, %r#2 : tensor<16x!tt.ptr<i32>, #rows>
  tt.return
}
}
