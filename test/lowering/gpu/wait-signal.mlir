// Waits for signals: one thread polls each signal, and a barrier follows.
// RUN: tcc-opt %s --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s
// RUN: sed 's/cuda:80/hip:gfx942/; s/"ttg.threads-per-warp" = 32/"ttg.threads-per-warp" = 64/; s/threadsPerWarp = \[32\]/threadsPerWarp = [64]/' %s | tcc-opt --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s --check-prefix=AMD

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// The first thread acts for the program.
// CHECK-LABEL: llvm.func @one
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
// CHECK: llvm.cond_br %[[FIRST]], ^[[POLL:.*]], ^[[DONE:.*]]
// CHECK: %[[SEEN:.*]] = llvm.inline_asm has_side_effects {{.*}}"ld.acquire.sys.global.u32 $0, [$1];\0A\09//@ awaits.global.ge.u32 [$1], $0, $2;", "=&r,l,r,~{memory}" %[[SIGNAL:.*]], %[[WANTED:.*]] :
// CHECK: %[[DISTANCE:.*]] = llvm.sub %[[SEEN]], %[[WANTED]]
// CHECK: %[[MISSING:.*]] = llvm.icmp "slt" %[[DISTANCE]],
// CHECK: llvm.cond_br %[[MISSING]],
// CHECK: nvvm.barrier0
// CHECK-NOT: barrier
// CHECK: llvm.return
// AMD-LABEL: @one(
// AMD: llvm.atomicrmw _or {{.*}} acquire
tt.func public @one(%p: !tt.ptr<i32>, %n: i32) {
  tt.wait_signal %p, %n : !tt.ptr<i32>
  tt.return
}

// Each signal of a tile is polled by one of the four threads that hold it, where the mask is true.
// CHECK-LABEL: llvm.func @tile
// CHECK-COUNT-1: ld.acquire.sys
// CHECK-NOT: ld.acquire.sys
// CHECK: nvvm.barrier0
// CHECK: llvm.return
tt.func public @tile(%p: !tt.ptr<i32>, %n: i32) {
  %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #line>
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #line>
  %a = tt.addptr %s, %i : tensor<32x!tt.ptr<i32>, #line>, tensor<32xi32, #line>
  %v = tt.splat %n : i32 -> tensor<32xi32, #line>
  %m = arith.cmpi slt, %i, %v : tensor<32xi32, #line>
  tt.wait_signal %a, %v, %m : tensor<32x!tt.ptr<i32>, #line>
  tt.return
}

// The barrier also orders what the program has stored before the wait.
// CHECK-LABEL: llvm.func @order
// CHECK: st.global
// CHECK-NOT: barrier
// CHECK: ld.acquire.sys
// CHECK: nvvm.barrier0
// CHECK-NOT: barrier
// CHECK: llvm.load
tt.func public @order(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %r: !tt.ptr<i32>, %n: i32) {
  tt.store %q, %n : !tt.ptr<i32>
  tt.wait_signal %p, %n : !tt.ptr<i32>
  %v = tt.load %q : !tt.ptr<i32>
  tt.store %r, %v : !tt.ptr<i32>
  tt.return
}
}
