// RUN: tcc-opt %s --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s

#d = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#l = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #d}>
#b = #ttg.dot_op<{opIdx = 1, parent = #d}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Each thread has four elements of the result, for four steps of the contracted axis.
// CHECK-LABEL: llvm.func @registers
// CHECK-NOT: nvvm.barrier0
// CHECK-COUNT-16: llvm.intr.fma(
// CHECK-NOT: llvm.intr.fma(
// CHECK: llvm.return
tt.func public @registers(%p: !tt.ptr<f32>, %x: f32, %y: f32) {
  %av = tt.splat %x : f32 -> tensor<32x4xf32, #a>
  %bv = tt.splat %y : f32 -> tensor<4x16xf32, #b>
  %c = arith.constant dense<0.0> : tensor<32x16xf32, #d>
  %r = tt.dot %av, %bv, %c : tensor<32x4xf32, #a> * tensor<4x16xf32, #b> -> tensor<32x16xf32, #d>
  %t = tt.splat %p : !tt.ptr<f32> -> tensor<32x16x!tt.ptr<f32>, #d>
  tt.store %t, %r : tensor<32x16x!tt.ptr<f32>, #d>
  tt.return
}

// CHECK-LABEL: llvm.func @integers
// CHECK: llvm.mul
// CHECK: llvm.add
tt.func public @integers(%p: !tt.ptr<i32>, %x: i32) {
  %av = tt.splat %x : i32 -> tensor<32x4xi32, #a>
  %bv = tt.splat %x : i32 -> tensor<4x16xi32, #b>
  %c = arith.constant dense<0> : tensor<32x16xi32, #d>
  %r = tt.dot %av, %bv, %c : tensor<32x4xi32, #a> * tensor<4x16xi32, #b> -> tensor<32x16xi32, #d>
  %t = tt.splat %p : !tt.ptr<i32> -> tensor<32x16x!tt.ptr<i32>, #d>
  tt.store %t, %r : tensor<32x16x!tt.ptr<i32>, #d>
  tt.return
}

// Through shared memory: both operands are written, there is one barrier, and a loop reads what each step needs. Halves
// are extended only when they are used.
// CHECK-LABEL: llvm.func @staged
// CHECK: llvm.store %{{.*}} : vector<8xf16>, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.cond_br
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<{{[0-9]+}}xf16>
// CHECK: llvm.fpext %{{.*}} : f16 to f32
// CHECK: llvm.intr.fma(
// CHECK: llvm.br
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @staged(%p: !tt.ptr<f32>, %x: f16) {
  %av = tt.splat %x : f16 -> tensor<32x512xf16, #l>
  %bv = tt.splat %x : f16 -> tensor<512x32xf16, #l>
  %c = arith.constant dense<0.0> : tensor<32x32xf32, #d>
  %r = tt.dot %av, %bv, %c : tensor<32x512xf16, #l> * tensor<512x32xf16, #l> -> tensor<32x32xf32, #d>
  %t = tt.splat %p : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #d>
  tt.store %t, %r : tensor<32x32x!tt.ptr<f32>, #d>
  tt.return
}
}
