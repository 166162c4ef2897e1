// Invariant values are hoisted. If a loop only reads memory, its invariant loads are hoisted, too, and execute only if
// the loop has an iteration.
// RUN: tcc-opt %s --triton-licm | FileCheck %s

// CHECK-LABEL: @reads
// CHECK: [[SUM:%.*]] = arith.addi
// CHECK: [[ANY:%.*]] = arith.cmpi slt, %{{.*}}, %arg1 : i32
// CHECK: [[ALL:%.*]] = tt.splat [[ANY]] : i1 -> tensor<128xi1>
// CHECK: [[MASK:%.*]] = arith.andi %arg2, [[ALL]]
// CHECK: tt.load %arg0, [[MASK]] : tensor<128x!tt.ptr<f32>>
// CHECK: tt.load
// CHECK: scf.for
// CHECK-NOT: tt.load
// CHECK: scf.yield
tt.func @reads(%p: tensor<128x!tt.ptr<f32>>, %n: i32, %m: tensor<128xi1>) -> tensor<128xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (tensor<128xf32>) : i32 {
    %s = arith.addi %n, %n : i32
    %t = tt.splat %s : i32 -> tensor<128xi32>
    %q = tt.addptr %p, %t : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %v = tt.load %p, %m : tensor<128x!tt.ptr<f32>>
    %w = tt.load %q : tensor<128x!tt.ptr<f32>>
    %x = arith.addf %a, %v : tensor<128xf32>
    %y = arith.addf %x, %w : tensor<128xf32>
    scf.yield %y : tensor<128xf32>
  }
  tt.return %r : tensor<128xf32>
}

// CHECK-LABEL: @writes
// CHECK: scf.for
// CHECK: tt.load
// CHECK: tt.store
// CHECK: scf.for
// CHECK: tt.load
tt.func @writes(%p: tensor<128x!tt.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %v = tt.load %p : tensor<128x!tt.ptr<f32>>
    %w = arith.addf %v, %v : tensor<128xf32>
    tt.store %p, %w : tensor<128x!tt.ptr<f32>>
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    %v = tt.load %p {isVolatile = true} : tensor<128x!tt.ptr<f32>>
  }
  tt.return
}
