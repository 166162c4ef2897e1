// RUN: tcc-opt %s --triton-combine | FileCheck %s

// CHECK-LABEL: @dot_add
// CHECK-SAME: %[[A:arg0]]: {{.*}}, %[[B:arg1]]: {{.*}}, %[[C:arg2]]: tensor<16x16xf32>
// CHECK: %[[D:.*]] = tt.dot %[[A]], %[[B]], %[[C]]
// CHECK-NEXT: tt.return %[[D]]
tt.func @dot_add(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = tt.dot %a, %b, %zero : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = arith.addf %0, %c : tensor<16x16xf32>
  tt.return %1 : tensor<16x16xf32>
}

// The product is needed by itself, too.
// CHECK-LABEL: @dot_add_two_uses
// CHECK: arith.addf
tt.func @dot_add_two_uses(%a: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = tt.dot %a, %a, %zero : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = arith.addf %0, %c : tensor<16x16xf32>
  tt.return %0, %1 : tensor<16x16xf32>, tensor<16x16xf32>
}

// CHECK-LABEL: @addptr
// CHECK: %[[SUM:.*]] = arith.constant 12 : i32
// CHECK: tt.addptr %arg0, %[[SUM]]
// CHECK-NOT: tt.addptr
tt.func @addptr(%p: !tt.ptr<f32>) -> !tt.ptr<f32> {
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %0 = tt.addptr %p, %c5 : !tt.ptr<f32>, i32
  %1 = tt.addptr %0, %c7 : !tt.ptr<f32>, i32
  tt.return %1 : !tt.ptr<f32>
}

// CHECK-LABEL: @select_of_load
// CHECK: %[[ONE:.*]] = arith.constant dense<1.0{{.*}}>
// CHECK: %[[V:.*]] = tt.load %arg0, %arg1, %[[ONE]]
// CHECK-NEXT: tt.return %[[V]]
tt.func @select_of_load(%p: tensor<16x!tt.ptr<f32>>, %m: tensor<16xi1>) -> tensor<16xf32> {
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %0 = tt.load %p, %m : tensor<16x!tt.ptr<f32>>
  %1 = arith.select %m, %0, %one : tensor<16xi1>, tensor<16xf32>
  tt.return %1 : tensor<16xf32>
}

// Another mask: where it is set, what was loaded counts.
// CHECK-LABEL: @select_of_other_load
// CHECK: arith.select
tt.func @select_of_other_load(%p: tensor<16x!tt.ptr<f32>>, %m: tensor<16xi1>, %n: tensor<16xi1>) -> tensor<16xf32> {
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %0 = tt.load %p, %m : tensor<16x!tt.ptr<f32>>
  %1 = arith.select %n, %0, %one : tensor<16xi1>, tensor<16xf32>
  tt.return %1 : tensor<16xf32>
}
