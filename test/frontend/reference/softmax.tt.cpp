// Triton's softmax_rows in C++: the operations and the dataflow of %reference_ir/softmax_1024.ttir.
//
// RUN: %raise %s | FileCheck %s
// RUN: %raise %s | %python %S/Inputs/histogram.py - %reference_ir/softmax_1024.ttir
#include <tilecc/tt.h>

template <int BLOCK> __tile_global__ void softmax_rows(const float *x, float *out, int stride, int n_cols) {
  int row = tt::program_id(0);
  auto cols = tt::arange<BLOCK>();
  auto mask = cols < n_cols;
  auto v = tt::load(x + row * stride + cols, mask, -__builtin_inff());
  v = v - tt::max<0>(v);
  auto e = tt::exp(v);
  tt::store(out + row * stride + cols, e / tt::sum<0>(e), mask);
}

template __tile_global__ void softmax_rows<1024>(const float *, float *, int, int);

// CHECK: tt.func public @{{.*}}softmax_rows{{.*}}(%[[X:.*]]: !tt.ptr<f32>, %[[OUT:.*]]: !tt.ptr<f32>, %[[STRIDE:.*]]: i32, %[[N:.*]]: i32)
// CHECK-NEXT: %[[OTHER:.*]] = arith.constant dense<0xFF800000> : tensor<1024xf32>
// CHECK-NEXT: %[[ROW:.*]] = tt.get_program_id x : i32
// CHECK-NEXT: %[[COLS:.*]] = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
// CHECK-NEXT: %[[NS:.*]] = tt.splat %[[N]] : i32 -> tensor<1024xi32>
// CHECK-NEXT: %[[MASK:.*]] = arith.cmpi slt, %[[COLS]], %[[NS]] : tensor<1024xi32>
// CHECK-NEXT: %[[OFF:.*]] = arith.muli %[[ROW]], %[[STRIDE]] : i32
// CHECK-NEXT: %[[XROW:.*]] = tt.addptr %[[X]], %[[OFF]] : !tt.ptr<f32>, i32
// CHECK-NEXT: %[[XS:.*]] = tt.splat %[[XROW]] : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
// CHECK-NEXT: %[[XP:.*]] = tt.addptr %[[XS]], %[[COLS]] : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
// CHECK-NEXT: %[[V:.*]] = tt.load %[[XP]], %[[MASK]], %[[OTHER]] : tensor<1024x!tt.ptr<f32>>
// CHECK-NEXT: %[[MAX:.*]] = "tt.reduce"(%[[V]]) <{axis = 0 : i32}> ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT:   %[[M:.*]] = arith.maxnumf %[[A]], %[[B]] : f32
// CHECK-NEXT:   tt.reduce.return %[[M]] : f32
// CHECK-NEXT: }) : (tensor<1024xf32>) -> f32
// CHECK-NEXT: %[[MAXS:.*]] = tt.splat %[[MAX]] : f32 -> tensor<1024xf32>
// CHECK-NEXT: %[[D:.*]] = arith.subf %[[V]], %[[MAXS]] : tensor<1024xf32>
// CHECK-NEXT: %[[E:.*]] = math.exp %[[D]] : tensor<1024xf32>
// CHECK-NEXT: %[[OROW:.*]] = tt.addptr %[[OUT]], %[[OFF]] : !tt.ptr<f32>, i32
// CHECK-NEXT: %[[OS:.*]] = tt.splat %[[OROW]] : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
// CHECK-NEXT: %[[OP:.*]] = tt.addptr %[[OS]], %[[COLS]] : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
// CHECK-NEXT: %[[SUM:.*]] = "tt.reduce"(%[[E]]) <{axis = 0 : i32}> ({
// CHECK-NEXT: ^bb0(%[[A2:.*]]: f32, %[[B2:.*]]: f32):
// CHECK-NEXT:   %[[S:.*]] = arith.addf %[[A2]], %[[B2]] : f32
// CHECK-NEXT:   tt.reduce.return %[[S]] : f32
// CHECK-NEXT: }) : (tensor<1024xf32>) -> f32
// CHECK-NEXT: %[[SUMS:.*]] = tt.splat %[[SUM]] : f32 -> tensor<1024xf32>
// CHECK-NEXT: %[[Q:.*]] = arith.divf %[[E]], %[[SUMS]] : tensor<1024xf32>
// CHECK-NEXT: tt.store %[[OP]], %[[Q]], %[[MASK]] : tensor<1024x!tt.ptr<f32>>
// CHECK-NEXT: tt.return
