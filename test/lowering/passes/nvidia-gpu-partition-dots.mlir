// RUN: tcc-opt %s --split-input-file --triton-nvidia-gpu-partition-dots --canonicalize | FileCheck %s

// Tiles alternate between two accumulators, each with a barrier "full" and a barrier "empty" on which the four warps of
// the program arrive. The program only waits, loads and stores: zeros if there are no dots. The second partition starts
// the dots; it also counts the slots of their operands, and the program no longer does. Both partitions have two warps.
// CHECK-LABEL: @tiles
// CHECK: %[[SUMS:.*]] = ttng.tmem_alloc : () -> !ttg.memdesc<2x128x64xf32
// CHECK: %[[FULL:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64
// CHECK-COUNT-2: ttng.init_barrier %{{.*}}, 1
// CHECK: %[[EMPTY:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64
// CHECK-COUNT-2: ttng.init_barrier %{{.*}}, 4
// CHECK: ttg.warp_specialize({{.*}}, %[[SUMS]], %[[FULL]], %[[EMPTY]]) attributes {requestedRegisters = array<i32: 24, 40>}
// CHECK: scf.for {{.*}} iter_args(%[[N:.*]] = %c0_i32) -> (i32)
// CHECK: %[[SLOT:.*]] = arith.andi %[[N]], %c1_i32
// CHECK: %[[HALF:.*]] = arith.shrui %[[N]], %c1_i32
// CHECK: %[[PARITY:.*]] = arith.andi %[[HALF]], %c1_i32
// CHECK: %[[SUM:.*]] = ttg.memdesc_index %[[SUMS]][%[[SLOT]]]
// CHECK: %[[BAR:.*]] = ttg.memdesc_index %[[FULL]][%[[SLOT]]]
// CHECK: ttng.wait_barrier %[[BAR]], %[[PARITY]] deps %[[SUM]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: else
// CHECK-NEXT: ttng.tmem_store %{{.*}}, %[[SUM]]
// CHECK: ttng.tmem_load %[[SUM]]
// CHECK: %[[FREE:.*]] = ttg.memdesc_index %[[EMPTY]][%[[SLOT]]]
// CHECK: ttng.arrive_barrier %[[FREE]], 1 read %[[SUM]] {perWarp}
// CHECK: tt.store
// CHECK: partition0({{.*}}) num_warps(2)
// CHECK: partition1({{.*}}) num_warps(2)
// CHECK: scf.for {{.*}} iter_args(%[[FIRST:.*]] = %{{.*}}, %[[M:.*]] = %{{.*}}) -> (i32, i32)
// CHECK: %[[OTHER:.*]] = arith.xori
// CHECK: ttng.wait_barrier %{{.*}}, %[[OTHER]] {{.*}}{firstWarp}
// CHECK: scf.if
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]])
// CHECK: ttng.tc_gen5_mma
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[FIRST]]
// CHECK: ttng.tc_gen5_commit
// CHECK: ttg.warp_return
// CHECK-COUNT-4: ttng.inval_barrier
#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @tiles(%p: tensor<128x64x!tt.ptr<f32>, #rows>, %n: i32, %k: i32) {
  %zeros = arith.constant dense<0.0> : tensor<128x64xf32, #rows>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %a = ttg.local_alloc : () -> !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
  %b = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
  %full = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #flat, #smem, mutable>
  %empty = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #flat, #smem, mutable>
  ttg.warp_specialize(%n, %k, %a, %b, %full, %empty) attributes {requestedRegisters = array<i32: 24>}
  default {
    %last = scf.for %t = %zero to %n step %one iter_args(%first = %zero) -> (i32) : i32 {
      %runs = arith.cmpi slt, %zero, %k : i32
      %sum = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
      %next = scf.if %runs -> i32 {
        %bars = ttg.local_alloc : () -> !ttg.memdesc<1x1xi64, #flat, #smem, mutable>
        %bar = ttg.memdesc_index %bars[%zero] : !ttg.memdesc<1x1xi64, #flat, #smem, mutable> -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
        ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #flat, #smem, mutable>
        %r = scf.for %i = %zero to %k step %one iter_args(%slot = %first) -> (i32) : i32 {
          %x = ttg.memdesc_index %a[%slot] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
          %y = ttg.memdesc_index %b[%slot] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
          %f = ttg.memdesc_index %full[%slot] : !ttg.memdesc<2x1xi64, #flat, #smem, mutable> -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
          ttng.wait_barrier %f, %zero deps %x, %y {firstWarp} : !ttg.memdesc<1xi64, #flat, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
          %adds = arith.cmpi ne, %i, %zero : i32
          %e = ttg.memdesc_index %empty[%slot] : !ttg.memdesc<2x1xi64, #flat, #smem, mutable> -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
          ttng.tc_gen5_mma %x, %y, %sum, %adds, %true, %e[%true] {is_async} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #flat, #smem, mutable>
          %s = arith.xori %slot, %one : i32
          scf.yield %s : i32
        }
        ttng.tc_gen5_commit %bar : !ttg.memdesc<1xi64, #flat, #smem, mutable>
        ttng.wait_barrier %bar, %zero deps %sum : !ttg.memdesc<1xi64, #flat, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
        ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #flat, #smem, mutable>
        ttg.local_dealloc %bars : !ttg.memdesc<1x1xi64, #flat, #smem, mutable>
        scf.yield %r : i32
      } else {
        ttng.tmem_store %zeros, %sum, %true : tensor<128x64xf32, #rows> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
        scf.yield %first : i32
      }
      %tile = ttng.tmem_load %sum : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
      tt.store %p, %tile : tensor<128x64x!tt.ptr<f32>, #rows>
      scf.yield %next : i32
    }
    ttg.warp_yield
  }
  partition0(%c: i32, %d: i32, %g: !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>, %h: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %i: !ttg.memdesc<2x1xi64, #flat, #smem, mutable>, %j: !ttg.memdesc<2x1xi64, #flat, #smem, mutable>) num_warps(4) {
    ttg.warp_return
  } : (i32, i32, !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<2x1xi64, #flat, #smem, mutable>, !ttg.memdesc<2x1xi64, #flat, #smem, mutable>) -> ()
  tt.return
}
}

// -----

// There is no room for two accumulators of 512 columns.
// CHECK-LABEL: @wide
// CHECK-NOT: partition1
#rows = #ttg.blocked<{sizePerThread = [1, 512], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 512, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @wide(%p: tensor<128x512x!tt.ptr<f32>, #rows>, %n: i32, %k: i32) {
  %zeros = arith.constant dense<0.0> : tensor<128x512xf32, #rows>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %a = ttg.local_alloc : () -> !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
  %b = ttg.local_alloc : () -> !ttg.memdesc<2x64x512xf16, #shared, #smem, mutable>
  %full = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #flat, #smem, mutable>
  %empty = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #flat, #smem, mutable>
  ttg.warp_specialize(%n, %k, %a, %b, %full, %empty) attributes {requestedRegisters = array<i32: 24>}
  default {
    %last = scf.for %t = %zero to %n step %one iter_args(%first = %zero) -> (i32) : i32 {
      %runs = arith.cmpi slt, %zero, %k : i32
      %sum = ttng.tmem_alloc : () -> !ttg.memdesc<128x512xf32, #tmem, #ttng.tensor_memory, mutable>
      %next = scf.if %runs -> i32 {
        %bars = ttg.local_alloc : () -> !ttg.memdesc<1x1xi64, #flat, #smem, mutable>
        %bar = ttg.memdesc_index %bars[%zero] : !ttg.memdesc<1x1xi64, #flat, #smem, mutable> -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
        ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #flat, #smem, mutable>
        %r = scf.for %i = %zero to %k step %one iter_args(%slot = %first) -> (i32) : i32 {
          %x = ttg.memdesc_index %a[%slot] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
          %y = ttg.memdesc_index %b[%slot] : !ttg.memdesc<2x64x512xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x512xf16, #shared, #smem, mutable>
          %f = ttg.memdesc_index %full[%slot] : !ttg.memdesc<2x1xi64, #flat, #smem, mutable> -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
          ttng.wait_barrier %f, %zero deps %x, %y {firstWarp} : !ttg.memdesc<1xi64, #flat, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x512xf16, #shared, #smem, mutable>
          %adds = arith.cmpi ne, %i, %zero : i32
          %e = ttg.memdesc_index %empty[%slot] : !ttg.memdesc<2x1xi64, #flat, #smem, mutable> -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
          ttng.tc_gen5_mma %x, %y, %sum, %adds, %true, %e[%true] {is_async} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x512xf16, #shared, #smem, mutable>, !ttg.memdesc<128x512xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #flat, #smem, mutable>
          %s = arith.xori %slot, %one : i32
          scf.yield %s : i32
        }
        ttng.tc_gen5_commit %bar : !ttg.memdesc<1xi64, #flat, #smem, mutable>
        ttng.wait_barrier %bar, %zero deps %sum : !ttg.memdesc<1xi64, #flat, #smem, mutable>, !ttg.memdesc<128x512xf32, #tmem, #ttng.tensor_memory, mutable>
        ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #flat, #smem, mutable>
        ttg.local_dealloc %bars : !ttg.memdesc<1x1xi64, #flat, #smem, mutable>
        scf.yield %r : i32
      } else {
        ttng.tmem_store %zeros, %sum, %true : tensor<128x512xf32, #rows> -> !ttg.memdesc<128x512xf32, #tmem, #ttng.tensor_memory, mutable>
        scf.yield %first : i32
      }
      %tile = ttng.tmem_load %sum : !ttg.memdesc<128x512xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x512xf32, #rows>
      tt.store %p, %tile : tensor<128x512x!tt.ptr<f32>, #rows>
      scf.yield %next : i32
    }
    ttg.warp_yield
  }
  partition0(%c: i32, %d: i32, %g: !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>, %h: !ttg.memdesc<2x64x512xf16, #shared, #smem, mutable>, %i: !ttg.memdesc<2x1xi64, #flat, #smem, mutable>, %j: !ttg.memdesc<2x1xi64, #flat, #smem, mutable>) num_warps(4) {
    ttg.warp_return
  } : (i32, i32, !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<2x64x512xf16, #shared, #smem, mutable>, !ttg.memdesc<2x1xi64, #flat, #smem, mutable>, !ttg.memdesc<2x1xi64, #flat, #smem, mutable>) -> ()
  tt.return
}
}

// -----

// All threads of the program wait in the loop of the dots.
// CHECK-LABEL: @together
// CHECK-NOT: partition1
#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @together(%p: tensor<128x64x!tt.ptr<f32>, #rows>, %n: i32, %k: i32) {
  %zeros = arith.constant dense<0.0> : tensor<128x64xf32, #rows>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %a = ttg.local_alloc : () -> !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
  %b = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
  %full = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #flat, #smem, mutable>
  %empty = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #flat, #smem, mutable>
  ttg.warp_specialize(%n, %k, %a, %b, %full, %empty) attributes {requestedRegisters = array<i32: 24>}
  default {
    %last = scf.for %t = %zero to %n step %one iter_args(%first = %zero) -> (i32) : i32 {
      %runs = arith.cmpi slt, %zero, %k : i32
      %sum = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
      %next = scf.if %runs -> i32 {
        %bars = ttg.local_alloc : () -> !ttg.memdesc<1x1xi64, #flat, #smem, mutable>
        %bar = ttg.memdesc_index %bars[%zero] : !ttg.memdesc<1x1xi64, #flat, #smem, mutable> -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
        ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #flat, #smem, mutable>
        %r = scf.for %i = %zero to %k step %one iter_args(%slot = %first) -> (i32) : i32 {
          %x = ttg.memdesc_index %a[%slot] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
          %y = ttg.memdesc_index %b[%slot] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
          %f = ttg.memdesc_index %full[%slot] : !ttg.memdesc<2x1xi64, #flat, #smem, mutable> -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
          ttng.wait_barrier %f, %zero deps %x, %y : !ttg.memdesc<1xi64, #flat, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
          %adds = arith.cmpi ne, %i, %zero : i32
          %e = ttg.memdesc_index %empty[%slot] : !ttg.memdesc<2x1xi64, #flat, #smem, mutable> -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
          ttng.tc_gen5_mma %x, %y, %sum, %adds, %true, %e[%true] {is_async} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #flat, #smem, mutable>
          %s = arith.xori %slot, %one : i32
          scf.yield %s : i32
        }
        ttng.tc_gen5_commit %bar : !ttg.memdesc<1xi64, #flat, #smem, mutable>
        ttng.wait_barrier %bar, %zero deps %sum : !ttg.memdesc<1xi64, #flat, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
        ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #flat, #smem, mutable>
        ttg.local_dealloc %bars : !ttg.memdesc<1x1xi64, #flat, #smem, mutable>
        scf.yield %r : i32
      } else {
        ttng.tmem_store %zeros, %sum, %true : tensor<128x64xf32, #rows> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
        scf.yield %first : i32
      }
      %tile = ttng.tmem_load %sum : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
      tt.store %p, %tile : tensor<128x64x!tt.ptr<f32>, #rows>
      scf.yield %next : i32
    }
    ttg.warp_yield
  }
  partition0(%c: i32, %d: i32, %g: !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>, %h: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %i: !ttg.memdesc<2x1xi64, #flat, #smem, mutable>, %j: !ttg.memdesc<2x1xi64, #flat, #smem, mutable>) num_warps(4) {
    ttg.warp_return
  } : (i32, i32, !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<2x1xi64, #flat, #smem, mutable>, !ttg.memdesc<2x1xi64, #flat, #smem, mutable>) -> ()
  tt.return
}
}
