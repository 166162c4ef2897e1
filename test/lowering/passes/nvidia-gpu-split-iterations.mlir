// RUN: tcc-opt %s --triton-nvidia-gpu-split-iterations | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#x = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#y = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
// CHECK: module attributes {{{.*}}"ttng.max-blocks" = 8 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// Each block begins with its first iteration, and so do the pointers that the loop advances.
// CHECK-LABEL: @split(
// CHECK-SAME: %[[N:[^ ]*]]: i32,
// CHECK-SAME: %[[PX:[^ ]*]]: tensor<16x64x!tt.ptr<f16>
// CHECK: %[[BLOCKS:.*]] = ttng.block_count : i32
// CHECK: %[[RANK:.*]] = ttng.block_rank : i32
// CHECK: %[[ITERATIONS:.*]] = arith.maxsi
// CHECK: %[[ENOUGH:.*]] = arith.divsi %[[ITERATIONS]], %c16_i32
// CHECK: %[[LEAST:.*]] = arith.minsi %[[ENOUGH]], %[[BLOCKS]]
// CHECK: %[[PARTS:.*]] = arith.maxsi %[[LEAST]], %c1_i32
// CHECK: arith.muli %[[RANK]]
// CHECK: %[[FIRST:.*]] = arith.minsi {{.*}}, %[[ITERATIONS]]
// CHECK: %[[LAST:.*]] = arith.minsi {{.*}}, %[[ITERATIONS]]
// CHECK: %[[FACTOR:.*]] = tt.splat %[[FIRST]]
// CHECK: %[[DISTANCE:.*]] = arith.muli %{{.*}}, %[[FACTOR]]
// CHECK: %[[START:.*]] = tt.addptr %[[PX]], %[[DISTANCE]]
// CHECK: %[[BEGIN:.*]] = arith.addi
// CHECK: %[[END:.*]] = arith.minsi {{.*}}, %[[N]]
// CHECK: %[[SUM:.*]]:2 = scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %c64_i32 iter_args(%{{.*}} = %cst{{.*}}, %{{.*}} = %[[START]])
// CHECK: %[[ALL:.*]] = ttng.sum_over_blocks %[[SUM]]#0, %[[PARTS]] : tensor<16x64xf32, #mma>
// CHECK: tt.store %{{.*}}, %[[ALL]]
tt.func @split(%n: i32, %px: tensor<16x64x!tt.ptr<f16>, #x>, %py: tensor<64x64x!tt.ptr<f16>, #y>, %out: tensor<16x64x!tt.ptr<f32>, #mma>) attributes {tt.few_blocks} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %steps = arith.constant dense<64> : tensor<16x64xi32, #x>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32, #mma>
  %y = tt.load %py : tensor<64x64x!tt.ptr<f16>, #y>
  %sum:2 = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero, %p = %px) -> (tensor<16x64xf32, #mma>, tensor<16x64x!tt.ptr<f16>, #x>) : i32 {
    %x = tt.load %p : tensor<16x64x!tt.ptr<f16>, #x>
    %d = tt.dot %x, %y, %acc : tensor<16x64xf16, #x> * tensor<64x64xf16, #y> -> tensor<16x64xf32, #mma>
    %next = tt.addptr %p, %steps : tensor<16x64x!tt.ptr<f16>, #x>, tensor<16x64xi32, #x>
    scf.yield %d, %next : tensor<16x64xf32, #mma>, tensor<16x64x!tt.ptr<f16>, #x>
  }
  tt.store %out, %sum#0 : tensor<16x64x!tt.ptr<f32>, #mma>
  tt.return
}

// A launch that passes more arguments than the kernel's own may run a program by several clusters, side by side along x.
// CHECK-LABEL: @clusters(
// CHECK-SAME: %[[EXTENT:[^ ]*]]: i32 {{[^,]*}}, %[[FIRST:[^ ]*]]: i32 {{[^,]*}}, %[[COUNT:[^ ]*]]: i32 {{[^,]*}}, %[[MEMORY:[^ ]*]]: !tt.ptr<f32>)
// CHECK-SAME: ttng.cluster_bytes = 4096 : i32
// CHECK-SAME: ttng.numbered = 1 : i32
// CHECK: %[[POSITION:.*]] = tt.get_program_id x
// CHECK: %[[PROGRAM:.*]] = arith.divui %[[POSITION]], %[[COUNT]]
// CHECK: %[[NUMBER:.*]] = arith.remui %[[POSITION]], %[[COUNT]]
// CHECK-NOT: get_program_id
// CHECK: %[[ID:.*]] = arith.addi %[[PROGRAM]], %[[FIRST]]
// CHECK: %[[BLOCKS:.*]] = ttng.block_count : i32
// CHECK: %[[RANK:.*]] = ttng.block_rank : i32
// CHECK: %[[BEFORE:.*]] = arith.muli %[[NUMBER]], %[[BLOCKS]]
// CHECK: %[[ALL:.*]] = arith.muli %[[COUNT]], %[[BLOCKS]]
// CHECK: arith.addi %[[BEFORE]], %[[RANK]]
// CHECK: %[[LEAST:.*]] = arith.minsi %{{.*}}, %[[ALL]]
// CHECK: %[[PARTS:.*]] = arith.maxsi %[[LEAST]], %c1_i32
// CHECK: %[[LOOP:.*]] = scf.for
// CHECK: %[[USED:.*]] = arith.divsi %{{.*}}, %[[BLOCKS]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[PARTS]], %[[BEFORE]]
// CHECK: %[[MOST:.*]] = arith.minsi %[[LEFT]], %[[BLOCKS]]
// CHECK: %[[OWN:.*]] = arith.maxsi %[[MOST]], %c1_i32
// CHECK: %[[SUM:.*]] = ttng.sum_over_blocks %[[LOOP]], %[[OWN]]
// CHECK: %[[WHOLE:.*]] = ttng.sum_over_clusters %[[SUM]], %[[NUMBER]] of %[[USED]] program %[[PROGRAM]] by %[[COUNT]] in %[[MEMORY]]
// CHECK: tt.store %{{.*}}, %[[WHOLE]]
tt.func @clusters(%n: i32, %x: tensor<16x64xf16, #x>, %y: tensor<64x64xf16, #y>, %out: tensor<16x64x!tt.ptr<f32>, #mma>, %map: !tt.tensordesc<tensor<64x64xf16>>) attributes {tt.few_blocks, ttng.tensor_maps = [{}]} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<16x64xf32, #mma>
  %id = tt.get_program_id x : i32
  %offsets = tt.splat %id : i32 -> tensor<16x64xi32, #mma>
  %to = tt.addptr %out, %offsets : tensor<16x64x!tt.ptr<f32>, #mma>, tensor<16x64xi32, #mma>
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<16x64xf32, #mma>) : i32 {
    %d = tt.dot %x, %y, %acc : tensor<16x64xf16, #x> * tensor<64x64xf16, #y> -> tensor<16x64xf32, #mma>
    scf.yield %d : tensor<16x64xf32, #mma>
  }
  tt.store %to, %sum : tensor<16x64x!tt.ptr<f32>, #mma>
  tt.return
}

// Blocks that exchange 64 KiB split a loop if there are at least three blocks, or if the loop has at least 64
// iterations, each of which reads 128 bytes of a row.
// CHECK-LABEL: @large(
// CHECK: %[[ITERATIONS:.*]] = arith.maxsi
// CHECK: %[[PARTS:.*]] = arith.maxsi
// CHECK: %[[ARE_MANY:.*]] = arith.cmpi sge, %[[PARTS]], %c3_i32
// CHECK: %[[IS_LONG:.*]] = arith.cmpi sge, %[[ITERATIONS]], %c64_i32{{.*}}
// CHECK: %[[ARE_FAST:.*]] = arith.ori %[[ARE_MANY]], %[[IS_LONG]]
// CHECK: %[[GAINS:.*]] = arith.ori %[[ARE_FAST]], %false
// CHECK: %[[USED:.*]] = arith.select %[[GAINS]], %[[PARTS]], %c1_i32
// CHECK: ttng.sum_over_blocks %{{.*}}, %[[USED]]
tt.func @large(%n: i32, %x: tensor<128x64xf16, #x>, %y: tensor<64x128xf16, #y>, %out: tensor<128x128x!tt.ptr<f32>, #mma>) attributes {tt.few_blocks} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<128x128xf32, #mma>) : i32 {
    %d = tt.dot %x, %y, %acc : tensor<128x64xf16, #x> * tensor<64x128xf16, #y> -> tensor<128x128xf32, #mma>
    scf.yield %d : tensor<128x128xf32, #mma>
  }
  tt.store %out, %sum : tensor<128x128x!tt.ptr<f32>, #mma>
  tt.return
}

// An accumulator that begins with something else, a store in the loop, and one before it: as they are.
// CHECK-NOT: sum_over_blocks
tt.func @bias(%n: i32, %x: tensor<16x64xf16, #x>, %y: tensor<64x64xf16, #y>, %bias: tensor<16x64xf32, #mma>, %out: tensor<16x64x!tt.ptr<f32>, #mma>) attributes {tt.few_blocks} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %bias) -> (tensor<16x64xf32, #mma>) : i32 {
    %d = tt.dot %x, %y, %acc : tensor<16x64xf16, #x> * tensor<64x64xf16, #y> -> tensor<16x64xf32, #mma>
    scf.yield %d : tensor<16x64xf32, #mma>
  }
  tt.store %out, %sum : tensor<16x64x!tt.ptr<f32>, #mma>
  tt.return
}
tt.func @stores(%n: i32, %x: tensor<16x64xf16, #x>, %y: tensor<64x64xf16, #y>, %out: tensor<16x64x!tt.ptr<f32>, #mma>) attributes {tt.few_blocks} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<16x64xf32, #mma>
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<16x64xf32, #mma>) : i32 {
    tt.store %out, %zero : tensor<16x64x!tt.ptr<f32>, #mma>
    %d = tt.dot %x, %y, %acc : tensor<16x64xf16, #x> * tensor<64x64xf16, #y> -> tensor<16x64xf32, #mma>
    scf.yield %d : tensor<16x64xf32, #mma>
  }
  tt.store %out, %sum : tensor<16x64x!tt.ptr<f32>, #mma>
  tt.return
}
tt.func @writes_before(%n: i32, %counter: !tt.ptr<i32>, %x: tensor<16x64xf16, #x>, %y: tensor<64x64xf16, #y>, %out: tensor<16x64x!tt.ptr<f32>, #mma>) attributes {tt.few_blocks} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<16x64xf32, #mma>
  tt.store %counter, %n : !tt.ptr<i32>
  %sum = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<16x64xf32, #mma>) : i32 {
    %d = tt.dot %x, %y, %acc : tensor<16x64xf16, #x> * tensor<64x64xf16, #y> -> tensor<16x64xf32, #mma>
    scf.yield %d : tensor<16x64xf32, #mma>
  }
  tt.store %out, %sum : tensor<16x64x!tt.ptr<f32>, #mma>
  tt.return
}
}
