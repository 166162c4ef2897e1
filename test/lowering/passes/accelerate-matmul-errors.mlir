// RUN: split-file %s %t
// RUN: not tcc-opt %t/none.mlir --tritongpu-accelerate-matmul 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tcc-opt %t/old.mlir --tritongpu-accelerate-matmul 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not tcc-opt %t/unknown.mlir --tritongpu-accelerate-matmul 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// NONE: none.mlir:1:1: error: needs ttg.target
// OLD: old.mlir:1:1: error: sm_75 is not supported: sm_80 is the oldest
// UNKNOWN: unknown.mlir:1:1: error: there is no GPU target 'abacus:1'

//--- none.mlir
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
}

//--- old.mlir
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:75", "ttg.threads-per-warp" = 32 : i32} {
}

//--- unknown.mlir
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "abacus:1", "ttg.threads-per-warp" = 32 : i32} {
}
