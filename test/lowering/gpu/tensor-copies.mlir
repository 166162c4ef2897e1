// RUN: tcc-opt %s --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s
// Copies by the tensor memory accelerator, and take_turn. One thread of the first warp acts for all threads, in a
// single branch for all of its work.
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#block = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 4}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#wide = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 256, 16]}>
#columns = #ttg.linear<{register = [[1, 0], [0, 8], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32], [0, 64]], block = []}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {
// A map is passed by value, in the parameter space.
// CHECK: llvm.func @copies(%{{.*}}: i32, %[[MAP:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
// CHECK-SAME: ttng.tensor_maps = [{
// CHECK: nvvm.barrier
// CHECK: llvm.cond_br
// CHECK: %[[ELECTED:.*]] = nvvm.elect.sync
// CHECK-NEXT: llvm.cond_br %[[ELECTED]]
// CHECK-NOT: llvm.{{(cond_)?}}br
// CHECK: "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], 16384;", "r,~{memory}"
// CHECK-NOT: llvm.{{(cond_)?}}br
// Two boxes of 64 columns; coordinates begin with the fastest-varying axis.
// CHECK: "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4, $5, $6}], [$2];", "r,l,r,r,r,r,r,~{memory}" %{{.*}}, %[[MAP]], %{{.*}}, %[[ZERO:.*]], %{{.*}}, %{{.*}}, %{{.*}} :
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %{{.*}}[8192]
// CHECK: llvm.mlir.constant(64 : i32)
// CHECK: llvm.inline_asm {{.*}}cp.async.bulk.tensor.4d{{.*}} %[[SECOND]], %[[MAP]]
tt.func public @copies(%i: i32, %map: !tt.tensordesc<tensor<1x1x64x128xf16, #block>>) attributes {ttng.tensor_maps = [{}]} {
  %true = arith.constant true
  %c0 = arith.constant 0 : i32
  %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
  %tile = ttg.local_alloc : () -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
  ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.barrier_expect %bar, 16384, %true : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.async_tma_copy_global_to_local %map[%i, %i, %c0, %c0] %tile, %bar, %true : !tt.tensordesc<tensor<1x1x64x128xf16, #block>>, !ttg.memdesc<1xi64, #flat, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
  ttng.wait_barrier %bar, %c0 deps %tile : !ttg.memdesc<1xi64, #flat, #smem, mutable>, !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
  tt.return
}
// Pixels of images: the four coordinates of the first pixel are followed by two offsets of 16 bits, beginning with the
// fastest-varying axis.
// CHECK: llvm.func @pixels
// CHECK: %[[Y:.*]] = llvm.trunc %{{.*}} : i32 to i16
// CHECK: "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4, $5, $6}], [$2], {$7, $8};", "r,l,r,r,r,r,r,h,h,~{memory}"
tt.func public @pixels(%n: i32, %h: i32, %r: i32, %map: !tt.tensordesc<tensor<1x1x64x64xf16, #block>>) attributes {ttng.tensor_maps = [{}]} {
  %true = arith.constant true
  %c0 = arith.constant 0 : i32
  %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
  %tile = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.barrier_expect %bar, 8192, %true : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.async_tma_copy_global_to_local %map[%n, %h, %c0, %c0, %r, %c0] %tile, %bar, %true : !tt.tensordesc<tensor<1x1x64x64xf16, #block>>, !ttg.memdesc<1xi64, #flat, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttng.wait_barrier %bar, %c0 deps %tile : !ttg.memdesc<1xi64, #flat, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  tt.return
}
// A box that does not begin inside a tensor at address 0 is a copy of zeros.
// CHECK: llvm.func @outside
// CHECK: %[[BELOW:.*]] = llvm.icmp "slt" %{{.*}}, %{{.*}} : i32
// CHECK: %[[ZEROS:.*]] = llvm.mlir.addressof @tilecc.zeros : !llvm.ptr<1>
// CHECK: "@!$3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 8192, [$2];", "r,l,r,b,~{memory}" %{{.*}}, %[[ZEROS]], %{{.*}}, %[[INSIDE:.*]] :
// CHECK: "@$7 cp.async.bulk.tensor.4d{{.*}}, %[[INSIDE]] :
// CHECK: cp.async.bulk.shared::cluster
// CHECK: cp.async.bulk.tensor.4d
tt.func public @outside(%i: i32, %map: !tt.tensordesc<tensor<1x1x64x128xf16, #block>>) attributes {ttng.tensor_maps = [{}]} {
  %true = arith.constant true
  %c0 = arith.constant 0 : i32
  %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
  %tile = ttg.local_alloc : () -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
  ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.barrier_expect %bar, 16384, %true : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.async_tma_copy_global_to_local %map[%i, %i, %i, %i] %tile, %bar, %true {ttng.may_begin_outside} : !tt.tensordesc<tensor<1x1x64x128xf16, #block>>, !ttg.memdesc<1xi64, #flat, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
  ttng.wait_barrier %bar, %c0 deps %tile : !ttg.memdesc<1xi64, #flat, #smem, mutable>, !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
  tt.return
}
// The accumulator is stored to shared memory by stmatrix and copied from there to a tensor; a wait precedes the next
// write to that memory.
// CHECK: llvm.func @stores
// CHECK: llvm.call_intrinsic "llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3"
// CHECK: fence.proxy.async.shared::cta
// CHECK: nvvm.barrier
// CHECK: "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [$1, {$2, $3, $4, $5}], [$0];", "r,l,r,r,r,r,~{memory}"
// CHECK: cp.async.bulk.tensor.4d.global
// CHECK: "cp.async.bulk.commit_group;", "~{memory}"
// CHECK: "cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.tile.bulk_group [$1, {$2, $3, $4, $5}], [$0];", "r,l,r,r,r,r,~{memory}"
// CHECK: cp.reduce.async.bulk.tensor.4d
// CHECK: "cp.async.bulk.commit_group;", "~{memory}"
// CHECK: "cp.async.bulk.wait_group.read 0;", "~{memory}"
// CHECK: nvvm.barrier
// CHECK: llvm.nvvm.stmatrix
// CHECK: "cp.async.bulk.wait_group 0;", "~{memory}"
tt.func public @stores(%i: i32, %map: !tt.tensordesc<tensor<1x1x128x128xf16, #block>>, %x: f16) attributes {ttng.tensor_maps = [{}]} {
  %c0 = arith.constant 0 : i32
  %product = tt.splat %x : f16 -> tensor<128x128xf16, #mma>
  %tile = ttg.local_alloc : () -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
  ttg.local_store %product, %tile : tensor<128x128xf16, #mma> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
  ttng.fence_async_shared {bCluster = false}
  ttng.async_tma_copy_local_to_global %map[%i, %i, %c0, %c0] %tile : !tt.tensordesc<tensor<1x1x128x128xf16, #block>>, !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
  ttng.async_tma_reduce add, %map[%i, %i, %c0, %c0] %tile : !tt.tensordesc<tensor<1x1x128x128xf16, #block>>, !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
  ttng.async_tma_store_wait {pendings = 0 : i32}
  ttg.local_store %product, %tile : tensor<128x128xf16, #mma> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
  ttng.async_tma_store_wait {pendings = 0 : i32, written}
  tt.return
}
// Tiles whose warps have rows: each warp fills its part of a slot and starts its copy of 16 rows. Before that, one of
// its threads waits until the previous contents have been read (or, for the first part, written). No warp waits for
// another.
// CHECK-LABEL: llvm.func @tiles
// CHECK: nvvm.elect.sync
// CHECK: "cp.async.bulk.wait_group 0;", "~{memory}"
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-4: llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3
// CHECK: fence.proxy.async.shared::cta
// CHECK: nvvm.bar.warp.sync
// CHECK-NEXT: nvvm.elect.sync
// CHECK: "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [$1, {$2, $3}], [$0];", "r,l,r,r,~{memory}"
// CHECK-NEXT: "cp.async.bulk.commit_group;", "~{memory}"
// CHECK-COUNT-4: llvm.nvvm.stmatrix
// CHECK: cp.async.bulk.commit_group
// CHECK: "cp.async.bulk.wait_group.read 1;", "~{memory}"
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-4: llvm.nvvm.stmatrix
// CHECK: cp.async.bulk.commit_group
// CHECK: "cp.async.bulk.wait_group.read 1;", "~{memory}"
// CHECK-COUNT-4: llvm.nvvm.stmatrix
// CHECK: cp.async.bulk.commit_group
// CHECK-NOT: nvvm.barrier
tt.func public @tiles(%i: i32, %map: !tt.tensordesc<tensor<128x256xf16, #shared>>, %x: f16) attributes {ttng.tensor_maps = [{}]} {
  %tile = tt.splat %x : f16 -> tensor<128x256xf16, #wide>
  %slots = ttg.local_alloc : () -> !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
  ttng.async_tma_store_tile %map[%i, %i] %tile through %slots : !tt.tensordesc<tensor<128x256xf16, #shared>>, tensor<128x256xf16, #wide>, !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
  tt.return
}
// For a transposed dot, a warp has columns: all warps fill a slot of 64 rows, and one thread starts the copies of both
// boxes.
// CHECK-LABEL: llvm.func @turned
// CHECK: nvvm.barrier
// CHECK-COUNT-4: llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.trans.b16.p3
// CHECK: fence.proxy.async.shared::cta
// CHECK: nvvm.barrier
// CHECK-COUNT-2: cp.async.bulk.tensor.2d.global
// CHECK: cp.async.bulk.commit_group
// CHECK-COUNT-4: llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.trans.b16.p3
// CHECK-COUNT-2: cp.async.bulk.tensor.2d.global
// CHECK-NOT: cp.async.bulk.tensor
tt.func public @turned(%i: i32, %map: !tt.tensordesc<tensor<128x128xf16, #shared>>, %x: f16) attributes {ttng.tensor_maps = [{}]} {
  %product = tt.splat %x : f16 -> tensor<128x128xf16, #mma>
  %tile = tt.trans %product {order = array<i32: 1, 0>} : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #columns>
  %slots = ttg.local_alloc : () -> !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable>
  ttng.async_tma_store_tile %map[%i, %i] %tile through %slots : !tt.tensordesc<tensor<128x128xf16, #shared>>, tensor<128x128xf16, #columns>, !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable>
  tt.return
}
// Two warpgroups: barriers 8 and 9.
// CHECK-LABEL: llvm.func @turns
// CHECK: "@$1 bar.arrive $0, 256;", "r,b,~{memory}"
// CHECK: "bar.sync $0, 256;", "r,~{memory}"
// CHECK: "bar.arrive $0, 256;", "r,~{memory}"
// CHECK: "@$1 bar.sync $0, 256;", "r,b,~{memory}"
tt.func public @turns() {
  ttng.pass_turn {first}
  ttng.take_turn
  ttng.pass_turn
  ttng.take_turn {last}
  tt.return
}
}
