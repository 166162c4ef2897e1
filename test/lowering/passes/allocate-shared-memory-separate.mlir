// While it is little, every operation has shared memory of its own, and no barriers are needed between operations.
// RUN: tcc-opt %s --tritongpu-lower-control-flow --allocate-shared-memory --tritongpu-membar | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// CHECK: module attributes {{.*}}ttg.shared = 32 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// In the loop each reduction waits for the other one's barrier.
// CHECK-LABEL: @two_reductions
// CHECK-NOT: local_barrier
// CHECK: allocation.offset = 0 : i32
// CHECK-NOT: local_barrier
// CHECK: allocation.offset = 16 : i32
// CHECK-NOT: local_barrier
// CHECK: tt.return
tt.func public @two_reductions(%x: tensor<512xf32, #b>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<512xf32, #b>) : i32 {
    %0 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %z = arith.addf %l, %r : f32
      tt.reduce.return %z : f32
    }) : (tensor<512xf32, #b>) -> f32
    %s = tt.splat %0 : f32 -> tensor<512xf32, #b>
    %u = arith.subf %t, %s : tensor<512xf32, #b>
    %1 = "tt.reduce"(%u) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %z = arith.maxnumf %l, %r : f32
      tt.reduce.return %z : f32
    }) : (tensor<512xf32, #b>) -> f32
    %v = tt.splat %1 : f32 -> tensor<512xf32, #b>
    scf.yield %v : tensor<512xf32, #b>
  }
  tt.return
}
}
