// RUN: tcc-opt %s --tritongpu-pipeline --canonicalize --cse | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

// Two warp groups compute with a dot's result and are not kept in step. Every thread arrives at a slot's barrier with
// its copies, and every warp when it has read the slot. The slot that is refilled was released an iteration ago. Behind
// the loop, the code waits for copies of iterations that do not exist.
// CHECK-LABEL: @computes
// CHECK: %[[TILES:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
// CHECK: %[[FULL:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64
// CHECK-COUNT-3: ttng.init_barrier %{{.*}}, 256
// CHECK: %[[EMPTY:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64
// CHECK-COUNT-3: ttng.init_barrier %{{.*}}, 8
// CHECK-COUNT-2: ttng.async_copy_mbarrier_arrive %{{.*}} {noIncrement}
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[BEFORE:[^ ]*]] = %c2_i32, %[[OLD:[^ ]*]] = %c1_i32)
// CHECK:   %[[SLOT:.*]] = arith.select
// CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[SLOT]], %c0_i32
// CHECK:   %[[FLIP:.*]] = arith.extui %[[FIRST]]
// CHECK:   %[[PHASE:.*]] = arith.xori %[[OLD]], %[[FLIP]]
// CHECK:   %[[TILE:.*]] = ttg.memdesc_index %[[TILES]][%[[SLOT]]]
// CHECK:   %[[BAR:.*]] = ttg.memdesc_index %[[FULL]][%[[SLOT]]]
// CHECK:   ttng.wait_barrier %[[BAR]], %[[PHASE]] deps %[[TILE]]
// CHECK:   ttng.warp_group_dot %{{.*}}, %[[TILE]]
// CHECK:   %[[FREED:.*]] = ttg.memdesc_index %[[EMPTY]][%[[SLOT]]]
// CHECK:   ttng.arrive_barrier %[[FREED]], 1 read %{{.*}} {perWarp}
// CHECK:   %[[NEXT:.*]] = ttg.memdesc_index %[[TILES]][%[[BEFORE]]]
// CHECK:   %[[FREE:.*]] = ttg.memdesc_index %[[EMPTY]][%[[BEFORE]]]
// CHECK:   ttng.wait_barrier %[[FREE]], %[[OLD]] deps %[[NEXT]]
// CHECK:   ttg.async_copy_global_to_local %{{.*}}, %[[NEXT]]
// CHECK:   %[[FILLED:.*]] = ttg.memdesc_index %[[FULL]][%[[BEFORE]]]
// CHECK:   ttng.async_copy_mbarrier_arrive %[[FILLED]] {noIncrement}
// CHECK:   scf.yield %{{.*}}, %[[SLOT]], %[[PHASE]]
// CHECK-COUNT-2: ttng.wait_barrier
// CHECK-COUNT-6: ttng.inval_barrier
tt.func @computes(%q: !ttg.memdesc<128x64xf16, #shared, #smem>, %p: tensor<64x64x!tt.ptr<f16>, #b> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[1, 64]> : tensor<2xi32>}, %n: i32) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %t = tt.load %p {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<64x64x!tt.ptr<f16>, #b>
    %s = ttg.local_alloc %t {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %q, %s, %zero {loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    %e = arith.addf %acc, %d {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x64xf32, #mma>
    scf.yield %e : tensor<128x64xf32, #mma>
  } {tt.scheduled_max_stage = 2 : i32}
  tt.return %r : tensor<128x64xf32, #mma>
}
}
