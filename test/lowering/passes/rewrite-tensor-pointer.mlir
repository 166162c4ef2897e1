// RUN: tcc-opt %s --triton-rewrite-tensor-pointer --canonicalize --cse | FileCheck %s
// A block pointer becomes an address, sizes, strides and offsets. An access becomes an access through pointers, with a
// mask along the axes that it checks.

// CHECK-LABEL: @load(
// CHECK-SAME: %[[BASE:[a-z0-9]+]]: !tt.ptr<f32>, %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32, %[[S:[a-z0-9]+]]: i64, %[[I:[a-z0-9]+]]: i32
tt.func @load(%base: !tt.ptr<f32>, %m: i32, %n: i32, %s: i64, %i: i32, %j: i32) -> tensor<4x8xf32> {
  %one = arith.constant 1 : i64
  %rows = arith.extsi %m : i32 to i64
  %columns = arith.extsi %n : i32 to i64
  // CHECK-DAG: %[[NAN:.*]] = arith.constant dense<0x7FC00000> : tensor<4x8xf32>
  // CHECK: %[[ROW:.*]] = arith.extsi %[[I]] : i32 to i64
  // CHECK: arith.muli %[[ROW]], %[[S]] : i64
  // Extended sizes are compared in their original type.
  // CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<4xi32>
  // CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<8xi32>
  // CHECK: %[[MASK:.*]] = arith.andi %{{.*}}, %{{.*}} : tensor<4x8xi1>
  // CHECK: %[[FIRST:.*]] = tt.addptr %[[BASE]], %{{.*}} : !tt.ptr<f32>, i64
  // CHECK: tt.splat %[[FIRST]]
  // CHECK: tt.load %{{.*}}, %[[MASK]], %[[NAN]] evictionPolicy = evict_first : tensor<4x8x!tt.ptr<f32>>
  %p = tt.make_tensor_ptr %base, [%rows, %columns], [%s, %one], [%i, %j] {order = array<i32: 1, 0>} : <tensor<4x8xf32>>
  %x = tt.load %p evictionPolicy = evict_first {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<4x8xf32>>
  tt.return %x : tensor<4x8xf32>
}

// The loop does not carry values that it does not change, and axes that are not checked have no mask.
// CHECK-LABEL: @carried(
// CHECK: scf.for {{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}) -> (i32)
// CHECK-NOT: arith.cmpi
// CHECK: %[[X:.*]] = tt.load %{{[^,]*}} : tensor<8x!tt.ptr<f32>>
// CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<8xi64>
// CHECK: tt.store %{{.*}}, %[[X]], %{{.*}} : tensor<8x!tt.ptr<f32>>
// CHECK: scf.yield %{{[^,]*}} : i32
tt.func @carried(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %n: i64, %m: i32) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %p = tt.make_tensor_ptr %a, [%n], [%one], [%c0] {order = array<i32: 0>} : <tensor<8xf32>>
  %q = tt.make_tensor_ptr %b, [%n], [%one], [%c0] {order = array<i32: 0>} : <tensor<8xf32>>
  %last = scf.for %i = %c0 to %m step %c8 iter_args(%r = %p) -> (!tt.ptr<tensor<8xf32>>) : i32 {
    %x = tt.load %r : !tt.ptr<tensor<8xf32>>
    tt.store %q, %x {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8xf32>>
    %next = tt.advance %r, [%c8] : <tensor<8xf32>>
    scf.yield %next : !tt.ptr<tensor<8xf32>>
  }
  tt.return
}

// CHECK-LABEL: @selected(
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : !tt.ptr<f32>
// CHECK-NOT: tensor_ptr
tt.func @selected(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %n: i64, %c: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %p = tt.make_tensor_ptr %a, [%n], [%n], [%c0] {order = array<i32: 0>} : <tensor<8xf32>>
  %q = tt.make_tensor_ptr %b, [%n], [%n], [%c0] {order = array<i32: 0>} : <tensor<8xf32>>
  %r = arith.select %c, %p, %q : !tt.ptr<tensor<8xf32>>
  %x = tt.load %r : !tt.ptr<tensor<8xf32>>
  tt.return %x : tensor<8xf32>
}

// A function of another source has no body.
// CHECK: tt.func private @elsewhere(i32)
tt.func private @elsewhere(i32)
