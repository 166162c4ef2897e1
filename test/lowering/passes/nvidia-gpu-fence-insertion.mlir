// RUN: tcc-opt %s --triton-nvidia-gpu-fence-insertion | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// There is a fence behind stores by threads to an operand of a dot, but not behind asynchronous copies that have
// arrived, nor behind stores that only threads read.
// CHECK-LABEL: @product
// CHECK: ttg.local_alloc %arg1
// CHECK-NEXT: ttng.fence_async_shared {bCluster = false}
// CHECK: ttg.async_wait
// CHECK-NOT: ttng.fence
// CHECK: ttng.warp_group_dot
// CHECK-NEXT: ttg.local_alloc
// CHECK-NEXT: ttg.local_load
tt.func public @product(%p: tensor<64x64x!tt.ptr<f16>, #b>, %x: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #mma>) {
  %a = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %t = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #b> -> <64x64xf16, #shared, #smem, mutable>
  %g = ttg.async_commit_group tokens %t
  %w = ttg.async_wait %g {num = 0 : i32}
  %d = ttng.warp_group_dot %a, %m, %c : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
  %o = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %l = ttg.local_load %o : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #b>
  tt.store %p, %l : tensor<64x64x!tt.ptr<f16>, #b>
  tt.return
}

// If masked elements are not zero, threads store them.
// CHECK-LABEL: @other
// CHECK: ttg.async_wait
// CHECK-NEXT: ttng.fence_async_shared {bCluster = false}
// CHECK-NEXT: ttng.warp_group_dot
tt.func public @other(%p: tensor<64x64x!tt.ptr<f16>, #b>, %k: tensor<64x64xi1, #b>, %x: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #mma>) {
  %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %t = ttg.async_copy_global_to_local %p, %m mask %k other %x : tensor<64x64x!tt.ptr<f16>, #b> -> <64x64xf16, #shared, #smem, mutable>
  %g = ttg.async_commit_group tokens %t
  %w = ttg.async_wait %g {num = 0 : i32}
  %d = ttng.warp_group_dot %m, %m, %c : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
  tt.return
}

// No matrix unit reads shared memory here.
// CHECK-LABEL: @none
// CHECK-NOT: ttng.fence
tt.func public @none(%p: tensor<64x64x!tt.ptr<f16>, #b>, %x: tensor<64x64xf16, #b>) {
  %o = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %l = ttg.local_load %o : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #b>
  tt.store %p, %l : tensor<64x64x!tt.ptr<f16>, #b>
  tt.return
}
}
