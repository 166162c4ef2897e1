// RUN: tcc-opt %s --convert-triton-to-tritongpu="target=cuda:90 num-warps=4" | FileCheck %s

// Default layouts have one element per thread and the last axis fastest, with as many lanes and warps along that axis
// as fit.
// CHECK-DAG: [[ROWS:#.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: [[TALL:#.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: [[FULL:#.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: [[DOT:#.*]] = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32}

// The operand of expand_dims has a slice of the result's layout; a broadcast keeps the layout of its operand.
// CHECK-LABEL: @shapes
tt.func public @shapes(%p: !tt.ptr<i32>) {
  // CHECK: %[[R:.*]] = tt.make_range {{.*}} : tensor<128xi32, [[ROWS]]>
  %0 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  // CHECK: %[[S:.*]] = ttg.convert_layout %[[R]] : tensor<128xi32, [[ROWS]]> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = [[TALL]]}>>
  // CHECK: %[[E:.*]] = tt.expand_dims %[[S]] {axis = 1 : i32} : {{.*}} -> tensor<128x1xi32, [[TALL]]>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  // CHECK: %[[B:.*]] = tt.broadcast %[[E]] : tensor<128x1xi32, [[TALL]]> -> tensor<128x16xi32, [[TALL]]>
  // CHECK: ttg.convert_layout %[[B]] : tensor<128x16xi32, [[TALL]]> -> tensor<128x16xi32, [[FULL]]>
  %2 = tt.broadcast %1 : tensor<128x1xi32> -> tensor<128x16xi32>
  %3 = tt.splat %p : !tt.ptr<i32> -> tensor<128x16x!tt.ptr<i32>>
  %4 = tt.addptr %3, %2 : tensor<128x16x!tt.ptr<i32>>, tensor<128x16xi32>
  tt.store %4, %2 : tensor<128x16x!tt.ptr<i32>>
  tt.return
}

// CHECK-LABEL: @reduce
tt.func public @reduce(%x: tensor<128x16xf32>) -> tensor<128xf32> {
  // CHECK: }) : (tensor<128x16xf32, [[FULL]]>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = [[FULL]]}>>
  // CHECK: ttg.convert_layout %{{.*}} -> tensor<128xf32, [[ROWS]]>
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    tt.reduce.return %1 : f32
  }) : (tensor<128x16xf32>) -> tensor<128xf32>
  tt.return %0 : tensor<128xf32>
}

// Threads of a dot hold blocks of 4x4, and whole rows and columns of its operands.
// CHECK-LABEL: @dot
tt.func public @dot(%a: tensor<64x16xf32>, %b: tensor<16x64xf32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: scf.for {{.*}} -> (tensor<64x64xf32, [[BIG:#.*]]>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    // CHECK: tt.dot {{.*}} : tensor<64x16xf32, #ttg.dot_op<{opIdx = 0, parent = [[DOT]]}>> * tensor<16x64xf32, #ttg.dot_op<{opIdx = 1, parent = [[DOT]]}>> -> tensor<64x64xf32, [[DOT]]>
    %d = tt.dot %a, %b, %acc : tensor<64x16xf32> * tensor<16x64xf32> -> tensor<64x64xf32>
    // CHECK: scf.yield %{{.*}} : tensor<64x64xf32, [[BIG]]>
    scf.yield %d : tensor<64x64xf32>
  }
  tt.return
}
