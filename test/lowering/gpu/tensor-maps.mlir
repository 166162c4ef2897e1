// RUN: tcc-opt %s --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s
// RUN: tcc-opt %s --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | not tcc-translate --to-ptx --arch=90a --ptx-version=84 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: tensor maps that a kernel makes need PTX 8.5
// Tensor maps that a kernel creates: the first warp builds them in 128 bytes of aligned shared memory. The other
// threads wait only once, after the acquire.
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: llvm.func @make
// CHECK: %[[LANE:.*]] = llvm.and %{{.*}}, %{{.*}} : i32
// CHECK: llvm.cond_br
// CHECK: llvm.mlir.addressof @global_smem
// CHECK: llvm.store %{{.*}}, %{{.*}} : i32, !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK: "@$1 tensormap.replace.tile.global_address.shared::cta.b1024.b64 [$0], $2;", "r,b,l,~{memory}"
// CHECK: "@$1 tensormap.replace.tile.rank.shared::cta.b1024.b32 [$0], 1;", "r,b,~{memory}"
// CHECK: "@$1 tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [$0], 0, $2;", "r,b,r,~{memory}" %{{.*}}, %{{.*}}, %arg2
// CHECK: "@$1 tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [$0], 1, $2;", "r,b,r,~{memory}" %{{.*}}, %{{.*}}, %arg3
// CHECK: "@$1 tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$0], 0, $2;"
// CHECK: "@$1 tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$0], 1, $2;"
// CHECK: "@$1 tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [$0], 0, $2;", "r,b,l,~{memory}"
// CHECK: "@$1 tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [$0], 0, $2;"
// CHECK: "@$1 tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [$0], 1, $2;"
// CHECK: "@$1 tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [$0], 7;", "r,b,~{memory}"
// CHECK: "@$1 tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [$0], 0;"
// CHECK: "@$1 tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [$0], 1;"
// CHECK: "@$1 tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [$0], 1;"
// CHECK: nvvm.bar.warp.sync
// CHECK: "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;", "l,r,~{memory}" %arg0
// CHECK: "fence.proxy.async.shared::cta;"
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.addrspacecast %arg0 : !llvm.ptr<1> to !llvm.ptr
// CHECK: "fence.proxy.tensormap::generic.acquire.gpu [$0], 128;\0A\09cp.async.bulk.commit_group;\0A\09cp.async.bulk.wait_group.read 0;", "l,~{memory}"
// CHECK: nvvm.barrier
// CHECK-NOT: nvvm.barrier
// CHECK: %[[MAP:.*]] = llvm.addrspacecast %arg0 : !llvm.ptr<1> to !llvm.ptr
// CHECK: mbarrier.init
// CHECK: nvvm.barrier
// CHECK: cp.async.bulk.tensor.2d{{.*}} %[[MAP]],
tt.func public @make(%map: !tt.ptr<i8>, %tensor: !tt.ptr<f32>, %columns: i32, %rows: i32, %stride: i64, %i: i32) {
  %true = arith.constant true
  ttng.tensormap_create %map, %tensor, [%columns, %rows], [%columns, %rows], [%stride], [%columns, %rows] {elem_type = 7 : i32, fill_mode = 1 : i32, interleave_layout = 0 : i32, swizzle_mode = 1 : i32} : (!tt.ptr<i8>, !tt.ptr<f32>, i32, i32, i32, i32, i64, i32, i32) -> ()
  ttng.tensormap_fenceproxy_acquire %map : !tt.ptr<i8>
  %d = ttng.reinterpret_tensor_descriptor %map : !tt.ptr<i8> to !tt.tensordesc<tensor<16x8xf32, #shared>>
  %tile = ttg.local_alloc : () -> !ttg.memdesc<16x8xf32, #shared, #smem, mutable>
  %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.barrier_expect %bar, 512, %true : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.async_tma_copy_global_to_local %d[%i, %i] %tile, %bar, %true : !tt.tensordesc<tensor<16x8xf32, #shared>>, !ttg.memdesc<1xi64, #flat, #smem, mutable> -> !ttg.memdesc<16x8xf32, #shared, #smem, mutable>
  tt.return
}

// Two maps, one after the other: the second one is not built while others may still use the memory of the first one for
// something else. The warp that builds both need not wait for the others in between.
// CHECK-LABEL: llvm.func @two
// CHECK: tensormap.cp_fenceproxy
// CHECK: tensormap.cp_fenceproxy
tt.func public @two(%map: !tt.ptr<i8>, %other: !tt.ptr<i8>, %tensor: !tt.ptr<f32>, %n: i32) {
  ttng.tensormap_create %map, %tensor, [%n], [%n], [], [%n] {elem_type = 7 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 0 : i32} : (!tt.ptr<i8>, !tt.ptr<f32>, i32, i32, i32) -> ()
  ttng.tensormap_create %other, %tensor, [%n], [%n], [], [%n] {elem_type = 7 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 0 : i32} : (!tt.ptr<i8>, !tt.ptr<f32>, i32, i32, i32) -> ()
  tt.return
}
}
