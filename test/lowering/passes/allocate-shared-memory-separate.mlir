// Buffers that are accessed without a barrier in between do not overlap, if that takes little memory.
// RUN: tcc-opt %s --tritongpu-lower-control-flow --allocate-shared-memory --tritongpu-membar | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>

// CHECK: module attributes {{.*}}ttg.shared = 32768 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// In the loop, each reduction relies on the other one's barrier.
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

// Two buffers are enough for a sequence of any length: the second one's barrier lies between the first and the third.
// CHECK-LABEL: @in_turn
// CHECK-NOT: local_barrier
// CHECK: allocation.offset = 0 : i32
// CHECK-NOT: local_barrier
// CHECK: allocation.offset = 1024 : i32
// CHECK-NOT: local_barrier
// CHECK: allocation.offset = 0 : i32
// CHECK-NOT: local_barrier
// CHECK: tt.return
tt.func public @in_turn(%x: tensor<16x32xf16, #rows>) {
  %0 = ttg.convert_layout %x : tensor<16x32xf16, #rows> -> tensor<16x32xf16, #columns>
  %1 = ttg.convert_layout %x : tensor<16x32xf16, #rows> -> tensor<16x32xf16, #columns>
  %2 = ttg.convert_layout %x : tensor<16x32xf16, #rows> -> tensor<16x32xf16, #columns>
  tt.return
}

// Twice 16 KiB, more than 16 bytes per thread, is too much memory for saving a barrier that is executed once.
// CHECK-LABEL: @once
// CHECK: ttg.convert_layout {{.*}} {allocation.offset = 0 : i32}
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttg.convert_layout {{.*}} {allocation.offset = 0 : i32}
tt.func public @once(%x: tensor<64x64xf32, #rows>) {
  %0 = ttg.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
  %1 = ttg.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
  tt.return
}

// In a loop they save two barriers in each iteration. The buffer behind the loop conflicts only with the second.
// CHECK-LABEL: @repeatedly
// CHECK-NOT: local_barrier
// CHECK: ttg.convert_layout {{.*}} {allocation.offset = 0 : i32}
// CHECK-NEXT: ttg.convert_layout {{.*}} {allocation.offset = 16384 : i32}
// CHECK-NOT: local_barrier
// CHECK: ttg.convert_layout {{.*}} {allocation.offset = 0 : i32}
// CHECK-NEXT: tt.return
tt.func public @repeatedly(%x: tensor<64x64xf32, #rows>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = ttg.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %1 = ttg.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
  }
  %2 = ttg.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
  tt.return
}

// A conversion that alone needs more than 64 bytes per thread goes in two rounds, if layouts allow it.
// CHECK-LABEL: @rounds
// CHECK-NEXT: ttg.convert_layout {{.*}} {allocation.bytes_of_round = 16384 : i32, allocation.offset = 0 : i32}
tt.func public @rounds(%x: tensor<64x64xf64, #rows>) {
  %0 = ttg.convert_layout %x : tensor<64x64xf64, #rows> -> tensor<64x64xf64, #columns>
  tt.return
}

// In a loop, it does not, because barriers cost more there.
// CHECK-LABEL: @no_rounds
// CHECK: ttg.convert_layout {{.*}} {allocation.offset = 0 : i32}
tt.func public @no_rounds(%x: tensor<64x64xf64, #rows>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = ttg.convert_layout %x : tensor<64x64xf64, #rows> -> tensor<64x64xf64, #columns>
  }
  tt.return
}
}
