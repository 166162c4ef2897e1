// RUN: tcc-opt %s --tritongpu-lower-control-flow --allocate-shared-memory --tritongpu-membar | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// The operands of a dot in flight may be overwritten after a wait for the dot and a barrier. A wait for all dots but
// one retires the older of two: x may then be written, y only behind the second wait.
// CHECK-LABEL: @retired
// CHECK: ttg.local_alloc
// CHECK: ttg.local_alloc
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttng.warp_group_dot
// CHECK-NEXT: ttng.warp_group_dot
// CHECK-NEXT: ttng.warp_group_dot_wait
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttg.local_store
// CHECK-NEXT: ttng.warp_group_dot_wait
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttg.local_store
// CHECK-NEXT: tt.return
tt.func public @retired(%v: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #mma>) {
  %x = ttg.local_alloc %v : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %y = ttg.local_alloc %v : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %d = ttng.warp_group_dot %x, %x, %c {isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
  %e = ttng.warp_group_dot %y, %y, %d {isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
  %f = ttng.warp_group_dot_wait %e {pendings = 1 : i32} : tensor<64x64xf32, #mma>
  ttg.local_store %v, %x : tensor<64x64xf16, #b> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %h = ttng.warp_group_dot_wait %f {pendings = 0 : i32} : tensor<64x64xf32, #mma>
  ttg.local_store %v, %y : tensor<64x64xf16, #b> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  tt.return
}

// A dot that is waited for immediately is a read like any other.
// CHECK-LABEL: @waited
// CHECK: ttg.local_alloc
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttng.warp_group_dot
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttg.local_store
tt.func public @waited(%v: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #mma>) {
  %x = ttg.local_alloc %v : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %d = ttng.warp_group_dot %x, %x, %c : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
  ttg.local_store %v, %x : tensor<64x64xf16, #b> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  tt.return
}

// Tiles that are copied to a tensor, whose slots the operation orders itself: there is a barrier behind earlier reads
// of that memory by others, none between tiles, and one in front of the next user of the memory, once the copies have
// read it.
// CHECK-LABEL: @stored
// CHECK: ttg.local_load
// CHECK: ttg.local_barrier
// CHECK-NEXT: ttng.async_tma_store_tile
// CHECK-NEXT: ttng.async_tma_store_tile
// CHECK-NEXT: ttng.async_tma_store_wait
// CHECK-NEXT: ttg.local_dealloc
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttg.local_alloc
tt.func public @stored(%map: !tt.tensordesc<tensor<64x64xf16, #shared>>, %v: tensor<64x64xf16, #b>, %tile: tensor<64x64xf16, #mma>, %i: i32) -> tensor<64x64xf16, #b> {
  %x = ttg.local_alloc %v : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %y = ttg.local_load %x : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #b>
  ttg.local_dealloc %x : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %slots = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
  ttng.async_tma_store_tile %map[%i, %i] %tile through %slots : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #mma>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
  ttng.async_tma_store_tile %map[%i, %i] %tile through %slots : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #mma>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
  ttng.async_tma_store_wait {pendings = 0 : i32}
  ttg.local_dealloc %slots : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
  %z = ttg.local_alloc %y : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %w = ttg.local_load %z : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #b>
  tt.return %w : tensor<64x64xf16, #b>
}

// One thread arrives for all threads when a tile has been read; it must not do so before all of them have read it. If
// the arrival names the tiles, whoever created it has ensured that.
// CHECK-LABEL: @tell
// CHECK: ttg.local_load
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttng.arrive_barrier
// CHECK: ttg.local_load
// CHECK-NEXT: ttng.arrive_barrier
tt.func public @tell(%tile: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %empty: !ttg.memdesc<1xi64, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #smem, mutable>) -> (tensor<64x64xf16, #b>, tensor<64x64xf16, #b>) {
  %x = ttg.local_load %tile : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #b>
  ttng.arrive_barrier %empty, 1 : !ttg.memdesc<1xi64, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #smem, mutable>
  %y = ttg.local_load %tile : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #b>
  ttng.arrive_barrier %empty, 1 read %tile : !ttg.memdesc<1xi64, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  tt.return %x, %y : tensor<64x64xf16, #b>, tensor<64x64xf16, #b>
}
}
