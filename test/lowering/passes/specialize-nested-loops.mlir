// A loop contains specialized loops, in a program that computes one tile after the other.
// RUN: tcc-opt %s --tritongpu-specialize-loops --canonicalize --cse | FileCheck %s
// RUN: tcc-opt %s --tritongpu-specialize-loops --tritongpu-rotate-loops --triton-nvidia-gpu-overlap-products --canonicalize --cse | FileCheck %s --check-prefix=ROTATED
// RUN: tcc-opt %s --triton-nvidia-gpu-use-tensor-maps --tritongpu-specialize-loops --canonicalize --cse | FileCheck %s --check-prefix=MAPS

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

// The partition issues the copies for all tiles. A load that is invariant in a tile's loop has one slot, which the
// partition fills before the others. It recomputes everything that depends on the tile's number, including a branch.
// The program waits for that slot, and releases it behind the loop.
// CHECK-LABEL: @tiles
// CHECK-COUNT-2: ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16
// CHECK: %[[Q:.*]] = ttg.local_alloc : () -> !ttg.memdesc<1x128x64xf16
// CHECK: ttg.warp_specialize({{.*}}) attributes {requestedRegisters = array<i32: 40>}
// CHECK: scf.for {{.*}} iter_args(%[[PQ:[^ ]*]] = %c0_i32, %[[PK:[^ ]*]] = %c0_i32, %[[PV:[^ ]*]] = %c0_i32)
// CHECK: %[[TILE:.*]] = ttg.memdesc_index %[[Q]]
// CHECK: ttng.wait_barrier %{{.*}} deps %[[TILE]]
// CHECK: scf.for {{.*}} iter_args({{.*}}, %{{.*}} = %[[PK]], %{{.*}} = %[[PV]])
// CHECK: ttng.warp_group_dot %[[TILE]]
// CHECK: ttng.arrive_barrier %{{.*}}, 1 read %[[TILE]] {perWarp}
// CHECK: tt.store
// CHECK: scf.yield
// CHECK: partition0({{.*}}) num_warps(4) {
// CHECK: scf.for {{.*}} iter_args(%{{[^ ]*}} = %c0_i32{{[^ ]*}}, %[[FILLED:[^ ]*]] = %c0_i32
// CHECK: ttg.async_copy_global_to_local {{.*}} <128x64xf16
// CHECK: scf.if
// CHECK: %[[NEXT:.*]] = scf.for {{.*}} iter_args({{.*}} = %[[FILLED]])
// CHECK: ttg.async_copy_global_to_local {{.*}} <64x64xf16
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
// CHECK: ttg.warp_return
// After rotation, the slot is released before the last dot, which does not read it, and also if there are no
// iterations.
// ROTATED-LABEL: @tiles
// ROTATED: ttng.pass_turn {first}
// ROTATED: scf.for
// ROTATED: scf.if
// ROTATED: ttng.warp_group_dot %[[TILE:[^ ]*]],
// ROTATED: scf.for
// ROTATED: scf.yield
// ROTATED: ttng.arrive_barrier %{{.*}}, 1 read %[[TILE]] {perWarp}
// ROTATED: ttng.warp_group_dot
// ROTATED: } else {
// ROTATED-NEXT: ttng.arrive_barrier %{{.*}}, 1 read %[[TILE]] {perWarp}
// ROTATED: tt.store
// ROTATED: ttng.take_turn {last}
// With tensor maps, one thread issues all copies.
// MAPS-LABEL: @tiles
// MAPS: ttg.warp_specialize
// MAPS: partition0
// MAPS: ttng.barrier_expect %{{.*}}, 16384
// MAPS: ttng.async_tma_copy_global_to_local
// MAPS: ttng.barrier_expect %{{.*}}, 8192
// MAPS: ttng.async_tma_copy_global_to_local
// MAPS-NOT: ttg.async_copy_global_to_local
// MAPS: ttg.warp_return
tt.func @tiles(%q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %count: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c8192 = arith.constant 8192 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %block = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %large = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<128x64xi32, #b>
  %ks = tt.splat %k : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %kb = tt.addptr %ks, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  scf.for %tile = %c0 to %count step %c1 : i32 {
    %first = arith.muli %tile, %c8192 : i32
    %qt = tt.addptr %q, %first : !tt.ptr<f16>, i32
    %qs = tt.splat %qt : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #b>
    %qp = tt.addptr %qs, %large : tensor<128x64x!tt.ptr<f16>, #b>, tensor<128x64xi32, #b>
    %ql = tt.load %qp : tensor<128x64x!tt.ptr<f16>, #b>
    %qm = ttg.local_alloc %ql : (tensor<128x64xf16, #b>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %isFew = arith.cmpi slt, %tile, %n : i32
    %end = scf.if %isFew -> (i32) {
      %e = arith.muli %tile, %c64 : i32
      scf.yield %e : i32
    } else {
      scf.yield %n : i32
    }
    %r = scf.for %i = %c0 to %end step %c64 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
      %o = arith.muli %i, %c64 : i32
      %offset = tt.splat %o : i32 -> tensor<64x64xi32, #b>
      %kp = tt.addptr %kb, %offset : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
      %kt = tt.load %kp : tensor<64x64x!tt.ptr<f16>, #b>
      %km = ttg.local_alloc %kt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %s = ttng.warp_group_dot %qm, %km, %zero : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %p = math.exp2 %s : tensor<128x64xf32, #mma>
      %scaled = arith.mulf %acc, %p : tensor<128x64xf32, #mma>
      %e = arith.truncf %p : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      %a = ttg.convert_layout %e : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #a>
      %vt = tt.load %kp : tensor<64x64x!tt.ptr<f16>, #b>
      %vm = ttg.local_alloc %vt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %a, %vm, %scaled : tensor<128x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      scf.yield %d : tensor<128x64xf32, #mma>
    }
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #mma>
    tt.store %os, %r : tensor<128x64x!tt.ptr<f32>, #mma>
    scf.yield
  }
  tt.return
}

// The outer loop stores to memory that the next tile may load: each tile has its own partition, which does not load the
// queries.
// CHECK-LABEL: @ordered
// CHECK: scf.for
// CHECK: ttg.warp_specialize
// CHECK: default {
// CHECK: tt.load
// CHECK: partition0
// CHECK: tt.store
tt.func @ordered(%q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %count: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %block = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %large = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<128x64xi32, #b>
  %ks = tt.splat %k : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %kb = tt.addptr %ks, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %qs = tt.splat %q : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #b>
  %qp = tt.addptr %qs, %large : tensor<128x64x!tt.ptr<f16>, #b>, tensor<128x64xi32, #b>
  scf.for %tile = %c0 to %count step %c1 : i32 {
    %ql = tt.load %qp : tensor<128x64x!tt.ptr<f16>, #b>
    %qm = ttg.local_alloc %ql : (tensor<128x64xf16, #b>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
      %kt = tt.load %kb : tensor<64x64x!tt.ptr<f16>, #b>
      %km = ttg.local_alloc %kt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %s = ttng.warp_group_dot %qm, %km, %zero : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %e = arith.truncf %s : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      %a = ttg.convert_layout %e : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #a>
      %d = ttng.warp_group_dot %a, %km, %acc : tensor<128x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      scf.yield %d : tensor<128x64xf32, #mma>
    }
    %f = arith.truncf %r : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
    %os = tt.splat %k : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #mma>
    tt.store %os, %f : tensor<128x64x!tt.ptr<f16>, #mma>
    scf.yield
  }
  tt.return
}
}
