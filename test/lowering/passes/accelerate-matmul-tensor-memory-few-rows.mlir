// RUN: tcc-opt %s --tritongpu-accelerate-matmul | FileCheck %s

// A product of 32 rows that a loop accumulates, and that is then stored, is computed transposed: the right operand is the
// left one, with 64 rows. A product that the program computes with otherwise stays as it is.
// CHECK-LABEL: @stored
// CHECK: scf.for {{.*}} -> (tensor<64x32xf32
// CHECK-DAG: %[[B:.*]] = tt.load %arg1
// CHECK-DAG: %[[A:.*]] = tt.load %arg0
// CHECK-DAG: %[[BM:.*]] = ttg.local_alloc %[[B]]
// CHECK-DAG: %[[LEFT:.*]] = ttg.memdesc_trans %[[BM]]
// CHECK-DAG: %[[AM:.*]] = ttg.local_alloc %[[A]]
// CHECK-DAG: %[[RIGHT:.*]] = ttg.memdesc_trans %[[AM]]
// CHECK: ttng.warp_group_dot %[[LEFT]], %[[RIGHT]]
// CHECK: tt.trans
// CHECK: tt.store
// CHECK-LABEL: @reduced
// CHECK: tt.dot
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @stored(%a: tensor<32x64x!tt.ptr<f16>, #b>, %b: tensor<64x64x!tt.ptr<f16>, #b>, %c: tensor<32x64x!tt.ptr<f32>, #b>, %n: i32) {
  %zeros = arith.constant dense<0.0> : tensor<32x64xf32, #b>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %zeros) -> (tensor<32x64xf32, #b>) : i32 {
    %x = tt.load %a : tensor<32x64x!tt.ptr<f16>, #b>
    %y = tt.load %b : tensor<64x64x!tt.ptr<f16>, #b>
    %d = tt.dot %x, %y, %s : tensor<32x64xf16, #b> * tensor<64x64xf16, #b> -> tensor<32x64xf32, #b>
    scf.yield %d : tensor<32x64xf32, #b>
  }
  tt.store %c, %sum : tensor<32x64x!tt.ptr<f32>, #b>
  tt.return
}
tt.func public @reduced(%a: tensor<32x64x!tt.ptr<f16>, #b>, %b: tensor<64x64x!tt.ptr<f16>, #b>, %n: i32) -> tensor<32x64xf32, #b> {
  %zeros = arith.constant dense<0.0> : tensor<32x64xf32, #b>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %zeros) -> (tensor<32x64xf32, #b>) : i32 {
    %x = tt.load %a : tensor<32x64x!tt.ptr<f16>, #b>
    %y = tt.load %b : tensor<64x64x!tt.ptr<f16>, #b>
    %d = tt.dot %x, %y, %s : tensor<32x64xf16, #b> * tensor<64x64xf16, #b> -> tensor<32x64xf32, #b>
    scf.yield %d : tensor<32x64xf32, #b>
  }
  tt.return %sum : tensor<32x64xf32, #b>
}
}
