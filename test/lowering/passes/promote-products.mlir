// RUN: tcc-opt %s --triton-promote-products | FileCheck %s

// 8-bit floats are extended to f16, and accumulated in f32.
// CHECK-LABEL: @float8
tt.func @float8(%a: tensor<16x16xf8E4M3FN>, %b: tensor<16x16xf8E5M2>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // CHECK: %[[A:.*]] = tt.fp_to_fp %arg0 : tensor<16x16xf8E4M3FN> -> tensor<16x16xf16>
  // CHECK: %[[B:.*]] = tt.fp_to_fp %arg1 : tensor<16x16xf8E5M2> -> tensor<16x16xf16>
  // CHECK: %[[D:.*]] = tt.dot %[[A]], %[[B]], %arg2 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  // CHECK: tt.return %[[D]]
  %d = tt.dot %a, %b, %c : tensor<16x16xf8E4M3FN> * tensor<16x16xf8E5M2> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// An accumulator of 16 bits is rounded once, at the end.
// CHECK-LABEL: @narrow
tt.func @narrow(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xbf16>) -> tensor<16x16xbf16> {
  // CHECK: %[[C:.*]] = arith.extf %arg2 : tensor<16x16xbf16> to tensor<16x16xf32>
  // CHECK: %[[D:.*]] = tt.dot %arg0, %arg1, %[[C]] : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  // CHECK: %[[R:.*]] = arith.truncf %[[D]] : tensor<16x16xf32> to tensor<16x16xbf16>
  // CHECK: tt.return %[[R]]
  %d = tt.dot %a, %b, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xbf16>
  tt.return %d : tensor<16x16xbf16>
}

// Everything else stays as it is.
// CHECK-LABEL: @others
tt.func @others(%a: tensor<16x16xi8>, %b: tensor<16x16xi8>, %c: tensor<16x16xi32>) -> tensor<16x16xi32> {
  // CHECK-NEXT: %[[D:.*]] = tt.dot %arg0, %arg1, %arg2
  // CHECK-NEXT: tt.return %[[D]]
  %d = tt.dot %a, %b, %c : tensor<16x16xi8> * tensor<16x16xi8> -> tensor<16x16xi32>
  tt.return %d : tensor<16x16xi32>
}
