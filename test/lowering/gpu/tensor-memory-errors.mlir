// RUN: tcc-opt --tcc-gpu-to-llvm='arch=100a' --split-input-file --verify-diagnostics %s

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {
tt.func @lanes_along_columns() {
  %memory = ttng.tmem_alloc : () -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
  // expected-error @+1 {{no instruction moves rows of tensor memory to the lanes and warps that the layout names}}
  %tile = ttng.tmem_load %memory : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #blocked>
  tt.return
}
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#scales = #ttng.tensor_memory_scales_encoding<>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {
tt.func @rows_of_scales() {
  %from = ttg.local_alloc : () -> !ttg.memdesc<128x4xi8, #shared, #smem, mutable>
  %to = ttng.tmem_alloc : () -> !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory, mutable>
  // expected-error @+2 {{copies scales in blocks of 128 rows of four, in which each 16 bytes are the scales of four rows that are 32 rows apart, and not}}
  // expected-error @+1 {{failed to legalize}}
  ttng.tmem_copy %from, %to : !ttg.memdesc<128x4xi8, #shared, #smem, mutable>, !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory, mutable>
  tt.return
}
}

// -----

#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#nvmma_t = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8}>
#scales = #ttng.tensor_memory_scales_encoding<>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {
tt.func @few_scales(%yes: i1) {
  %a = ttg.local_alloc : () -> !ttg.memdesc<128x128xi8, #nvmma, #smem, mutable>
  %b = ttg.local_alloc : () -> !ttg.memdesc<128x128xi8, #nvmma_t, #smem, mutable>
  %d = ttng.tmem_alloc : () -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
  %s = ttng.tmem_alloc : () -> !ttg.memdesc<128x2xi8, #scales, #ttng.tensor_memory, mutable>
  // expected-error @+1 {{needs a scale for 32 neighbours of 128 rows of 128 numbers, and has}}
  ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %s, %yes, %yes lhs = e4m3 rhs = e4m3 : !ttg.memdesc<128x128xi8, #nvmma, #smem, mutable>, !ttg.memdesc<128x128xi8, #nvmma_t, #smem, mutable>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x2xi8, #scales, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x2xi8, #scales, #ttng.tensor_memory, mutable>
  tt.return
}
}
