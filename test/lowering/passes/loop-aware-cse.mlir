// RUN: tcc-opt %s --triton-loop-aware-cse --canonicalize | FileCheck %s

// Loop-carried values with equal initial values and equal steps are merged, also if they exchange their values.
// CHECK-LABEL: @twice
// CHECK: scf.for %{{.*}} iter_args(%[[A:.*]] = %arg1, %[[C:.*]] = %arg2) -> (i32, i32)
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[A]], %[[A]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[C]], %[[SUM]]
// CHECK-NEXT: scf.yield %[[SUM]], %[[NEXT]]
tt.func @twice(%n: i32, %x: i32, %y: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %y) -> (i32, i32, i32) : i32 {
    %s = arith.addi %a, %b : i32
    %t = arith.addi %b, %a : i32
    %u = arith.addi %b, %b : i32
    %v = arith.addi %a, %a : i32
    %w = arith.addi %c, %u : i32
    scf.yield %v, %u, %w : i32, i32, i32
  }
  tt.return %r#0, %r#1, %r#2 : i32, i32, i32
}

// Values with other steps, other initial values, or loaded values are not merged, nor are values that depend on them.
// CHECK-LABEL: @apart
// CHECK: scf.for {{.*}} -> (i32, i32, i32, i32, i32, i32)
tt.func @apart(%n: i32, %x: i32, %y: i32, %p: !tt.ptr<i32>) -> (i32, i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %y, %d = %y, %e = %c0, %f = %c0) -> (i32, i32, i32, i32, i32, i32) : i32 {
    %s = arith.addi %a, %c1 : i32
    %t = arith.addi %b, %i : i32
    %u = arith.addi %c, %a : i32
    %v = arith.addi %d, %b : i32
    %l = tt.load %p {isVolatile = true} : !tt.ptr<i32>
    %m = tt.load %p {isVolatile = true} : !tt.ptr<i32>
    scf.yield %s, %t, %u, %v, %l, %m : i32, i32, i32, i32, i32, i32
  }
  tt.return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : i32, i32, i32, i32, i32, i32
}
