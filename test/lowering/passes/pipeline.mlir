// RUN: tcc-opt %s --tritongpu-pipeline | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#x = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#y = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Two iterations ahead: two slots, two copies in front of the loop; and in it a wait for all groups but the last, the
// tile of this iteration, and, when it has been read, the copy for the iteration after the next. The other operand was
// not scheduled and stays.
// CHECK-LABEL: @product
// CHECK: %[[TILES:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>
// CHECK: arith.cmpi slt, %c0_i32, %arg2
// CHECK: ttg.async_copy_global_to_local
// CHECK: ttg.async_commit_group
// CHECK: ttg.async_copy_global_to_local
// CHECK: ttg.async_commit_group
// CHECK: scf.for {{.*}} iter_args({{.*}}, %{{.*}} = %{{.*}}) -> (tensor<64x32xf32, #mma>, i32)
// CHECK: %[[SLOT:.*]] = arith.select
// CHECK: ttg.async_wait {num = 1 : i32}
// CHECK: %[[NOW:.*]] = ttg.memdesc_index %[[TILES]][%[[SLOT]]]
// CHECK: tt.load %{{.*}} : tensor<32x32x!tt.ptr<f16>, #blocked>
// CHECK: ttg.local_load %[[NOW]] {{.*}} -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0
// CHECK: tt.dot
// CHECK: ttg.memdesc_index %[[TILES]][%[[SLOT]]]
// CHECK: ttg.async_copy_global_to_local
// CHECK: ttg.async_commit_group
// CHECK: scf.yield %{{.*}}, %[[SLOT]]
// CHECK: ttg.async_wait {num = 0 : i32}
// CHECK: ttg.local_dealloc %[[TILES]]
tt.func public @product(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x32xf32, #mma>
  %pa = tt.splat %p : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #b>
  %pb = tt.splat %p : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #b>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x32xf32, #mma>) : i32 {
    %a = tt.load %pa {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<64x32x!tt.ptr<f16>, #b>
    %b = tt.load %pb {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<32x32x!tt.ptr<f16>, #b>
    %ac = ttg.convert_layout %a {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #b> -> tensor<64x32xf16, #x>
    %bc = ttg.convert_layout %b {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<32x32xf16, #b> -> tensor<32x32xf16, #y>
    %d = tt.dot %ac, %bc, %acc {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #x> * tensor<32x32xf16, #y> -> tensor<64x32xf32, #mma>
    scf.yield %d : tensor<64x32xf32, #mma>
  } {tt.scheduled_max_stage = 2 : i32}
  tt.return
}

// A tile that is an operand and is also used otherwise is read from its slot for each use.
// CHECK-LABEL: @operand_and_more
// CHECK: %[[TILES:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>
// CHECK: scf.for
// CHECK: %[[NOW:.*]] = ttg.memdesc_index %[[TILES]]
// CHECK: ttg.local_load %[[NOW]] {{.*}} -> tensor<64x32xf16, #blocked>
// CHECK: ttg.local_load %[[NOW]] {{.*}} -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0
// CHECK-NOT: convert_layout {{.*}} -> tensor<64x32xf16
// CHECK: tt.dot
tt.func public @operand_and_more(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: tensor<32x32xf16, #y>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x32xf32, #mma>
  %s = arith.constant dense<0.0> : tensor<64x32xf16, #b>
  %pa = tt.splat %p : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #b>
  %f:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c, %sum = %s) -> (tensor<64x32xf32, #mma>, tensor<64x32xf16, #b>) : i32 {
    %a = tt.load %pa {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<64x32x!tt.ptr<f16>, #b>
    %more = arith.addf %sum, %a {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #b>
    %ac = ttg.convert_layout %a {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #b> -> tensor<64x32xf16, #x>
    %d = tt.dot %ac, %b, %acc {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #x> * tensor<32x32xf16, #y> -> tensor<64x32xf32, #mma>
    scf.yield %d, %more : tensor<64x32xf32, #mma>, tensor<64x32xf16, #b>
  } {tt.scheduled_max_stage = 2 : i32}
  tt.return
}

// A program that has a multiprocessor for itself has one slot more, and copies into the tile of the previous iteration.
// CHECK-LABEL: @wide
// CHECK: %[[TILES:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable>
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[BEFORE:.*]] = %{{.*}}) -> (tensor<128x256xf32, #mma>, i32)
// CHECK: tt.dot
// CHECK: ttg.memdesc_index %[[TILES]][%[[BEFORE]]]
// CHECK: ttg.async_copy_global_to_local
tt.func public @wide(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<128x256xf32, #mma>
  %pa = tt.splat %p : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>, #b>
  %pb = tt.splat %p : !tt.ptr<f16> -> tensor<32x256x!tt.ptr<f16>, #b>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<128x256xf32, #mma>) : i32 {
    %a = tt.load %pa {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<128x32x!tt.ptr<f16>, #b>
    %b = tt.load %pb {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<32x256x!tt.ptr<f16>, #b>
    %ac = ttg.convert_layout %a {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x32xf16, #b> -> tensor<128x32xf16, #x>
    %bc = ttg.convert_layout %b {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<32x256xf16, #b> -> tensor<32x256xf16, #y>
    %d = tt.dot %ac, %bc, %acc {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x32xf16, #x> * tensor<32x256xf16, #y> -> tensor<128x256xf32, #mma>
    scf.yield %d : tensor<128x256xf32, #mma>
  } {tt.scheduled_max_stage = 2 : i32}
  tt.return
}

// The registers of an accumulator count once, however many dots add to it.
// CHECK-LABEL: @one_sum
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>
tt.func public @one_sum(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: tensor<32x256xf16, #y>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x256xf32, #mma>
  %pa = tt.splat %p : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #b>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x256xf32, #mma>) : i32 {
    %a = tt.load %pa {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<64x32x!tt.ptr<f16>, #b>
    %ac = ttg.convert_layout %a {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #b> -> tensor<64x32xf16, #x>
    %d = tt.dot %ac, %y, %acc {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #x> * tensor<32x256xf16, #y> -> tensor<64x256xf32, #mma>
    %m = arith.mulf %d, %c {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x256xf32, #mma>
    %e = tt.dot %ac, %y, %m {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #x> * tensor<32x256xf16, #y> -> tensor<64x256xf32, #mma>
    scf.yield %e : tensor<64x256xf32, #mma>
  } {tt.scheduled_max_stage = 2 : i32}
  tt.return
}

// A vector of which the threads of a dot hold 8 elements each is copied to shared memory; a scalar that they share is
// in a register.
// CHECK-LABEL: @lines
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x32xf32,
// CHECK: scf.for {{.*}} -> (tensor<64x32xf32, #mma>, i32, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>)
// CHECK: ttg.local_load {{.*}} -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #mma}>>
// CHECK: ttg.async_copy_global_to_local {{.*}} -> <32xf32,
tt.func public @lines(%p: tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, %q: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, %x: tensor<64x32xf16, #x>, %y: tensor<32x32xf16, #y>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x32xf32, #mma>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x32xf32, #mma>) : i32 {
    %a = tt.load %p {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
    %b = tt.load %q {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
    %ae = tt.expand_dims %a {axis = 0 : i32, loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x32xf32, #mma>
    %be = tt.expand_dims %b {axis = 1 : i32, loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %ab = tt.broadcast %ae {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<1x32xf32, #mma> -> tensor<64x32xf32, #mma>
    %bb = tt.broadcast %be {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<64x1xf32, #mma> -> tensor<64x32xf32, #mma>
    %d = tt.dot %x, %y, %ab {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<64x32xf16, #x> * tensor<32x32xf16, #y> -> tensor<64x32xf32, #mma>
    %e = arith.addf %d, %bb {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<64x32xf32, #mma>
    scf.yield %e : tensor<64x32xf32, #mma>
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return
}

// A load that no dot needs waits in a register, and its address is computed an iteration ahead.
// CHECK-LABEL: @in_registers
// CHECK: %[[FIRST:.*]] = tt.load %{{.*}}, %{{.*}} : !tt.ptr<f32>
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[X:.*]] = %[[FIRST]]) -> (f32, f32)
// CHECK: arith.addf %[[SUM]], %[[X]]
// CHECK: %[[AHEAD:.*]] = arith.addi %[[I]], %c1_i32
// CHECK: tt.addptr %arg0, %[[AHEAD]]
// CHECK: %[[NEXT:.*]] = tt.load
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
tt.func public @in_registers(%p: !tt.ptr<f32>, %n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) : i32 {
    %pi = tt.addptr %p, %i {loop.cluster = 0 : i32, loop.stage = 1 : i32} : !tt.ptr<f32>, i32
    %x = tt.load %pi {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.ptr<f32>
    %y = arith.addf %s, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : f32
    scf.yield %y : f32
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return %f : f32
}
}
