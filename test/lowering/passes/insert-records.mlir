// RUN: %tcc-opt --triton-insert-records %s | FileCheck %s
// Loops, dots, waits and partitions are enclosed by records; what a thread does for its elements is not.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @loop
tt.func public @loop(%x: tensor<32x32xf32, #a>, %y: tensor<32x32xf32, #b>, %z: tensor<32x32xf32, #blocked>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: tt.record start "loop"
  // CHECK-NEXT: scf.for
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> tensor<32x32xf32, #blocked> : i32 {
    // CHECK-NEXT: tt.record start "wait for copies"
    // CHECK-NEXT: ttg.async_wait
    // CHECK-NEXT: tt.record end "wait for copies"
    ttg.async_wait {num = 0 : i32}
    // CHECK-NEXT: tt.record start "dot"
    // CHECK-NEXT: tt.dot
    // CHECK-NEXT: tt.record end "dot"
    %d = tt.dot %x, %y, %acc : tensor<32x32xf32, #a> * tensor<32x32xf32, #b> -> tensor<32x32xf32, #blocked>
    scf.yield %d : tensor<32x32xf32, #blocked>
  }
  // CHECK: }
  // CHECK-NEXT: tt.record end "loop"
  // A function on elements has no records.
  // CHECK-NEXT: tt.map_elementwise
  // CHECK-NOT: tt.record
  // CHECK: tt.return
  %m = "tt.map_elementwise"(%r) <{pack = 1 : i32}> ({
  ^bb0(%e: f32):
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %e) -> f32 : i32 {
      %t = arith.addf %acc, %acc : f32
      scf.yield %t : f32
    }
    tt.map_elementwise.return %s : f32
  }) : (tensor<32x32xf32, #blocked>) -> tensor<32x32xf32, #blocked>
  tt.return
}

// CHECK-LABEL: @partitions
tt.func public @partitions() {
  // CHECK: ttg.warp_specialize
  // CHECK: partition0
  // CHECK-NEXT: tt.record start "partition 0"
  // CHECK-NEXT: tt.record end "partition 0"
  // CHECK-NEXT: ttg.warp_return
  ttg.warp_specialize()
  default {
    ttg.warp_yield
  }
  partition0() num_warps(4) {
    ttg.warp_return
  } : () -> ()
  tt.return
}
}
