// RUN: tcc-opt %s --triton-rewrite-tensor-descriptor-to-pointer=expand-arguments --canonicalize --cse | FileCheck %s
// A descriptor becomes an address, sizes and strides. An access becomes an access through pointers with a mask.

// CHECK-LABEL: @load(
// CHECK-SAME: %[[BASE:[a-z0-9]+]]: !tt.ptr<f32>, %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32, %[[S:[a-z0-9]+]]: i64, %[[I:[a-z0-9]+]]: i32
tt.func @load(%base: !tt.ptr<f32>, %m: i32, %n: i32, %s: i64, %i: i32, %j: i32) -> tensor<4x8xf32> {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %base, [%m, %n], [%s, %one] : <f32>, <tensor<4x8xf32>>
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<4x8xf32>
  // CHECK: %[[ADDRESS:.*]] = tt.bitcast %[[BASE]] {tt.divisibility = dense<16> : tensor<1xi32>}
  // CHECK: %[[STRIDE:.*]] = tt.bitcast %[[S]] {tt.divisibility = dense<4> : tensor<1xi32>} : i64 -> i64
  // CHECK: %[[ROW:.*]] = arith.extsi %[[I]] : i32 to i64
  // CHECK: arith.muli %[[ROW]], %[[STRIDE]] : i64
  // CHECK: %[[ROWS:.*]] = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  // CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<4xi32>
  // CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<8xi32>
  // CHECK: %[[MASK:.*]] = arith.andi %{{.*}}, %{{.*}} : tensor<4x8xi1>
  // CHECK: %[[FIRST:.*]] = tt.addptr %[[ADDRESS]], %{{.*}} : !tt.ptr<f32>, i64
  // CHECK: tt.splat %[[FIRST]]
  // CHECK: tt.load %{{.*}}, %[[MASK]], %[[ZERO]] cacheModifier = cg : tensor<4x8x!tt.ptr<f32>>
  %x = tt.descriptor_load %d[%i, %j] cacheModifier = cg : !tt.tensordesc<tensor<4x8xf32>> -> tensor<4x8xf32>
  tt.return %x : tensor<4x8xf32>
}

// CHECK-LABEL: @padding(
// CHECK: tt.load %{{.*}}, %{{.*}}, %cst{{.*}} : tensor<8x!tt.ptr<f32>>
// CHECK: tt.atomic_rmw fadd, relaxed, gpu
tt.func @padding(%base: !tt.ptr<f32>, %n: i32, %i: i32) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %base, [%n], [%one] {padding = 2 : i32} : <f32>, <tensor<8xf32>>
  %x = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
  tt.descriptor_reduce add, %d[%i], %x : !tt.tensordesc<tensor<8xf32>>, tensor<8xf32>
  tt.return
}

// A descriptor that a loop carries, and one that is selected.
// CHECK-LABEL: @carried(
// CHECK-NOT: tensordesc
// CHECK: scf.for {{.*}} -> (!tt.ptr<f32>, i32
// CHECK: tt.store
// CHECK: scf.yield %{{.*}}, %{{.*}} : !tt.ptr<f32>, i32
// CHECK-NOT: tensordesc
tt.func @carried(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %n: i32, %k: i32, %c: i1, %v: tensor<8xf32>) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tt.make_tensor_descriptor %a, [%n], [%one] : <f32>, <tensor<8xf32>>
  %y = tt.make_tensor_descriptor %b, [%k], [%one] : <f32>, <tensor<8xf32>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%d = %x) -> (!tt.tensordesc<tensor<8xf32>>) : i32 {
    tt.descriptor_store %d[%i], %v : !tt.tensordesc<tensor<8xf32>>, tensor<8xf32>
    %next = arith.select %c, %d, %y : !tt.tensordesc<tensor<8xf32>>
    scf.yield %next : !tt.tensordesc<tensor<8xf32>>
  }
  tt.return
}

// CHECK-LABEL: @rows(
// CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<4xi32>
// CHECK: %[[X:.*]] = tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8x!tt.ptr<f32>>
// CHECK: tt.store %{{.*}}, %[[X]], %{{.*}} : tensor<4x8x!tt.ptr<f32>>
tt.func @rows(%base: !tt.ptr<f32>, %m: i32, %n: i32, %s: i64, %rows: tensor<4xi32>, %j: i32) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %base, [%m, %n], [%s, %one] : <f32>, <tensor<1x8xf32>>
  %x = tt.descriptor_gather %d[%rows, %j] : (!tt.tensordesc<tensor<1x8xf32>>, tensor<4xi32>, i32) -> tensor<4x8xf32>
  tt.descriptor_scatter %d[%rows, %j], %x : !tt.tensordesc<tensor<1x8xf32>>, tensor<4xi32>, i32, tensor<4x8xf32>
  tt.return
}

// Signed integers: the comparisons use the signedness of the descriptor's elements.
// CHECK-LABEL: @signs(
// CHECK: tt.load %{{.*}} : tensor<8x!tt.ptr<i32>>
// CHECK: tt.atomic_rmw umax, relaxed, gpu
// CHECK: tt.atomic_rmw min, relaxed, gpu
tt.func @signs(%base: !tt.ptr<i32>, %n: i32, %i: i32) {
  %one = arith.constant 1 : i64
  %u = tt.make_tensor_descriptor %base, [%n], [%one] : <i32>, <tensor<8xui32>>
  %s = tt.make_tensor_descriptor %base, [%n], [%one] : <i32>, <tensor<8xsi32>>
  %x = tt.descriptor_load %u[%i] : !tt.tensordesc<tensor<8xui32>> -> tensor<8xi32>
  tt.descriptor_reduce max, %u[%i], %x : !tt.tensordesc<tensor<8xui32>>, tensor<8xi32>
  tt.descriptor_reduce min, %s[%i], %x : !tt.tensordesc<tensor<8xsi32>>, tensor<8xi32>
  tt.return
}

// Parameters: the address, sizes, strides, and whether elements outside the tensor are NaN.
// CHECK-LABEL: @given(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32, %[[D:[a-z0-9]+]]: !tt.ptr<f32>, %[[H:[a-z0-9]+]]: i64, %[[W:[a-z0-9]+]]: i64, %[[S:[a-z0-9]+]]: i64, %[[S1:[a-z0-9]+]]: i64, %[[PAD:[a-z0-9]+]]: i1, %[[I:[a-z0-9]+]]: i32)
// CHECK: arith.trunci %[[H]] : i64 to i32
// CHECK: %[[OTHER:.*]] = arith.select %[[PAD]], %{{.*}}, %{{.*}} : tensor<4x8xf32>
// CHECK: tt.load %{{.*}}, %{{.*}}, %[[OTHER]] : tensor<4x8x!tt.ptr<f32>>
tt.func @given(%n: i32, %d: !tt.tensordesc<tensor<4x8xf32>>, %i: i32) -> tensor<4x8xf32> {
  %x = tt.descriptor_load %d[%n, %i] : !tt.tensordesc<tensor<4x8xf32>> -> tensor<4x8xf32>
  tt.return %x : tensor<4x8xf32>
}
