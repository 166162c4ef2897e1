// RUN: tcc-opt %s --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s

// A program on several thread blocks is a cluster: program_id is the number of the cluster.
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// A launcher of the PTX need not know the size of clusters.
// CHECK-LABEL: @program
// CHECK-SAME: nvvm.cluster_dim = array<i32: 4, 1, 1>
// CHECK: nvvm.read.ptx.sreg.clusterid.x
// CHECK: nvvm.read.ptx.sreg.nclusterid.x
// CHECK: nvvm.read.ptx.sreg.ctaid.y
// CHECK: nvvm.read.ptx.sreg.cluster.ctarank
tt.func public @program(%p: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  %n = tt.get_num_programs x : i32
  %y = tt.get_program_id y : i32
  %r = ttng.block_rank : i32
  %a = arith.addi %x, %n : i32
  %c = arith.addi %a, %y : i32
  %d = arith.addi %c, %r : i32
  tt.store %p, %d : !tt.ptr<i32>
  tt.return
}

// Each block writes its part to its own shared memory in wide accesses and all blocks wait. Each reads the elements
// that it needs from their blocks, and all wait again before the memory is reused or a block ends.
// CHECK-LABEL: @exchange
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK: nvvm.cluster.wait {aligned}
// CHECK: nvvm.mapa {{.*}} : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<7> -> vector<4xf32>
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK: nvvm.cluster.wait {aligned}
tt.func public @exchange(%p: !tt.ptr<f32>) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #b>
  %v = tt.load %s : tensor<512x!tt.ptr<f32>, #b>
  %all = ttng.redistribute %v [0, 0] to [0, -1] : tensor<512xf32, #b> -> tensor<1024xf32, #b>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #b>
  tt.store %q, %all : tensor<1024x!tt.ptr<f32>, #b>
  tt.return
}

// A small exchange that is executed once has memory of its own: its blocks wait once more, before they end. In a loop,
// and if it is large, they wait twice each time.
// CHECK-LABEL: @small
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK: nvvm.cluster.wait {aligned}
// CHECK-NOT: nvvm.cluster
// CHECK: llvm.load {{.*}} !llvm.ptr<7>
// CHECK-NOT: nvvm.cluster
// CHECK: nvvm.cluster.arrive.relaxed {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK-NEXT: llvm.return
tt.func public @small(%p: !tt.ptr<f32>) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<1x!tt.ptr<f32>, #one>
  %v = tt.load %s : tensor<1x!tt.ptr<f32>, #one>
  %all = ttng.redistribute %v [0, 0] to [-1, -1] : tensor<1xf32, #one> -> tensor<4xf32, #one>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>, #one>
  tt.store %q, %all : tensor<4x!tt.ptr<f32>, #one>
  tt.return
}

// CHECK-LABEL: @in_loop
// CHECK-COUNT-2: nvvm.cluster.wait {aligned}
// CHECK-NOT: nvvm.cluster
// CHECK: llvm.return
tt.func public @in_loop(%p: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<1x!tt.ptr<f32>, #one>
  %v = tt.load %s : tensor<1x!tt.ptr<f32>, #one>
  cf.br ^head(%c0 : i32)
^head(%i: i32):
  %all = ttng.redistribute %v [-2, -1] to [-1, -1] : tensor<1xf32, #one> -> tensor<1xf32, #one>
  %next = arith.addi %i, %c1 : i32
  %more = arith.cmpi slt, %next, %n : i32
  cf.cond_br %more, ^head(%next : i32), ^end
^end:
  tt.return
}
}
