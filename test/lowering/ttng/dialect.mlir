// RUN: tcc-opt %s | FileCheck %s
// RUN: tcc-opt %s | tcc-opt | FileCheck %s

// Warp group dots, their waits, fences, and mbarriers print as Triton prints them.
// CHECK-DAG: #mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
// CHECK-DAG: #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#narrow = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared3 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 3}>
#smem = #ttg.shared_memory

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @products
tt.func public @products(%a: !ttg.memdesc<64x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>,
                         %c: tensor<64x64xf32, #mma>, %l: tensor<64x32xf16, #left>,
                         %n: !ttg.memdesc<32x64xf16, #narrow, #smem>, %use: i1) {
  // CHECK: ttng.fence_async_shared {bCluster = false}
  ttng.fence_async_shared {bCluster = false}
  // CHECK: %[[D:.*]] = ttng.warp_group_dot %arg0, %arg1, %arg2 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
  %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
  // CHECK: ttng.warp_group_dot_wait %[[D]], %arg0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem>
  %w:2 = ttng.warp_group_dot_wait %d, %a {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem>
  // CHECK: ttng.warp_group_dot %arg3, %arg4, %{{.*}}, %arg5 {inputPrecision = 0 : i32} : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<32x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
  %e = ttng.warp_group_dot %l, %n, %w#0, %use {inputPrecision = 0 : i32} : tensor<64x32xf16, #left> * !ttg.memdesc<32x64xf16, #narrow, #smem> -> tensor<64x64xf32, #mma>
  tt.return
}

// CHECK-LABEL: @barriers
tt.func public @barriers(%bar: !ttg.memdesc<1xi64, #flat, #smem, mutable>, %tile: !ttg.memdesc<64x64xf16, #shared, #smem>, %phase: i32, %p: i1) {
  // CHECK: ttng.init_barrier %arg0, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
  ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  // CHECK: ttng.wait_barrier %arg0, %arg2 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
  ttng.wait_barrier %bar, %phase : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  // CHECK: ttng.wait_barrier %arg0, %arg2, %arg3 deps %arg1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem>
  ttng.wait_barrier %bar, %phase, %p deps %tile : !ttg.memdesc<1xi64, #flat, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem>
  // CHECK: ttng.arrive_barrier %arg0, 2 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
  ttng.arrive_barrier %bar, 2 : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  // CHECK: ttng.arrive_barrier %arg0, 1, %arg3 {perWarp} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
  ttng.arrive_barrier %bar, 1, %p {perWarp} : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  // CHECK: ttng.async_copy_mbarrier_arrive %arg0 {noIncrement} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
  ttng.async_copy_mbarrier_arrive %bar {noIncrement} : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  // CHECK: ttng.inval_barrier %arg0 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
  ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  tt.return
}

// CHECK-LABEL: @clusters
tt.func public @clusters(%x: tensor<64x64xf16>) {
  // CHECK: ttng.block_rank : i32
  %rank = ttng.block_rank : i32
  // CHECK: ttng.cluster_arrive {relaxed = false}
  ttng.cluster_arrive {relaxed = false}
  // CHECK: ttng.cluster_wait
  ttng.cluster_wait
  // CHECK: ttng.redistribute %arg0 [0, -1] to [1, 0] : tensor<64x64xf16> -> tensor<64x32xf16>
  %y = ttng.redistribute %x [0, -1] to [1, 0] : tensor<64x64xf16> -> tensor<64x32xf16>
  // CHECK: %[[COUNT:.*]] = ttng.block_count : i32
  %count = ttng.block_count : i32
  // CHECK: ttng.sum_over_blocks %arg0, %[[COUNT]] : tensor<64x64xf16>
  %z = ttng.sum_over_blocks %x, %count : tensor<64x64xf16>
  tt.return
}

// CHECK-LABEL: @maps
tt.func public @maps(%map: !tt.ptr<i8>, %p: !tt.ptr<f16>, %n: i32, %stride: i64) {
  // CHECK: ttng.tensormap_create %arg0, %arg1, [%arg2, %arg2], [%arg2, %arg2], [%arg3], [%arg2, %arg2] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
  ttng.tensormap_create %map, %p, [%n, %n], [%n, %n], [%stride], [%n, %n] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
  // CHECK: ttng.tensormap_fenceproxy_acquire %arg0 : !tt.ptr<i8>
  ttng.tensormap_fenceproxy_acquire %map : !tt.ptr<i8>
  // CHECK: ttng.reinterpret_tensor_descriptor %arg0 : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16, #{{.*}}>>
  %d = ttng.reinterpret_tensor_descriptor %map : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16, #shared>>
  tt.return
}

// CHECK-LABEL: @blocks
tt.func public @blocks(%map: !tt.tensordesc<tensor<1x64x64xf16, #shared3>>, %bar: !ttg.memdesc<1xi64, #flat, #smem, mutable>, %tile: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %i: i32, %p: i1,
                       %to: !tt.tensordesc<tensor<64x64xf16, #shared>>, %whole: tensor<64x64xf16, #mma>, %slots: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>) {
  // CHECK: ttng.barrier_expect %arg1, 8192, %arg4 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
  ttng.barrier_expect %bar, 8192, %p : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  // CHECK: ttng.async_tma_copy_global_to_local %arg0[%arg3, %arg3, %arg3] %arg2, %arg1, %arg4 : !tt.tensordesc<tensor<1x64x64xf16, #{{.*}}>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttng.async_tma_copy_global_to_local %map[%i, %i, %i] %tile, %bar, %p : !tt.tensordesc<tensor<1x64x64xf16, #shared3>>, !ttg.memdesc<1xi64, #flat, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  // Rows that are pixels of an image with one axis: there is one additional index, their offset along that axis.
  // CHECK: ttng.async_tma_copy_global_to_local %arg0[%arg3, %arg3, %arg3, %arg3] %arg2, %arg1, %arg4 : !tt.tensordesc<tensor<1x64x64xf16,
  ttng.async_tma_copy_global_to_local %map[%i, %i, %i, %i] %tile, %bar, %p : !tt.tensordesc<tensor<1x64x64xf16, #shared3>>, !ttg.memdesc<1xi64, #flat, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  // CHECK: ttng.async_tma_copy_local_to_global %arg0[%arg3, %arg3, %arg3] %arg2 : !tt.tensordesc<tensor<1x64x64xf16, #{{.*}}>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttng.async_tma_copy_local_to_global %map[%i, %i, %i] %tile : !tt.tensordesc<tensor<1x64x64xf16, #shared3>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  // CHECK: ttng.async_tma_reduce add, %arg0[%arg3, %arg3, %arg3] %arg2 : !tt.tensordesc<tensor<1x64x64xf16, #{{.*}}>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttng.async_tma_reduce add, %map[%i, %i, %i] %tile : !tt.tensordesc<tensor<1x64x64xf16, #shared3>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  // CHECK: ttng.async_tma_store_tile %arg5[%arg3, %arg3] %arg6 through %arg7 : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #mma>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
  ttng.async_tma_store_tile %to[%i, %i] %whole through %slots : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #mma>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
  // CHECK: ttng.async_tma_store_wait {pendings = 1 : i32}
  ttng.async_tma_store_wait {pendings = 1 : i32}
  // CHECK: ttng.async_tma_store_wait {pendings = 0 : i32, written}
  ttng.async_tma_store_wait {pendings = 0 : i32, written}
  // CHECK: ttng.arrive_barrier %arg1, 1 read %arg2 {perWarp} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttng.arrive_barrier %bar, 1 read %tile {perWarp} : !ttg.memdesc<1xi64, #flat, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  // CHECK: ttng.pass_turn {first}
  // CHECK: ttng.take_turn
  ttng.pass_turn {first}
  ttng.take_turn
  tt.return
}
}

#shared32 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
// The descriptor has the signedness of integers, by which a reduction compares.
// CHECK-LABEL: @signs
tt.func public @signs(%map: !tt.tensordesc<tensor<32x32xui32, #shared32>>, %bar: !ttg.memdesc<1xi64, #flat, #smem, mutable>, %tile: !ttg.memdesc<32x32xi32, #shared32, #smem, mutable>, %i: i32, %p: i1) {
  // CHECK: ttng.async_tma_copy_global_to_local {{.*}} : !tt.tensordesc<tensor<32x32xui32, #{{.*}}>>, {{.*}} -> !ttg.memdesc<32x32xi32,
  ttng.async_tma_copy_global_to_local %map[%i, %i] %tile, %bar, %p : !tt.tensordesc<tensor<32x32xui32, #shared32>>, !ttg.memdesc<1xi64, #flat, #smem, mutable> -> !ttg.memdesc<32x32xi32, #shared32, #smem, mutable>
  // CHECK: ttng.async_tma_reduce max, {{.*}} : !tt.tensordesc<tensor<32x32xui32, #{{.*}}>>, !ttg.memdesc<32x32xi32,
  ttng.async_tma_reduce max, %map[%i, %i] %tile : !tt.tensordesc<tensor<32x32xui32, #shared32>>, !ttg.memdesc<32x32xi32, #shared32, #smem, mutable>
  tt.return
}
