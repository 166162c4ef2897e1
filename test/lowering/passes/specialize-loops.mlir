// RUN: tcc-opt %s --tritongpu-specialize-loops --canonicalize --cse | FileCheck %s
// RUN: tcc-opt %s --tritongpu-specialize-loops --tritongpu-rotate-loops --triton-nvidia-gpu-overlap-products --canonicalize --cse | FileCheck %s --check-prefix=ROTATED
// RUN: tcc-opt %s --triton-nvidia-gpu-use-tensor-maps --tritongpu-specialize-loops --canonicalize --cse | FileCheck %s --check-prefix=MAPS

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>

// Four warps load, so pointers have layouts for four warps.
// CHECK: #[[LOADING:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

// CHECK-LABEL: @attention
// Each load has two slots with barriers: 128 threads fill them, 8 warps read them.
// CHECK: %[[K:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16
// CHECK: ttng.init_barrier %{{.*}}, 128
// CHECK: ttng.init_barrier %{{.*}}, 8
// CHECK: %[[V:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16
// CHECK: ttg.warp_specialize({{.*}}) attributes {requestedRegisters = array<i32: 40>}
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[PK:[^ ]*]] = %c0_i32, %[[PV:[^ ]*]] = %c0_i32)
// A position counts through the slots twice: the second time, the phases of the barriers have the other parity.
// CHECK: %[[ODD:.*]] = arith.cmpi sge, %[[PK]], %c2_i32
// CHECK: %[[BACK:.*]] = arith.subi %[[PK]], %c2_i32
// CHECK: %[[SLOT:.*]] = arith.select %[[ODD]], %[[BACK]], %[[PK]]
// CHECK: %[[PARITY:.*]] = arith.extui %[[ODD]]
// CHECK: %[[TILE:.*]] = ttg.memdesc_index %[[K]][%[[SLOT]]]
// CHECK: ttng.wait_barrier %{{.*}}, %[[PARITY]] deps %[[TILE]]
// CHECK: ttng.warp_group_dot %{{.*}}, %[[TILE]]
// CHECK: ttng.arrive_barrier %{{.*}}, 1 read %[[TILE]] {perWarp}
// CHECK: math.exp2
// CHECK: ttng.wait_barrier
// CHECK: ttng.warp_group_dot
// CHECK: ttng.arrive_barrier
// CHECK: scf.yield
// CHECK: partition0({{.*}}) num_warps(4) {
// CHECK: scf.for
// CHECK: %[[OTHER:.*]] = arith.xori %{{.*}}, %c1_i32
// CHECK: ttng.wait_barrier %{{.*}}, %[[OTHER]] deps
// CHECK: ttg.async_copy_global_to_local %{{.*}} : tensor<64x64x!tt.ptr<f16>, #[[LOADING]]>
// CHECK: ttng.async_copy_mbarrier_arrive %{{.*}} {noIncrement}
// CHECK: ttng.wait_barrier
// CHECK: ttg.async_copy_global_to_local
// CHECK: ttng.async_copy_mbarrier_arrive
// CHECK: ttg.warp_return
// CHECK: ttng.inval_barrier
// CHECK: ttg.local_dealloc

// After rotation, the waits stay with their dots, and a slot is released when the dot that reads it has completed.
// ROTATED-LABEL: @attention
// ROTATED: ttng.pass_turn {first}
// ROTATED: scf.for
// ROTATED: ttng.wait_barrier %{{.*}} deps %[[TILE:.*]] : !ttg.memdesc<1xi64, #{{.*}}, #smem, mutable>, !ttg
// ROTATED: ttng.take_turn
// ROTATED: %[[S:.*]] = ttng.warp_group_dot %{{.*}}, %[[TILE]], %{{.*}}
// ROTATED: ttng.wait_barrier
// ROTATED: %[[D:.*]] = ttng.warp_group_dot
// ROTATED-NEXT: ttng.pass_turn
// ROTATED: ttng.warp_group_dot_wait %[[S]] {pendings = 1 : i32}
// ROTATED-NEXT: ttng.arrive_barrier %{{.*}}, 1 read %[[TILE]] {perWarp}
// ROTATED: math.exp2
// ROTATED: ttng.warp_group_dot_wait %[[D]]{{.*}} {pendings = 0 : i32}
// ROTATED: ttng.arrive_barrier
// ROTATED: scf.yield
// ROTATED: ttng.take_turn {last}
// ROTATED: ttng.wait_barrier
// ROTATED: ttng.warp_group_dot
// ROTATED: ttng.arrive_barrier
// With tensor maps, one thread issues the copies of blocks, whose addresses are coordinates: 31 bits of units of 16
// bytes, and the rest. Both tensors have rows that are 0 elements apart, and therefore share a map.
// MAPS: tt.func @attention({{.*}}, %[[MAP:.*]]: !tt.tensordesc<tensor<1x1x64x64xf16, #{{.*}}>>)
// MAPS-SAME: ttng.tensor_maps = [{base = -1 : i32, box = array<i64: 64, 64, 1, 1>, bytes = 2 : i32, limits = array<i64: -1, -1>, parameter = -1 : i32, sizes = array<i64: 64, 64, 2147483648, 8192>, strides = array<i64: 0, 16, 34359738368>, swizzle = 128 : i32}]
// MAPS: ttng.init_barrier %{{.*}}, 1 :
// MAPS: ttng.fence_async_shared
// MAPS: ttg.warp_specialize({{.*}}) attributes {requestedRegisters = array<i32: 24>}
// MAPS: partition0({{.*}}) num_warps(4) {
// MAPS: scf.for
// MAPS: ttng.wait_barrier
// MAPS: %[[K:.*]] = tt.addptr %{{.*}}, %{{.*}} : !tt.ptr<f16>, i32
// MAPS: %[[ADDRESS:.*]] = tt.ptr_to_int %[[K]]
// MAPS: %[[TOP:.*]] = arith.shrui %[[ADDRESS]], %c35_i64
// MAPS: %[[UNITS:.*]] = arith.shrui %[[ADDRESS]], %c4_i64
// MAPS: arith.andi %[[UNITS]], %c2147483647_i64
// MAPS: ttng.barrier_expect %[[FULL:.*]], 8192, %true
// MAPS: ttng.async_tma_copy_global_to_local %{{.*}}[%{{.*}}, %{{.*}}, %c0_i32{{.*}}, %c0_i32{{.*}}] %{{.*}}, %[[FULL]], %true
// MAPS: ttng.async_tma_copy_global_to_local
tt.func @attention(%q: !ttg.memdesc<128x64xf16, #shared, #smem>, %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %block = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %ks = tt.splat %k : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %vs = tt.splat %v : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %kb = tt.addptr %ks, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %vb = tt.addptr %vs, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %o = arith.muli %i, %c64 : i32
    %offset = tt.splat %o : i32 -> tensor<64x64xi32, #b>
    %kp = tt.addptr %kb, %offset : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %vp = tt.addptr %vb, %offset : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %kt = tt.load %kp : tensor<64x64x!tt.ptr<f16>, #b>
    %km = ttg.local_alloc %kt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %km, %zero : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    %p = math.exp2 %s : tensor<128x64xf32, #mma>
    %scaled = arith.mulf %acc, %p : tensor<128x64xf32, #mma>
    %e = arith.truncf %p : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
    %a = ttg.convert_layout %e : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #a>
    %vt = tt.load %vp : tensor<64x64x!tt.ptr<f16>, #b>
    %vm = ttg.local_alloc %vt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %a, %vm, %scaled : tensor<128x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    scf.yield %d : tensor<128x64xf32, #mma>
  }
  tt.return %r : tensor<128x64xf32, #mma>
}

// Two loops that load tiles of the same kind: the partition continues from the first to the second, which uses the next
// slots. The code between the loops belongs to the program. The initial values of the second loop are computed in front
// of the first.
// CHECK-LABEL: @two
// CHECK: arith.addi %{{.*}}, %c64_i32
// CHECK: ttg.warp_specialize
// CHECK-NOT: ttg.warp_specialize
// CHECK: %[[FIRST:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}}, %{{.*}} = %c0_i32)
// CHECK: math.absf %[[FIRST]]#0
// CHECK: scf.for {{.*}}, %{{.*}} = %[[FIRST]]#1)
// CHECK: partition0
// CHECK: %[[FILLED:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %c0_i32
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[FILLED]])
// CHECK: ttg.warp_return
// A barrier between them orders the loads of the second one; a store to other memory (above) does not.
// CHECK-LABEL: @apart
// CHECK: ttg.warp_specialize
// CHECK: gpu.barrier
// CHECK: ttg.warp_specialize
tt.func @two(%q: !ttg.memdesc<128x64xf16, #shared, #smem>, %p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %o: !tt.ptr<f16>, %x: f16) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %block = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %ptr = tt.addptr %ps, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %r1 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %t = tt.load %ptr : tensor<64x64x!tt.ptr<f16>, #b>
    %m = ttg.local_alloc %t : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %m, %acc : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    scf.yield %s : tensor<128x64xf32, #mma>
  } {tt.warp_specialize = true}
  %end = arith.addi %n, %c64 : i32
  tt.store %o, %x : !tt.ptr<f16>
  %changed = math.absf %r1 : tensor<128x64xf32, #mma>
  %r2 = scf.for %i = %n to %end step %c1 iter_args(%acc = %changed) -> (tensor<128x64xf32, #mma>) : i32 {
    %t = tt.load %ptr : tensor<64x64x!tt.ptr<f16>, #b>
    %m = ttg.local_alloc %t : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %m, %acc : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    scf.yield %s : tensor<128x64xf32, #mma>
  } {tt.warp_specialize = true}
  tt.return %r2 : tensor<128x64xf32, #mma>
}

tt.func @apart(%q: !ttg.memdesc<128x64xf16, #shared, #smem>, %p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %block = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %ptr = tt.addptr %ps, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %r1 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %t = tt.load %ptr : tensor<64x64x!tt.ptr<f16>, #b>
    %m = ttg.local_alloc %t : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %m, %acc : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    scf.yield %s : tensor<128x64xf32, #mma>
  } {tt.warp_specialize = true}
  %end = arith.addi %n, %c64 : i32
  gpu.barrier
  %changed = math.absf %r1 : tensor<128x64xf32, #mma>
  %r2 = scf.for %i = %n to %end step %c1 iter_args(%acc = %changed) -> (tensor<128x64xf32, #mma>) : i32 {
    %t = tt.load %ptr : tensor<64x64x!tt.ptr<f16>, #b>
    %m = ttg.local_alloc %t : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %m, %acc : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    scf.yield %s : tensor<128x64xf32, #mma>
  } {tt.warp_specialize = true}
  tt.return %r2 : tensor<128x64xf32, #mma>
}

// A loop with a single dot is specialized only if it requests that.
// CHECK-LABEL: @plain
// CHECK-NOT: ttg.warp_specialize
// CHECK-LABEL: @asked
// CHECK: ttg.warp_specialize
// A dot that only accumulates stays in flight until the next iteration's dot has started. Its slot, one of three, is
// released then, and that of the last iteration behind the loop.
// ROTATED-LABEL: @asked
// ROTATED: ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16
// ROTATED: scf.if
// ROTATED: scf.for %[[I:.*]] = %[[BEGIN:.*]] to %{{.*}} iter_args(%[[SUM:[^ ]*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[PREVIOUS:[^ ]*]] = %{{.*}})
// ROTATED:   ttng.wait_barrier
// ROTATED:   %[[PRODUCT:.*]] = ttng.warp_group_dot %{{.*}}, %{{.*}}, %[[SUM]]
// ROTATED:   ttng.warp_group_dot_wait %[[PRODUCT]] {pendings = 1 : i32}
// ROTATED:   %[[HAS_PREVIOUS:.*]] = arith.cmpi ne, %[[I]], %[[BEGIN]]
// ROTATED:   ttg.memdesc_index %{{.*}}[%[[PREVIOUS]]]
// ROTATED:   ttng.arrive_barrier %{{.*}}, 1, %[[HAS_PREVIOUS]] read %{{.*}} {perWarp}
// ROTATED:   scf.yield
// ROTATED: ttng.warp_group_dot_wait %{{.*}} {pendings = 0 : i32}
// ROTATED: ttng.arrive_barrier %{{.*}}, 1 read %{{.*}} {perWarp}
// Producer warps do not load memory that the loop itself writes.
// CHECK-LABEL: @written
// CHECK-NOT: ttg.warp_specialize
tt.func @plain(%q: !ttg.memdesc<128x64xf16, #shared, #smem>, %p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %block = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %ptr = tt.addptr %ps, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %t = tt.load %ptr : tensor<64x64x!tt.ptr<f16>, #b>
    %m = ttg.local_alloc %t : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %m, %acc : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    scf.yield %s : tensor<128x64xf32, #mma>
  }
  tt.return %r : tensor<128x64xf32, #mma>
}

tt.func @asked(%q: !ttg.memdesc<128x64xf16, #shared, #smem>, %p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %block = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %ptr = tt.addptr %ps, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %t = tt.load %ptr : tensor<64x64x!tt.ptr<f16>, #b>
    %m = ttg.local_alloc %t : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %m, %acc : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    scf.yield %s : tensor<128x64xf32, #mma>
  } {tt.warp_specialize = true}
  tt.return %r : tensor<128x64xf32, #mma>
}

tt.func @written(%q: !ttg.memdesc<128x64xf16, #shared, #smem>, %p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %x: f16) -> tensor<128x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %block = tt.broadcast %row : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %ptr = tt.addptr %ps, %block : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32, #mma>) : i32 {
    %t = tt.load %ptr : tensor<64x64x!tt.ptr<f16>, #b>
    %m = ttg.local_alloc %t : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %m, %acc : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    tt.store %p, %x : !tt.ptr<f16>
    scf.yield %s : tensor<128x64xf32, #mma>
  } {tt.warp_specialize = true}
  tt.return %r : tensor<128x64xf32, #mma>
}
}
