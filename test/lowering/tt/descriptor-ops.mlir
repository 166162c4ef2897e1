// RUN: tcc-opt %s | FileCheck %s
// RUN: tcc-opt %s | tcc-opt | FileCheck %s
// Descriptors are parsed and printed in Triton's syntax.

// CHECK-LABEL: @access(
// CHECK-SAME: %[[HOST:[a-z0-9]+]]: !tt.tensordesc<tensor<64x64xf16>>)
tt.func @access(%a: !tt.ptr<f16>, %n: i32, %s: i64, %rows: tensor<32xi32>, %host: !tt.tensordesc<tensor<64x64xf16>>) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  // CHECK: %[[D:.*]] = tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : <f16>, <tensor<64x64xf16>>
  %d = tt.make_tensor_descriptor %a, [%n, %n], [%s, %one] : <f16>, <tensor<64x64xf16>>
  // CHECK: tt.make_tensor_descriptor {{.*}} {padding = 2 : i32} : <f16>, <tensor<1x64xf16>>
  %r = tt.make_tensor_descriptor %a, [%n, %n], [%s, %one] {padding = 2 : i32} : <f16>, <tensor<1x64xf16>>
  // CHECK: %[[X:.*]] = tt.descriptor_load %[[D]][%{{.*}}, %{{.*}}] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
  %x = tt.descriptor_load %d[%n, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
  // CHECK: tt.descriptor_store %[[HOST]][%{{.*}}, %{{.*}}], %[[X]] : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.descriptor_store %host[%n, %c0], %x : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  // CHECK: tt.descriptor_reduce add, %[[D]][%{{.*}}, %{{.*}}], %[[X]] : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.descriptor_reduce add, %d[%n, %c0], %x : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  // CHECK: tt.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  %g = tt.descriptor_gather %r[%rows, %n] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  // CHECK: tt.descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<32x64xf16>
  tt.descriptor_scatter %r[%rows, %n], %g : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<32x64xf16>
  tt.return
}

// Only the descriptor has the signedness of integers.
// CHECK-LABEL: @signs(
tt.func @signs(%a: !tt.ptr<i8>, %s: !tt.tensordesc<tensor<64x64xsi16>>, %n: i32, %t: i64) {
  %one = arith.constant 1 : i64
  // CHECK: tt.make_tensor_descriptor %{{.*}} : <i8>, <tensor<64x64xui8>>
  %d = tt.make_tensor_descriptor %a, [%n, %n], [%t, %one] : <i8>, <tensor<64x64xui8>>
  // CHECK: tt.descriptor_load %{{.*}} : !tt.tensordesc<tensor<64x64xui8>> -> tensor<64x64xi8>
  %x = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<64x64xui8>> -> tensor<64x64xi8>
  // CHECK: tt.descriptor_load %{{.*}} : !tt.tensordesc<tensor<64x64xsi16>> -> tensor<64x64xi16>
  %y = tt.descriptor_load %s[%n, %n] : !tt.tensordesc<tensor<64x64xsi16>> -> tensor<64x64xi16>
  // CHECK: tt.descriptor_store %{{.*}} : !tt.tensordesc<tensor<64x64xsi16>>, tensor<64x64xi16>
  tt.descriptor_store %s[%n, %n], %y : !tt.tensordesc<tensor<64x64xsi16>>, tensor<64x64xi16>
  tt.return
}
