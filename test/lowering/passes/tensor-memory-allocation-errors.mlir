// RUN: tcc-opt --triton-tensor-memory-allocation --split-input-file --verify-diagnostics %s

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 256, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {
tt.func @too_many(%i: i32) -> (!ttg.memdesc<2x128x256xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x256xf32, #tmem, #ttng.tensor_memory, mutable>) {
  // expected-error @+1 {{the kernel needs 768 columns of tensor memory, and a multiprocessor has 512; use smaller tiles}}
  %two = ttng.tmem_alloc : () -> !ttg.memdesc<2x128x256xf32, #tmem, #ttng.tensor_memory, mutable>
  // expected-note @+1 {{256 columns are used here}}
  %one = ttng.tmem_alloc : () -> !ttg.memdesc<128x256xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return %two, %one : !ttg.memdesc<2x128x256xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x256xf32, #tmem, #ttng.tensor_memory, mutable>
}
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @hopper() {
  // expected-error @+1 {{needs tensor memory, which "cuda:90" does not have; sm_100a, sm_100f}}
  %one = ttng.tmem_alloc : () -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}
}
