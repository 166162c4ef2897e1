// RUN: tcc-opt %s --split-input-file --triton-nvidia-gpu-accumulate-in-tensor-memory --canonicalize | FileCheck %s

// A loop that only accumulates, with one dot in flight: the accumulator stays in tensor memory, two barriers are used
// alternately, and each wait is for the dot of the previous iteration. The first dot ignores the accumulator, because
// the branch around the loop proves that there is an iteration. If there is none, threads store the initial value. They
// load the result after the branch.
// CHECK: #[[TMEM:.*]] = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
// CHECK-LABEL: @sum
// CHECK: %[[SUMS:.*]] = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #[[TMEM]], #ttng.tensor_memory, mutable>
// CHECK: scf.if
// CHECK: %[[DONE:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64
// CHECK-NOT: ttng.tmem_store
// CHECK: %[[COUNT:.*]] = scf.for %[[I:.*]] = %{{.*}} iter_args(%[[N:.*]] = %c0_i32) -> (i32)
// CHECK-DAG: %[[ADDS:.*]] = arith.cmpi ne, %[[I]], %c0_i32
// CHECK-DAG: %[[SLOT:.*]] = arith.andi %[[N]], %c1_i32
// CHECK-DAG: %[[BARRIER:.*]] = ttg.memdesc_index %[[DONE]][%[[SLOT]]]
// CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[SUMS]], %[[ADDS]], %true, %[[BARRIER]][%true] {is_async}
// CHECK: %[[BEFORE:.*]] = arith.subi %[[N]], %c1_i32
// CHECK: %[[PHASE:.*]] = arith.shrsi %[[BEFORE]], %c1_i32
// CHECK: %[[PARITY:.*]] = arith.andi %[[PHASE]], %c1_i32
// CHECK: ttng.wait_barrier %{{.*}}, %[[PARITY]]
// CHECK-NEXT: ttg.local_barrier
// CHECK: arith.subi %[[COUNT]], %c1_i32
// CHECK: ttng.wait_barrier
// CHECK-NOT: ttng.tmem_load
// CHECK: } else {
// CHECK-NEXT: ttng.tmem_store %{{.*}}, %[[SUMS]]
// CHECK-NEXT: }
// CHECK-NEXT: ttng.tmem_load %[[SUMS]]
#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @sum(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>, %n: i32) -> tensor<128x64xf32, #rows> {
  %zeros = arith.constant dense<0.0> : tensor<128x64xf32, #rows>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %runs = arith.cmpi slt, %zero, %n : i32
  %result = scf.if %runs -> tensor<128x64xf32, #rows> {
    %sums = scf.for %i = %zero to %n step %one iter_args(%sum = %zeros) -> (tensor<128x64xf32, #rows>) : i32 {
      %d = ttng.warp_group_dot %a, %b, %sum {isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #rows>
      %w = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<128x64xf32, #rows>
      scf.yield %w : tensor<128x64xf32, #rows>
    }
    %last = ttng.warp_group_dot_wait %sums {pendings = 0 : i32} : tensor<128x64xf32, #rows>
    scf.yield %last : tensor<128x64xf32, #rows>
  } else {
    scf.yield %zeros : tensor<128x64xf32, #rows>
  }
  tt.return %result : tensor<128x64xf32, #rows>
}

// Attention's pattern: the first dot's result is loaded behind its wait. The tile computed from it goes to tensor
// memory as the left operand of the second dot, whose accumulator is scaled in between and is therefore loaded and
// stored. Zeros are stored, because the loop may have no iteration. The wait for the second dot names both of its
// allocations.
// CHECK-LABEL: @scaled
// CHECK: %[[SUMS:.*]] = ttng.tmem_alloc
// CHECK: ttng.tmem_store %{{.*}}, %[[SUMS]]
// CHECK: scf.for
// CHECK: %[[BEFORE:.*]] = ttng.tmem_load %[[SUMS]]
// CHECK: %[[SCORES:.*]] = ttng.tmem_alloc
// CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[SCORES]], %false
// CHECK: ttng.wait_barrier %{{.*}} deps %[[SCORES]] :
// CHECK: %[[TILE:.*]] = ttng.tmem_load %[[SCORES]]
// CHECK: %[[P:.*]] = arith.truncf %[[TILE]]
// CHECK: %[[SCALED:.*]] = arith.addf %[[BEFORE]], %[[BEFORE]]
// CHECK: ttng.tmem_store %[[SCALED]], %[[SUMS]]
// CHECK: %[[LEFT:.*]] = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf16
// CHECK: ttng.tmem_store %[[P]], %[[LEFT]]
// CHECK: ttng.tc_gen5_mma %[[LEFT]], %{{.*}}, %[[SUMS]], %true
// CHECK: ttng.wait_barrier %{{.*}} deps %[[SUMS]], %[[LEFT]] :
tt.func public @scaled(%q: !ttg.memdesc<128x64xf16, #shared, #smem>, %k: !ttg.memdesc<64x64xf16, #shared, #smem>, %n: i32) -> tensor<128x64xf32, #rows> {
  %zeros = arith.constant dense<0.0> : tensor<128x64xf32, #rows>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %false = arith.constant false
  %result = scf.for %i = %zero to %n step %one iter_args(%sum = %zeros) -> (tensor<128x64xf32, #rows>) : i32 {
    %s = ttng.warp_group_dot %q, %k, %zeros, %false : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #rows>
    %p = arith.truncf %s : tensor<128x64xf32, #rows> to tensor<128x64xf16, #rows>
    %scaled = arith.addf %sum, %sum : tensor<128x64xf32, #rows>
    %d = ttng.warp_group_dot %p, %k, %scaled : tensor<128x64xf16, #rows> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #rows>
    scf.yield %d : tensor<128x64xf32, #rows>
  }
  tt.return %result : tensor<128x64xf32, #rows>
}

// A value that two dots add to is loaded, and stored to an allocation for each.
// CHECK-LABEL: @forked
// CHECK: %[[FIRST:.*]] = ttng.tmem_alloc
// CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[FIRST]], %false, %true :
// CHECK: %[[TILE:.*]] = ttng.tmem_load %[[FIRST]]
// CHECK: ttng.tmem_store %[[TILE]], %[[SECOND:.*]], %true
// CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[SECOND]], %true
// CHECK: ttng.tmem_store %[[TILE]], %[[THIRD:.*]], %true
// CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[THIRD]], %true
tt.func public @forked(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>) -> (tensor<128x64xf32, #rows>, tensor<128x64xf32, #rows>) {
  %zeros = arith.constant dense<0.0> : tensor<128x64xf32, #rows>
  %false = arith.constant false
  %x = ttng.warp_group_dot %a, %b, %zeros, %false : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #rows>
  %y = ttng.warp_group_dot %a, %b, %x : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #rows>
  %z = ttng.warp_group_dot %a, %b, %x : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #rows>
  tt.return %y, %z : tensor<128x64xf32, #rows>, tensor<128x64xf32, #rows>
}
// One dot adds to the loop-carried value, and another computes the value of the next iteration: these are two
// allocations, and registers carry the tile.
// CHECK-LABEL: @two_chains
// CHECK: scf.for {{.*}} iter_args(%[[SUM:[^ ]*]] = %{{.*}}, {{.*}}) -> (tensor<128x64xf32
// CHECK: ttng.tmem_store %[[SUM]], %[[FIRST:.*]], %true
// CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[FIRST]], %true
// CHECK: ttng.tmem_store %{{.*}}, %[[SECOND:.*]], %true
// CHECK-NOT: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[FIRST]]
// CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[SECOND]], %true
tt.func public @two_chains(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>, %c: tensor<128x64xf32, #rows>, %n: i32) -> (tensor<128x64xf32, #rows>, tensor<128x64xf32, #rows>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x:2 = scf.for %i = %zero to %n step %one iter_args(%sum = %c, %all = %c) -> (tensor<128x64xf32, #rows>, tensor<128x64xf32, #rows>) : i32 {
    %e = ttng.warp_group_dot %a, %b, %sum : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #rows>
    %more = arith.addf %all, %e : tensor<128x64xf32, #rows>
    %y = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #rows>
    scf.yield %y, %more : tensor<128x64xf32, #rows>, tensor<128x64xf32, #rows>
  }
  tt.return %x#0, %x#1 : tensor<128x64xf32, #rows>, tensor<128x64xf32, #rows>
}
// An initial value that is the same in every iteration is loaded once, and stored in each of them.
// CHECK-LABEL: @again
// CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[ONCE:.*]], %false
// CHECK: %[[TILE:.*]] = ttng.tmem_load %[[ONCE]]
// CHECK: scf.for
// CHECK: ttng.tmem_store %[[TILE]], %[[SUMS:.*]], %true
// CHECK: scf.for
// CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[SUMS]], %true
// CHECK-LABEL: @in_each
// CHECK: %[[TILE:.*]] = ttng.tmem_load
// CHECK: scf.for
// CHECK: ttng.tmem_store %[[TILE]]
// CHECK: ttng.tc_gen5_mma
tt.func public @again(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>, %p: tensor<128x64x!tt.ptr<f32>, #rows>, %n: i32) {
  %zeros = arith.constant dense<0.0> : tensor<128x64xf32, #rows>
  %false = arith.constant false
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = ttng.warp_group_dot %a, %b, %zeros, %false : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #rows>
  scf.for %i = %zero to %n step %one : i32 {
    %x = scf.for %j = %zero to %n step %one iter_args(%sum = %first) -> (tensor<128x64xf32, #rows>) : i32 {
      %d = ttng.warp_group_dot %a, %b, %sum : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #rows>
      scf.yield %d : tensor<128x64xf32, #rows>
    }
    tt.store %p, %x : tensor<128x64x!tt.ptr<f32>, #rows>
  }
  tt.return
}
tt.func public @in_each(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>, %p: tensor<128x64x!tt.ptr<f32>, #rows>, %n: i32) {
  %zeros = arith.constant dense<0.0> : tensor<128x64xf32, #rows>
  %false = arith.constant false
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = ttng.warp_group_dot %a, %b, %zeros, %false : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #rows>
  scf.for %i = %zero to %n step %one : i32 {
    %d = ttng.warp_group_dot %a, %b, %first : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #rows>
    tt.store %p, %d : tensor<128x64x!tt.ptr<f32>, #rows>
  }
  tt.return
}
}
