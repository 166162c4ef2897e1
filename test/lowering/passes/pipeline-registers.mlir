// On targets without asynchronous copies, tiles pass through registers. The loads for later iterations start at the
// beginning of an iteration, in a branch that tests whether these iterations exist. At the end, the tiles of the next
// iteration are stored.
// RUN: tcc-opt %s --tritongpu-pipeline | FileCheck %s
// RUN: tcc-opt %s --tritongpu-pipeline=more-slots=false | FileCheck %s --check-prefix=ONE

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
#x = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#y = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {

// One iteration ahead. Two programs with two slots each fit into shared memory, so there are two slots; they may have
// only one.
// CHECK-LABEL: @product
// CHECK: %[[FIRST:.*]] = scf.if
// CHECK:   tt.load
// CHECK: } else {
// CHECK:   ub.poison
// CHECK: %[[TILES:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x64x32xf16, #{{.*}}, #smem, mutable>
// CHECK: %[[SLOT:.*]] = ttg.memdesc_index %[[TILES]][%c0_i32{{.*}}]
// CHECK: ttg.local_store %[[FIRST]], %[[SLOT]]
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[BEFORE:.*]] = %{{.*}}) -> (tensor<64x64xf32, #mma>, i32)
// CHECK:   %[[NUMBER:.*]] = arith.select
// CHECK:   %[[NOW:.*]] = ttg.memdesc_index %[[TILES]][%[[NUMBER]]]
// CHECK:   %[[NEXT:.*]] = scf.if
// CHECK:     tt.load
// CHECK:   } else {
// CHECK:   tt.load
// CHECK:   ttg.local_load %[[NOW]] {{.*}} -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0
// CHECK:   tt.dot
// CHECK:   %[[OTHER:.*]] = ttg.memdesc_index %[[TILES]][%[[BEFORE]]]
// CHECK:   ttg.local_store %[[NEXT]], %[[OTHER]]
// CHECK:   scf.yield %{{.*}}, %[[NUMBER]]
// CHECK: ttg.local_dealloc %[[TILES]]
// ONE-LABEL: @product
// ONE: ttg.local_alloc : () -> !ttg.memdesc<1x64x32xf16
// ONE: scf.for
// ONE:   ttg.local_load
// ONE:   tt.dot
// ONE:   ttg.local_store
tt.func public @product(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %pa = tt.splat %p : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #b>
  %pb = tt.splat %p : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #b>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = tt.load %pa {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<64x32x!tt.ptr<f16>, #b>
    %b = tt.load %pb {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<32x64x!tt.ptr<f16>, #b>
    %ac = ttg.convert_layout %a {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<64x32xf16, #b> -> tensor<64x32xf16, #x>
    %bc = ttg.convert_layout %b {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<32x64xf16, #b> -> tensor<32x64xf16, #y>
    %d = tt.dot %ac, %bc, %acc {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<64x32xf16, #x> * tensor<32x64xf16, #y> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return
}

// Two iterations ahead: one tile waits in registers, which the loop carries, and shared memory still has two slots.
// These loads have masks, so that it is known how many are in flight. The mask of the original load is kept.
// CHECK-LABEL: @two_ahead
// CHECK-COUNT-4: tt.load
// CHECK-COUNT-2: ttg.local_alloc : () -> !ttg.memdesc<2x
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[A:[^ ]*]] = %{{[^ ]*}}, %[[B:[^ ]*]] = %{{[^ ]*}}) -> (tensor<64x64xf32, #mma>, i32, tensor<64x32xf16, #blocked>, tensor<32x64xf16, #blocked>)
// CHECK-NOT: scf.if
// CHECK:   arith.andi %{{.*}}, %arg2
// CHECK:   %[[X:.*]] = tt.load
// CHECK:   %[[Y:.*]] = tt.load
// CHECK:   tt.dot
// CHECK:   ttg.local_store %[[A]],
// CHECK:   ttg.local_store %[[B]],
// CHECK:   scf.yield {{.*}}, %[[X]], %[[Y]]
tt.func public @two_ahead(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %m: tensor<64x32xi1, #b>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %pa = tt.splat %p : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #b>
  %pb = tt.splat %p : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #b>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
    %a = tt.load %pa, %m {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<64x32x!tt.ptr<f16>, #b>
    %b = tt.load %pb {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<32x64x!tt.ptr<f16>, #b>
    %ac = ttg.convert_layout %a {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #b> -> tensor<64x32xf16, #x>
    %bc = ttg.convert_layout %b {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<32x64xf16, #b> -> tensor<32x64xf16, #y>
    %d = tt.dot %ac, %bc, %acc {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #x> * tensor<32x64xf16, #y> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  } {tt.scheduled_max_stage = 2 : i32}
  tt.return
}

// A tile that is not an operand of the dot waits in registers.
// CHECK-LABEL: @bias
// CHECK-NOT: ttg.local_alloc
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[NOW:[^ ]*]] = %{{.*}}) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>)
// CHECK:   scf.if
// CHECK:   arith.addf %{{.*}}, %[[NOW]]
// CHECK:   tt.dot
// CHECK-NOT: ttg.local_store
tt.func public @bias(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %a: tensor<64x32xf16, #x>, %b: tensor<32x64xf16, #y>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %pa = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #mma>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
    %v = tt.load %pa {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<64x64x!tt.ptr<f32>, #mma>
    %s = arith.addf %acc, %v {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<64x64xf32, #mma>
    %d = tt.dot %a, %b, %s {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<64x32xf16, #x> * tensor<32x64xf16, #y> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return
}
}
