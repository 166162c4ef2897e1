// RUN: tcc-opt %s --tritongpu-reorder-instructions | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#d = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// The operand of the product is converted right before it; the conversion for the store, whose result takes no more
// registers than its source, stays where it is.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @f
// CHECK: ttg.convert_layout %arg0 : {{.*}} -> tensor<64x64xf32, #blocked1>
// CHECK-NEXT: math.exp
// CHECK-NEXT: ttg.convert_layout %arg0 : {{.*}} -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0
// CHECK-NEXT: tt.dot
tt.func @f(%a: tensor<64x64xf32, #b>, %b: tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #d}>>, %c: tensor<64x64xf32, #d>) -> (tensor<64x64xf32, #d>, tensor<64x64xf32, #d>) {
  %0 = ttg.convert_layout %a : tensor<64x64xf32, #b> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #d}>>
  %1 = ttg.convert_layout %a : tensor<64x64xf32, #b> -> tensor<64x64xf32, #d>
  %2 = math.exp %1 : tensor<64x64xf32, #d>
  %3 = tt.dot %0, %b, %c : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #d}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #d}>> -> tensor<64x64xf32, #d>
  tt.return %2, %3 : tensor<64x64xf32, #d>, tensor<64x64xf32, #d>
}
}
