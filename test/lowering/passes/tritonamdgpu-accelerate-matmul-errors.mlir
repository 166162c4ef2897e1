// RUN: split-file %s %t
// RUN: not tcc-opt %t/none.mlir --tritonamdgpu-accelerate-matmul 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tcc-opt %t/other.mlir --tritonamdgpu-accelerate-matmul 2>&1 | FileCheck %s --check-prefix=OTHER

// NONE: none.mlir:1:1: error: needs ttg.target, which names one of AMD's GPUs: hip:gfx942
// OTHER: other.mlir:1:1: error: needs ttg.target, which names one of AMD's GPUs: hip:gfx942

//--- none.mlir
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
}

//--- other.mlir
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
}
