// RUN: tcc-opt %s | tcc-opt | FileCheck %s
// Block pointers and scaled dots are parsed and printed in Triton's syntax.

// CHECK-LABEL: @block_pointers(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !tt.ptr<f16>
tt.func @block_pointers(%a: !tt.ptr<f16>, %m: i64, %n: i64, %s: i64, %i: i32) -> tensor<32x64xf16> {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  // CHECK: %[[P:.*]] = tt.make_tensor_ptr %[[A]], [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] {order = array<i32: 1, 0>} : <tensor<32x64xf16>>
  %p = tt.make_tensor_ptr %a, [%m, %n], [%s, %one], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xf16>>
  // CHECK: %[[Q:.*]] = tt.advance %[[P]], [%{{.*}}, %{{.*}}] : <tensor<32x64xf16>>
  %q = tt.advance %p, [%c0, %i] : <tensor<32x64xf16>>
  // CHECK: %[[X:.*]] = tt.load %[[Q]] {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<32x64xf16>>
  %x = tt.load %q {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<32x64xf16>>
  // CHECK: tt.store %[[P]], %[[X]] {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<32x64xf16>>
  tt.store %p, %x {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<32x64xf16>>
  // CHECK: tt.load %[[P]] cacheModifier = cg : !tt.ptr<tensor<32x64xf16>>
  %y = tt.load %p cacheModifier = cg : !tt.ptr<tensor<32x64xf16>>
  tt.return %y : tensor<32x64xf16>
}

// CHECK-LABEL: @scaled(
tt.func @scaled(%a: tensor<64x32xi8>, %as: tensor<64x2xi8>, %b: tensor<64x64xf8E4M3FN>, %bs: tensor<64x2xi8>, %c: tensor<64x64xf32>, %h: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<64x32xi8>, tensor<64x2xi8> * tensor<64x64xf8E4M3FN>, tensor<64x2xi8> -> tensor<64x64xf32>
  %d = tt.dot_scaled %a scale %as, %b scale %bs, %c lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<64x32xi8>, tensor<64x2xi8> * tensor<64x64xf8E4M3FN>, tensor<64x2xi8> -> tensor<64x64xf32>
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} lhs = e2m1 rhs = bf16 {fastMath = true} : tensor<64x32xi8>, tensor<64x2xi8> * tensor<64x64xbf16> -> tensor<64x64xf32>
  %e = tt.dot_scaled %a scale %as, %h, %d lhs = e2m1 rhs = bf16 {fastMath = true} : tensor<64x32xi8>, tensor<64x2xi8> * tensor<64x64xbf16> -> tensor<64x64xf32>
  tt.return %e : tensor<64x64xf32>
}
