// RUN: tcc-opt --triton-tensor-memory-allocation %s | FileCheck %s

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#left = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {

// Two accumulators of 128 columns that are live at the same time, and pairs of bf16 in 32 columns: 288 of 512 columns.
// One allocation, which is released where the kernel ends.
// CHECK: ttg.tensor_memory_size = 512 : i32
// CHECK: tt.func @together
// CHECK: %[[BASE:.*]] = ttng.reserve_tensor_memory {columns = 512 : i32} : i32
// CHECK: ttng.tmem_alloc in %[[BASE]] {tensor_memory_col_offset = 0 : i32} : () -> !ttg.memdesc<2x128x128xf32
// CHECK: ttng.tmem_alloc in %[[BASE]] {tensor_memory_col_offset = 256 : i32} : () -> !ttg.memdesc<128x64xbf16
// CHECK: ttng.release_tensor_memory %[[BASE]] {columns = 512 : i32} : i32
// CHECK-NEXT: tt.return
tt.func @together(%i: i32) -> (tensor<128x128xf32, #linear>, !ttg.memdesc<128x64xbf16, #left, #ttng.tensor_memory, mutable>) {
  %accumulators = ttng.tmem_alloc : () -> !ttg.memdesc<2x128x128xf32, #tmem, #ttng.tensor_memory, mutable>
  %left = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xbf16, #left, #ttng.tensor_memory, mutable>
  %one = ttg.memdesc_index %accumulators[%i] : !ttg.memdesc<2x128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
  %tile = ttng.tmem_load %one : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
  tt.return %tile, %left : tensor<128x128xf32, #linear>, !ttg.memdesc<128x64xbf16, #left, #ttng.tensor_memory, mutable>
}
}

