// RUN: %tcc-opt --triton-insert-records %s | FileCheck %s
// Records enclose loops, dots, waits and partitions, but not the code that a thread executes for single elements.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bars = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
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

// There is no record at an asynchronous dot, nor where the assembler lets a wait for dots and arithmetic pass each other:
// in @alone, it has nothing to do while it waits.
// CHECK-LABEL: @alone
tt.func public @alone(%a: !ttg.memdesc<64x64xf16, #shared, #smem>, %z: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
  // CHECK-NEXT: ttng.warp_group_dot
  // CHECK-NEXT: tt.record start "wait for dots"
  // CHECK-NEXT: ttng.warp_group_dot_wait
  // CHECK-NEXT: tt.record end "wait for dots"
  %d = ttng.warp_group_dot %a, %a, %z {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
  %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x64xf32, #mma>
  // CHECK-NEXT: tt.return
  tt.return %w : tensor<64x64xf32, #mma>
}
// CHECK-LABEL: @beside_arithmetic
// CHECK-NOT: tt.record
// CHECK: tt.return
tt.func public @beside_arithmetic(%a: !ttg.memdesc<64x64xf16, #shared, #smem>, %z: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
  %d = ttng.warp_group_dot %a, %a, %z {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
  %e = ttng.warp_group_dot %a, %a, %z {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
  %first = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<64x64xf32, #mma>
  %sum = arith.addf %first, %first : tensor<64x64xf32, #mma>
  %second = ttng.warp_group_dot_wait %e {pendings = 0 : i32} : tensor<64x64xf32, #mma>
  %all = arith.addf %sum, %second : tensor<64x64xf32, #mma>
  tt.return %all : tensor<64x64xf32, #mma>
}
// Other warps wait while these have their turn.
// CHECK-LABEL: @turn
// CHECK-NEXT: ttng.take_turn
// CHECK-NEXT: ttng.wait_barrier
// CHECK-NEXT: ttng.pass_turn
// CHECK-NEXT: tt.record start "wait at barrier"
tt.func public @turn(%bar: !ttg.memdesc<1xi64, #bars, #smem, mutable>, %phase: i32) {
  ttng.take_turn
  ttng.wait_barrier %bar, %phase : !ttg.memdesc<1xi64, #bars, #smem, mutable>
  ttng.pass_turn
  ttng.wait_barrier %bar, %phase : !ttg.memdesc<1xi64, #bars, #smem, mutable>
  tt.return
}
}
