// RUN: tcc-opt %s --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s

// One thread initializes a barrier in memory. A barrier of all threads precedes its first use, and another one precedes
// the release of its memory. Waits and arrivals need no barriers between them.
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {
// CHECK-LABEL: @barriers
// CHECK: nvvm.elect.sync
// CHECK: "mbarrier.init.shared::cta.b64 [$0], 8;\0A\09fence.mbarrier_init.release.cluster;", "r,~{memory}"
// CHECK: nvvm.barrier
// CHECK: nvvm.bar.warp.sync
// CHECK: "@$1 mbarrier.arrive.shared::cta.b64 _, [$0], 1;", "r,b,~{memory}"
// CHECK-NOT: nvvm.barrier
// CHECK: "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];", "r,~{memory}"
// CHECK-NOT: nvvm.barrier
// CHECK: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1;
// CHECK: @!$2 bra done;
// CHECK: nvvm.barrier
// CHECK: nvvm.elect.sync
// CHECK: "mbarrier.inval.shared::cta.b64 [$0];"
tt.func public @barriers(%phase: i32, %p: i1) {
  %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.init_barrier %bar, 8 : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.arrive_barrier %bar, 1 {perWarp} : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.async_copy_mbarrier_arrive %bar {noIncrement} : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.wait_barrier %bar, %phase : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.wait_barrier %bar, %phase, %p : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  tt.return
}
}
