// RUN: split-file %s %t
// RUN: not tcc-opt %t/none.mlir --tritonintelgpu-accelerate-matmul 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tcc-opt %t/other.mlir --tritonintelgpu-accelerate-matmul 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not tcc-opt %t/rows.mlir 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not tcc-opt %t/warps.mlir 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: not tcc-opt %t/width.mlir 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not tcc-opt %t/unit.mlir --convert-triton-gpu-to-llvm 2>&1 | FileCheck %s --check-prefix=UNIT

// NONE: none.mlir:1:1: error: needs ttg.target, which names a target of SPIR-V: spirv:intel
// OTHER: other.mlir:1:1: error: needs ttg.target, which names a target of SPIR-V: spirv:intel
// ROWS: error: repeatCount must be 1, 2, 4 or 8, not 16
// WARPS: error: warpsPerCTA must be powers of two, and this has 3
// WIDTH: error: kWidth must be 1 or 2, not 4
// UNIT: error: 'tt.dot' op is encoded for a matrix unit, which cannot compute it on this target

//--- none.mlir
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
}

//--- other.mlir
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
}

//--- rows.mlir
#mma = #ttig.dpas<{repeatCount = 16, warpsPerCTA = [2, 2]}>

//--- warps.mlir
#mma = #ttig.dpas<{repeatCount = 8, warpsPerCTA = [3, 1]}>

//--- width.mlir
#mma = #ttig.dpas<{repeatCount = 8, warpsPerCTA = [2, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>

//--- unit.mlir
#mma = #ttig.dpas<{repeatCount = 8, warpsPerCTA = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.shared = 0 : i32, ttg.target = "spirv:intel", "ttg.threads-per-warp" = 16 : i32} {
tt.func public @floats(%p: !tt.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<16x16xf32, #a>
  %b = arith.constant dense<1.0> : tensor<16x16xf32, #b>
  %c = arith.constant dense<0.0> : tensor<16x16xf32, #mma>
  %d = tt.dot %a, %b, %c : tensor<16x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<16x16xf32, #mma>
  tt.return
}
}
