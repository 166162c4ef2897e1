// RUN: tcc-opt %s --triton-decompose-scaled-dot | FileCheck %s
// Scaled operands are converted to bf16, or to f16 if one operand is f16, and multiplied by tt.dot.

// CHECK-LABEL: @pairs(
// CHECK: %[[PAIRS:.*]] = tt.join %{{.*}}, %{{.*}} : tensor<16x32xbf16> -> tensor<16x32x2xbf16>
// CHECK: %[[LEFT:.*]] = tt.reshape %[[PAIRS]] : tensor<16x32x2xbf16> -> tensor<16x64xbf16>
// CHECK: arith.extui %{{.*}} : tensor<16x2xi8> to tensor<16x2xi16>
// CHECK: %[[SPREAD:.*]] = tt.broadcast %{{.*}} : tensor<16x2x1xbf16> -> tensor<16x2x32xbf16>
// CHECK: %[[SCALES:.*]] = tt.reshape %[[SPREAD]] : tensor<16x2x32xbf16> -> tensor<16x64xbf16>
// CHECK: %[[SCALED:.*]] = arith.mulf %[[LEFT]], %[[SCALES]] : tensor<16x64xbf16>
// CHECK: arith.cmpi eq, %{{.*}}, %{{.*}} : tensor<16x2xi8>
// CHECK: %[[A:.*]] = arith.select %{{.*}}, %{{.*}}, %[[SCALED]] : tensor<16x64xi1>, tensor<16x64xbf16>
// CHECK: %[[RIGHT:.*]] = tt.fp_to_fp %{{.*}} : tensor<64x16xf8E4M3FN> -> tensor<64x16xbf16>
// CHECK: %[[TURNED:.*]] = tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<16x64xbf16> -> tensor<64x16xbf16>
// CHECK: arith.mulf %[[RIGHT]], %[[TURNED]]
// CHECK: tt.dot %[[A]], %{{.*}}, %{{.*}} : tensor<16x64xbf16> * tensor<64x16xbf16> -> tensor<16x16xf32>
tt.func @pairs(%a: tensor<16x32xi8>, %as: tensor<16x2xi8>, %b: tensor<64x16xf8E4M3FN>, %bs: tensor<16x2xi8>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a scale %as, %b scale %bs, %c lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<16x32xi8>, tensor<16x2xi8> * tensor<64x16xf8E4M3FN>, tensor<16x2xi8> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// CHECK-LABEL: @halves(
// CHECK: tt.bitcast %{{.*}} : tensor<16x64xi8> -> tensor<16x64xf8E5M2>
// CHECK: tt.fp_to_fp %{{.*}} : tensor<16x64xf8E5M2> -> tensor<16x64xf16>
// CHECK: arith.truncf %{{.*}} : tensor<16x2xf32> to tensor<16x2xf16>
// CHECK-NOT: arith.select %{{.*}} : tensor<16x64xi1>
// CHECK: tt.dot %{{.*}} : tensor<16x64xf16> * tensor<64x16xf16> -> tensor<16x16xf32>
tt.func @halves(%a: tensor<16x64xi8>, %as: tensor<16x2xi8>, %b: tensor<64x16xf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a scale %as, %b, %c lhs = e5m2 rhs = fp16 {fastMath = true} : tensor<16x64xi8>, tensor<16x2xi8> * tensor<64x16xf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// Scales for 16 numbers are floats, whose NaN needs no selection.
// CHECK-LABEL: @small_blocks(
// CHECK: %[[SCALES:.*]] = tt.fp_to_fp %{{.*}} : tensor<16x4xf8E4M3FN> -> tensor<16x4xbf16>
// CHECK: tt.broadcast %{{.*}} : tensor<16x4x1xbf16> -> tensor<16x4x16xbf16>
// CHECK-NOT: arith.select %{{.*}} : tensor<16x64xi1>
// CHECK: tt.dot %{{.*}} : tensor<16x64xbf16> * tensor<64x16xbf16> -> tensor<16x16xf32>
tt.func @small_blocks(%a: tensor<16x32xi8>, %as: tensor<16x4xf8E4M3FN>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a scale %as, %b, %c lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<16x32xi8>, tensor<16x4xf8E4M3FN> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
