// A scan combines registers, then lanes, then warps. Each level uses the totals of the previous level.
// RUN: tcc-opt %s --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#lanes = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#warps = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// A row is in one thread: one addition for each element but the first, in sequence.
// CHECK-LABEL: llvm.func @in_thread
// CHECK: %[[A:.*]] = llvm.fadd
// CHECK: %[[B:.*]] = llvm.fadd %[[A]],
// CHECK: llvm.fadd %[[B]],
// CHECK-NOT: llvm.fadd
// CHECK-NOT: nvvm.shfl
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @in_thread(%p: !tt.ptr<f32>) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x4x!tt.ptr<f32>, #rows>
  %v = tt.load %s : tensor<128x4x!tt.ptr<f32>, #rows>
  %r = "tt.scan"(%v) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%l: f32, %m: f32):
    %z = arith.addf %l, %m : f32
    tt.scan.return %z : f32
  }) : (tensor<128x4xf32, #rows>) -> tensor<128x4xf32, #rows>
  tt.store %s, %r : tensor<128x4x!tt.ptr<f32>, #rows>
  tt.return
}

// Eight lanes with two chunks of two elements: a thread's total goes through three steps and to the next lane; the
// total of the first chunk goes to all lanes.
// CHECK-LABEL: llvm.func @in_warp
// CHECK-COUNT-9: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @in_warp(%p: !tt.ptr<f32>) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #lanes>
  %v = tt.load %s : tensor<16x32x!tt.ptr<f32>, #lanes>
  %r = "tt.scan"(%v) <{axis = 1 : i32, reverse = true}> ({
  ^bb0(%l: f32, %m: f32):
    %z = arith.mulf %l, %m : f32
    tt.scan.return %z : f32
  }) : (tensor<16x32xf32, #lanes>) -> tensor<16x32xf32, #lanes>
  tt.store %s, %r : tensor<16x32x!tt.ptr<f32>, #lanes>
  tt.return
}

// All warps: the last lane of each writes its total, there is one barrier, and all read four totals of both chunks.
// CHECK-LABEL: llvm.func @in_program
// CHECK-COUNT-12: nvvm.shfl.sync idx
// CHECK-COUNT-2: llvm.inline_asm has_side_effects {{.*}}st.shared.b32
// CHECK: nvvm.barrier0
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @in_program(%p: !tt.ptr<i32>) {
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #warps>
  %v = tt.load %s : tensor<256x!tt.ptr<i32>, #warps>
  %r = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%l: i32, %m: i32):
    %z = arith.addi %l, %m : i32
    tt.scan.return %z : i32
  }) : (tensor<256xi32, #warps>) -> tensor<256xi32, #warps>
  tt.store %s, %r : tensor<256x!tt.ptr<i32>, #warps>
  tt.return
}
}
