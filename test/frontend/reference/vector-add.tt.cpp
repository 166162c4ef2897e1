// Triton's vector_add in C++: the operations and the dataflow of %reference_ir/vector_add.ttir.
//
// RUN: %raise %s | FileCheck %s
// RUN: %raise %s | %python %S/Inputs/histogram.py - %reference_ir/vector_add.ttir
#include <tilecc/tt.h>

template <int BLOCK> __tile_global__ void vector_add(const float *x, const float *y, float *out, int n) {
  auto offs = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto mask = offs < n;
  auto a = tt::load(x + offs, mask);
  auto b = tt::load(y + offs, mask);
  tt::store(out + offs, a + b, mask);
}

void run(float *x, int n) { vector_add<1024><<<tt::cdiv(n, 1024)>>>(x, x, x, n); }

// CHECK: tt.func public @_Z10vector_addILi1024EEvPKfS1_Pfi(%[[X:.*]]: !tt.ptr<f32>, %[[Y:.*]]: !tt.ptr<f32>, %[[OUT:.*]]: !tt.ptr<f32>, %[[N:.*]]: i32) attributes {noinline = false} {
// CHECK-NEXT: %[[BLOCK:.*]] = arith.constant 1024 : i32
// CHECK-NEXT: %[[PID:.*]] = tt.get_program_id x : i32
// CHECK-NEXT: %[[START:.*]] = arith.muli %[[PID]], %[[BLOCK]] : i32
// CHECK-NEXT: %[[RANGE:.*]] = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
// CHECK-NEXT: %[[STARTS:.*]] = tt.splat %[[START]] : i32 -> tensor<1024xi32>
// CHECK-NEXT: %[[OFFS:.*]] = arith.addi %[[STARTS]], %[[RANGE]] : tensor<1024xi32>
// CHECK-NEXT: %[[NS:.*]] = tt.splat %[[N]] : i32 -> tensor<1024xi32>
// CHECK-NEXT: %[[MASK:.*]] = arith.cmpi slt, %[[OFFS]], %[[NS]] : tensor<1024xi32>
// CHECK-NEXT: %[[XS:.*]] = tt.splat %[[X]] : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
// CHECK-NEXT: %[[XP:.*]] = tt.addptr %[[XS]], %[[OFFS]] : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
// CHECK-NEXT: %[[A:.*]] = tt.load %[[XP]], %[[MASK]] : tensor<1024x!tt.ptr<f32>>
// CHECK-NEXT: %[[YS:.*]] = tt.splat %[[Y]] : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
// CHECK-NEXT: %[[YP:.*]] = tt.addptr %[[YS]], %[[OFFS]] : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
// CHECK-NEXT: %[[B:.*]] = tt.load %[[YP]], %[[MASK]] : tensor<1024x!tt.ptr<f32>>
// CHECK-NEXT: %[[OS:.*]] = tt.splat %[[OUT]] : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
// CHECK-NEXT: %[[OP:.*]] = tt.addptr %[[OS]], %[[OFFS]] : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[B]] : tensor<1024xf32>
// CHECK-NEXT: tt.store %[[OP]], %[[SUM]], %[[MASK]] : tensor<1024x!tt.ptr<f32>>
// CHECK-NEXT: tt.return
