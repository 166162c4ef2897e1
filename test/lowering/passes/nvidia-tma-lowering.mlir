// RUN: tcc-opt %s --triton-nvidia-tma-lowering --cse | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#block = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 4}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

// CHECK-LABEL: @waits
// CHECK: scf.for
// CHECK: %[[TILE:.*]] = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #{{.*}}, #smem, mutable>
// CHECK: ttng.init_barrier %[[BARRIER:.*]], 1
// CHECK: ttng.fence_async_shared
// CHECK: ttng.barrier_expect %[[BARRIER]], 8192
// CHECK: ttng.async_tma_copy_global_to_local %{{.*}}[%{{.*}}] %[[TILE]], %[[BARRIER]]
// CHECK: ttng.wait_barrier %[[BARRIER]], %{{.*}} deps %[[TILE]]
// CHECK: ttng.inval_barrier %[[BARRIER]]
// CHECK: ttng.warp_group_dot %{{.*}}, %[[TILE]]
tt.func @waits(%map: !tt.tensordesc<tensor<1x1x64x64xf16, #block>>, %n: i32, %q: !ttg.memdesc<64x64xf16, #shared, #smem>) -> tensor<64x64xf32, #mma> attributes {ttng.tensor_maps = [{}]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %x = tt.descriptor_load %map[%c0, %i, %c0, %c0] : !tt.tensordesc<tensor<1x1x64x64xf16, #block>> -> tensor<64x64xf16, #b>
    %xm = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %q, %xm, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// Tiles that a loop stores go through two slots that only the copies read: they are live until the copies have read
// them.
// CHECK-LABEL: @stores
// CHECK: %[[SLOTS:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #{{.*}}, #smem, mutable>
// CHECK: scf.for
// CHECK:   ttng.async_tma_store_tile %{{.*}}[%{{.*}}, %{{.*}}] %{{.*}} through %[[SLOTS]] {ttng.may_begin_outside}
// CHECK: }
// CHECK-NEXT: ttng.async_tma_store_wait {pendings = 0 : i32}
// CHECK-NEXT: ttg.local_dealloc %[[SLOTS]]
tt.func @stores(%map: !tt.tensordesc<tensor<64x128xf16, #shared>>, %n: i32, %tile: tensor<64x128xf16, #mma>) attributes {ttng.tensor_maps = [{}]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.descriptor_store %map[%i, %c0], %tile {ttng.may_begin_outside, ttng.root = 1 : i32} : !tt.tensordesc<tensor<64x128xf16, #shared>>, tensor<64x128xf16, #mma>
  }
  tt.return
}
}
