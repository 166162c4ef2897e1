// On AMD's GPUs, a barrier for shared memory leaves accesses to global memory in flight. gpu.barrier separates those,
// and a barrier for shared memory does not replace it. NVIDIA's GPUs have one barrier for both.
// RUN: tcc-opt %s --split-input-file --tritongpu-lower-control-flow --allocate-shared-memory --tritongpu-membar | FileCheck %s

#l = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
// CHECK-LABEL: @amd
// CHECK: tt.load
// CHECK: ttg.local_store
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttg.local_load
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tt.store %arg0
tt.func public @amd(%p: !tt.ptr<f32>, %t: tensor<256xf32, #l>) -> tensor<256xf32, #l> {
  %x = tt.load %p : !tt.ptr<f32>
  %m = ttg.local_alloc : () -> !ttg.memdesc<256xf32, #s, #smem, mutable>
  ttg.local_store %t, %m : tensor<256xf32, #l> -> !ttg.memdesc<256xf32, #s, #smem, mutable>
  %u = ttg.local_load %m : !ttg.memdesc<256xf32, #s, #smem, mutable> -> tensor<256xf32, #l>
  tt.store %p, %x : !tt.ptr<f32>
  tt.return %u : tensor<256xf32, #l>
}
}

// -----

#l = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @nvidia
// CHECK: tt.load
// CHECK: ttg.local_store
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttg.local_load
// CHECK-NEXT: tt.store %arg0
tt.func public @nvidia(%p: !tt.ptr<f32>, %t: tensor<256xf32, #l>) -> tensor<256xf32, #l> {
  %x = tt.load %p : !tt.ptr<f32>
  %m = ttg.local_alloc : () -> !ttg.memdesc<256xf32, #s, #smem, mutable>
  ttg.local_store %t, %m : tensor<256xf32, #l> -> !ttg.memdesc<256xf32, #s, #smem, mutable>
  %u = ttg.local_load %m : !ttg.memdesc<256xf32, #s, #smem, mutable> -> tensor<256xf32, #l>
  tt.store %p, %x : !tt.ptr<f32>
  tt.return %u : tensor<256xf32, #l>
}
}
