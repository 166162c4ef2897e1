// RUN: tcc-opt %s --tritongpu-assign-latencies --tritongpu-schedule-loops --tritongpu-pipeline --triton-nvidia-gpu-overlap-products --canonicalize --cse | FileCheck %s
// RUN: tcc-opt %s --tritongpu-assign-latencies --tritongpu-schedule-loops --tritongpu-pipeline --triton-nvidia-gpu-overlap-products --canonicalize --tritongpu-lower-control-flow --allocate-shared-memory --tritongpu-membar | FileCheck %s --check-prefix=BARRIERS
// Tensor copies start two iterations ahead. Each slot has an mbarrier, on which one thread and the bytes of the copy
// arrive.

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#block = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 4}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma2 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a2 = #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>
#b2 = #ttg.dot_op<{opIdx = 1, parent = #mma2, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

// CHECK-LABEL: @product
// CHECK: %[[TILES:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #{{.*}}, #smem, mutable>
// CHECK-COUNT-3: ttng.init_barrier %{{.*}}, 1 :
// CHECK: ttng.fence_async_shared
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi sgt
// CHECK: ttng.barrier_expect %{{.*}}, 8192, %[[IS_FIRST]]
// CHECK: ttng.async_tma_copy_global_to_local %{{.*}}, %[[IS_FIRST]]
// CHECK: ttng.async_tma_copy_global_to_local
// CHECK-NOT: ttg.async_wait
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %[[BEFORE:.*]] = %c2_i32, %[[PHASE:.*]] = %c1_i32)
// CHECK: %[[SLOT:.*]] = arith.select
// CHECK: %[[PARITY:.*]] = arith.xori %[[PHASE]]
// CHECK: %[[TILE:.*]] = ttg.memdesc_index %[[TILES]][%[[SLOT]]]
// CHECK: ttng.wait_barrier %{{.*}}, %[[PARITY]] deps %[[TILE]]
// CHECK: ttng.warp_group_dot %{{.*}}, %[[TILE]]
// CHECK: ttng.warp_group_dot_wait %{{.*}} {pendings = 1 : i32}
// CHECK: %[[NEXT:.*]] = ttg.memdesc_index %[[TILES]][%[[BEFORE]]]
// CHECK: ttng.async_tma_copy_global_to_local %{{.*}} %[[NEXT]]
// CHECK: scf.yield {{.*}}, %[[SLOT]], %[[PARITY]]
// CHECK: ttng.inval_barrier

// One barrier of all threads per iteration: before the slot of the completed dot is overwritten.
// BARRIERS-LABEL: @product
// BARRIERS: ttng.wait_barrier
// BARRIERS-NEXT: ttng.warp_group_dot
// BARRIERS-NEXT: ttng.warp_group_dot_wait
// BARRIERS: ttg.local_barrier
// BARRIERS-NEXT: ttng.barrier_expect
// BARRIERS-NEXT: ttng.async_tma_copy_global_to_local
// BARRIERS-NOT: ttg.local_barrier
// BARRIERS: cf.br
tt.func @product(%map: !tt.tensordesc<tensor<1x1x64x64xf16, #block>>, %n: i32, %q: !ttg.memdesc<64x64xf16, #shared, #smem>) -> tensor<64x64xf32, #mma> attributes {ttng.tensor_maps = [{}]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %x = tt.descriptor_load %map[%c0, %i, %c0, %c0] : !tt.tensordesc<tensor<1x1x64x64xf16, #block>> -> tensor<64x64xf16, #b>
    %xm = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %q, %xm, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// In a loop over tiles, the last iterations for a tile start the first copies for the next one. If there are fewer
// iterations than that, the copies start behind the tile's loop. They go to the next slots; slots and barriers belong
// to the outer loop. A store in between does not prevent this, because no tensor is copied that the kernel writes.
// CHECK-LABEL: @tiles
// CHECK: %[[TILES:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #{{.*}}, #smem, mutable>
// CHECK-COUNT-3: ttng.init_barrier
// CHECK: ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c0_i32, %arg3, %c0_i32]
// CHECK: ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c1_i32, %arg3, %c0_i32]
// CHECK: scf.for %[[T:.*]] = %arg3 to %arg4 step %c1_i32 iter_args(%[[S:[^ ]*]] = %c2_i32, %[[P:[^ ]*]] = %c1_i32)
// CHECK:   %[[LAST:.*]] = arith.subi %arg1, %c2_i32
// CHECK:   %[[NEXT:.*]] = arith.addi %[[T]], %c1_i32
// CHECK:   %[[RUNS:.*]] = arith.cmpi slt, %[[NEXT]], %arg4
// CHECK:   %[[LONG:.*]] = arith.cmpi sgt, %{{.*}}, %c0_i32
// CHECK:   %[[STARTS:.*]] = arith.andi %[[LONG]], %[[RUNS]]
// CHECK:   %[[BACK:.*]] = arith.subi %c0_i32, %arg1
// CHECK:   %[[R:.*]]:3 = scf.if
// CHECK:     scf.for %[[I:.*]] = {{.*}} iter_args(%{{[^ ]*}} = %cst, %{{[^ ]*}} = %[[S]], %{{[^ ]*}} = %[[P]])
// CHECK:       %[[THIS:.*]] = arith.cmpi slt, %[[I]], %[[LAST]]
// CHECK:       %[[AHEAD:.*]] = arith.addi %[[I]], %c2_i32
// CHECK:       %[[BEGIN:.*]] = arith.addi %[[AHEAD]], %[[BACK]]
// CHECK:       %[[IS:.*]] = arith.cmpi slt, %[[BEGIN]], %arg1
// CHECK:       %[[OTHER:.*]] = arith.andi %[[STARTS]], %[[IS]]
// CHECK:       %[[AT:.*]] = arith.select %[[THIS]], %[[AHEAD]], %[[BEGIN]]
// CHECK:       %[[EITHER:.*]] = arith.ori %[[THIS]], %[[OTHER]]
// CHECK:       %[[TILE:.*]] = arith.select %[[THIS]], %[[T]], %[[NEXT]]
// CHECK:       ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %[[AT]], %[[TILE]], %c0_i32] %{{.*}}, %{{.*}}, %[[EITHER]]
// CHECK:   } else {
// CHECK:   scf.if
// CHECK:     arith.addi %[[R]]#1, %c1_i32
// CHECK:     %[[BOTH:.*]] = arith.andi %[[RUNS]], %{{.*}} : i1
// CHECK:     ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c0_i32, %[[NEXT]], %c0_i32] %{{.*}}, %{{.*}}, %[[BOTH]]
// CHECK:     ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c1_i32, %[[NEXT]], %c0_i32]
// CHECK:   tt.store
// CHECK:   scf.yield %[[R]]#1, %[[R]]#2
// CHECK: ttng.inval_barrier

// All threads have read the slots before one of them refills them for the next tile, in the loop or behind it.
// BARRIERS-LABEL: @tiles
// BARRIERS: ttng.warp_group_dot_wait {{.*}} {pendings = 1
// BARRIERS: ttg.local_barrier
// BARRIERS-NEXT: ttng.barrier_expect
// BARRIERS-NEXT: ttng.async_tma_copy_global_to_local
// BARRIERS: ttng.warp_group_dot_wait {{.*}} {pendings = 0
// BARRIERS: ttg.local_barrier
// BARRIERS-NEXT: ttng.barrier_expect
// BARRIERS-NEXT: ttng.async_tma_copy_global_to_local
// BARRIERS: tt.store
tt.func @tiles(%map: !tt.tensordesc<tensor<1x1x64x64xf16, #block>>, %n: i32, %q: !ttg.memdesc<64x64xf16, #shared, #smem>, %first: i32, %end: i32, %c: tensor<64x64x!tt.ptr<f32>, #mma>) attributes {ttng.tensor_maps = [{}]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  scf.for %t = %first to %end step %c1 : i32 {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %x = tt.descriptor_load %map[%c0, %i, %t, %c0] : !tt.tensordesc<tensor<1x1x64x64xf16, #block>> -> tensor<64x64xf16, #b>
      %xm = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %q, %xm, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.store %c, %r : tensor<64x64x!tt.ptr<f32>, #mma>
  }
  tt.return
}

// Divisions that compute a tile's coordinates are loop-carried, also those of the next tile. The first iteration for a
// tile computes those of the tile after the next, beside its dots; their divisor may be zero if there is no such tile.
// For a tile without iterations they are computed in front of the loop.
// CHECK-LABEL: @coordinates
// CHECK: %[[ROW0:.*]] = arith.divsi %arg3, %arg5
// CHECK: %[[SIZE0:.*]] = arith.subi %arg5, %[[ROW0]]
// CHECK: %[[COLUMN0:.*]] = arith.remsi %arg3, %{{.*}}
// CHECK: ttng.async_tma_copy_global_to_local
// CHECK: %[[SECOND:.*]] = arith.addi %arg3, %c1_i32
// CHECK: %[[ROW1:.*]] = arith.divsi %[[SECOND]], %arg5
// CHECK: %[[COLUMN1:.*]] = arith.remsi %[[SECOND]], %{{.*}}
// CHECK: scf.for %[[T:.*]] = %arg3 to %arg4 step %c1_i32 iter_args(%{{.*}}, %{{.*}}, %[[ROW:.*]] = %[[ROW0]], %[[COLUMN:.*]] = %[[COLUMN0]], %[[NEXTROW:.*]] = %[[ROW1]], %[[NEXTCOLUMN:.*]] = %[[COLUMN1]])
// CHECK:   %[[NONE:.*]] = arith.cmpi sle, %arg1, %c0_i32
// CHECK:   %[[EARLY:.*]]:2 = scf.if %[[NONE]]
// CHECK:     arith.divsi
// CHECK:     arith.remsi
// CHECK:   %[[R:.*]]:5 = scf.if
// CHECK-NEXT: scf.for %[[I:.*]] = {{.*}} iter_args({{.*}}, %[[D:[^ ]*]] = %[[EARLY]]#0, %[[E:[^ ]*]] = %[[EARLY]]#1)
// CHECK:       %[[THIS:.*]] = arith.cmpi slt, %[[I]]
// CHECK:       %[[R2:.*]] = arith.select %[[THIS]], %[[ROW]], %[[NEXTROW]]
// CHECK:       %[[C2:.*]] = arith.select %[[THIS]], %[[COLUMN]], %[[NEXTCOLUMN]]
// CHECK:       ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %{{.*}}, %[[R2]], %[[C2]]]
// CHECK:       %[[FIRST:.*]] = arith.cmpi eq, %[[I]], %c0_i32
// CHECK:       %[[LATER:.*]]:2 = scf.if %[[FIRST]]
// CHECK:         %[[BEHIND:.*]] = arith.addi %[[T]], %c2_i32
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %[[BEHIND]], %arg4
// CHECK:         %[[ROW2:.*]] = arith.divsi %[[BEHIND]], %arg5
// CHECK:         %[[SIZE2:.*]] = arith.subi %arg5, %[[ROW2]]
// CHECK:         %[[SAFE:.*]] = arith.select %[[RUNS]], %[[SIZE2]], %c1_i32
// CHECK:         %[[COLUMN2:.*]] = arith.remsi %[[BEHIND]], %[[SAFE]]
// CHECK:         scf.yield %[[ROW2]], %[[COLUMN2]]
// CHECK:         scf.yield %[[D]], %[[E]]
// CHECK:       scf.yield {{.*}}, %[[LATER]]#0, %[[LATER]]#1
// CHECK:   tt.addptr %arg6, %[[COLUMN]]
// CHECK:   scf.yield {{.*}}, %[[NEXTROW]], %[[NEXTCOLUMN]], %[[R]]#3, %[[R]]#4
tt.func @coordinates(%map: !tt.tensordesc<tensor<1x1x64x64xf16, #block>>, %n: i32, %q: !ttg.memdesc<64x64xf16, #shared, #smem>, %first: i32, %end: i32, %rows: i32, %c: !tt.ptr<f32>) attributes {ttng.tensor_maps = [{}]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  scf.for %t = %first to %end step %c1 : i32 {
    %row = arith.divsi %t, %rows : i32
    %size = arith.subi %rows, %row : i32
    %column = arith.remsi %t, %size : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %x = tt.descriptor_load %map[%c0, %i, %row, %column] : !tt.tensordesc<tensor<1x1x64x64xf16, #block>> -> tensor<64x64xf16, #b>
      %xm = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %q, %xm, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    %p = tt.addptr %c, %column : !tt.ptr<f32>, i32
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #mma>
    tt.store %ps, %r : tensor<64x64x!tt.ptr<f32>, #mma>
  }
  tt.return
}

// A tile that is an operand of both kinds of dots is copied ahead in the layout for warp groups; the others load from
// there.
// CHECK-LABEL: @both
// CHECK: %[[TILES:.*]] = ttg.local_alloc : () -> !ttg.memdesc<{{[0-9]}}x64x64xf16, #[[BOXES:shared[0-9]*]], #smem, mutable>
// CHECK: ttg.async_copy_global_to_local
// CHECK: scf.for
// CHECK: %[[TILE:.*]] = ttg.memdesc_index %[[TILES]]
// CHECK: ttg.local_load %[[TILE]] : {{.*}} -> tensor<64x64xf16, #ttg.dot_op
// CHECK-NOT: ttg.local_alloc
// CHECK: ttng.warp_group_dot %{{[^,]*}}, %[[TILE]]
tt.func @both(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %q: !ttg.memdesc<64x64xf16, #shared, #smem>, %x: tensor<64x64xf16, #a2>) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma2>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant dense<64> : tensor<64x1xi32, #b>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %zero2 = arith.constant dense<0.0> : tensor<64x64xf32, #mma2>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>>
  %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
  %rows = arith.muli %r1, %c64 : tensor<64x1xi32, #b>
  %k = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %k1 = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %k2 = tt.broadcast %k1 : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %rows2 = tt.broadcast %rows : tensor<64x1xi32, #b> -> tensor<64x64xi32, #b>
  %o = arith.addi %rows2, %k2 : tensor<64x64xi32, #b>
  %s = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %pa = tt.addptr %s, %o : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %f:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %acc2 = %zero2) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma2>) : i32 {
    %y = tt.load %pa : tensor<64x64x!tt.ptr<f16>, #b>
    %y2 = ttg.convert_layout %y : tensor<64x64xf16, #b> -> tensor<64x64xf16, #b2>
    %d2 = tt.dot %x, %y2, %acc2 : tensor<64x64xf16, #a2> * tensor<64x64xf16, #b2> -> tensor<64x64xf32, #mma2>
    %ym = ttg.local_alloc %y : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %q, %ym, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d, %d2 : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma2>
  }
  tt.return %f#0, %f#1 : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma2>
}

// Threads write an operand of this dot, followed by a fence, which would wait for loads in flight. So the vector is
// copied, too.
// CHECK-LABEL: @line
// CHECK-DAG: ttg.local_alloc : () -> !ttg.memdesc<{{[0-9]}}x64x64xf16
// CHECK-DAG: %[[LINES:.*]] = ttg.local_alloc : () -> !ttg.memdesc<{{[0-9]}}x64xf32
// CHECK: scf.for
// CHECK: %[[LINE:.*]] = ttg.memdesc_index %[[LINES]]
// CHECK: ttg.local_load %[[LINE]] : {{.*}} -> tensor<64xf32
// CHECK: ttng.warp_group_dot
// CHECK: ttg.async_copy_global_to_local %{{.*}} : tensor<64x!tt.ptr<f32>
// CHECK-NOT: tt.load
tt.func @line(%pa: tensor<64x64x!tt.ptr<f16>, #b> {tt.contiguity = dense<[1, 8]> : tensor<2xi32>, tt.divisibility = dense<[16, 16]> : tensor<2xi32>}, %pl: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #b}>>, %n: i32, %q: !ttg.memdesc<64x64xf16, #shared, #smem>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %y = tt.load %pa : tensor<64x64x!tt.ptr<f16>, #b>
    %l = tt.load %pl : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #b}>>
    %l1 = tt.expand_dims %l {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xf32, #b>
    %l2 = tt.broadcast %l1 : tensor<64x1xf32, #b> -> tensor<64x64xf32, #b>
    %y32 = arith.extf %y : tensor<64x64xf16, #b> to tensor<64x64xf32, #b>
    %w32 = arith.mulf %y32, %l2 : tensor<64x64xf32, #b>
    %w = arith.truncf %w32 : tensor<64x64xf32, #b> to tensor<64x64xf16, #b>
    %wm = ttg.local_alloc %w : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %q, %wm, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %f : tensor<64x64xf32, #mma>
}
}
