// RUN: tcc-opt %s --tritongpu-specialize-loops | FileCheck %s
// In clusters, producer warps may execute loads of memory that other blocks load as well, unless the kernel stores to
// that memory. Only the program's own warps wait for stores of another block.

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

// CHECK-LABEL: tt.func @elsewhere
// CHECK: tt.store
// CHECK: ttg.warp_specialize
tt.func @elsewhere(%q: !ttg.memdesc<128x64xf16, #shared, #smem>, %p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %o: !tt.ptr<f16>, %x: f16) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %block = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %ptr = tt.addptr %ps, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  tt.store %o, %x : !tt.ptr<f16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %t = tt.load %ptr {ttg.shared_by_blocks} : tensor<64x64x!tt.ptr<f16>, #b>
    %m = ttg.local_alloc %t : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %m, %acc : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    scf.yield %s : tensor<128x64xf32, #mma>
  } {tt.warp_specialize = true}
  tt.return %r : tensor<128x64xf32, #mma>
}

// CHECK-LABEL: tt.func @there
// CHECK: tt.store
// CHECK-NOT: ttg.warp_specialize
tt.func @there(%q: !ttg.memdesc<128x64xf16, #shared, #smem>, %p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %o: !tt.ptr<f16>, %x: f16) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %block = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %ptr = tt.addptr %ps, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  tt.store %p, %x : !tt.ptr<f16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %t = tt.load %ptr {ttg.shared_by_blocks} : tensor<64x64x!tt.ptr<f16>, #b>
    %m = ttg.local_alloc %t : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %m, %acc : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    scf.yield %s : tensor<128x64xf32, #mma>
  } {tt.warp_specialize = true}
  tt.return %r : tensor<128x64xf32, #mma>
}
}
