// In this TTGIR, encodings specify the part that each block has (CGALayout). A part gets the encoding of the whole
// tile, without the blocks.
// RUN: tcc-opt %s --split-input-file --tritongpu-plan-cta | FileCheck %s

// CHECK: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-LABEL: @elements
// CHECK: %[[RANK:.*]] = ttng.block_rank
// CHECK: tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #[[ROWS]]}>>
// CHECK: arith.andi %[[RANK]], %c1_i32
// CHECK: tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #[[ROWS]]}>>
// CHECK: arith.shrui %[[RANK]], %c1_i32
// CHECK: tt.load %{{.*}} : tensor<32x32x!tt.ptr<f32>, #[[ROWS]]>
// CHECK: tt.store %{{.*}} : tensor<32x32x!tt.ptr<f32>, #[[ROWS]]>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1], [1, 0]]}>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @elements(%x: !tt.ptr<f32>) {
    %width = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %row2 = arith.muli %row1, %width : tensor<64x1xi32, #blocked>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %column1 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %column2 = tt.broadcast %column1 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %place = arith.addi %row3, %column2 : tensor<64x64xi32, #blocked>
    %x1 = tt.splat %x : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %p = tt.addptr %x1, %place : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %v = tt.load %p : tensor<64x64x!tt.ptr<f32>, #blocked>
    %w = arith.addf %v, %v : tensor<64x64xf32, #blocked>
    tt.store %p, %w : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

// A reduction along a distributed axis combines each part, and then the results of the blocks; a scalar is exchanged in
// a tile of one element.
// CHECK: #[[ONE:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-LABEL: @reductions
// CHECK: %[[S:.*]] = "tt.reduce"
// CHECK: (tensor<64x32xf32, #[[M:.*]]>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #[[M]]}>>
// CHECK: %[[WIDE:.*]] = tt.expand_dims %[[S]] {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #[[M]]}>> -> tensor<64x1xf32, #[[M]]>
// CHECK: %[[ALL:.*]] = ttng.redistribute %[[WIDE]] [1] to [-1] : tensor<64x1xf32, #[[M]]> -> tensor<64x2xf32, #[[M]]>
// CHECK: "tt.reduce"(%[[ALL]])
// CHECK: (tensor<64x2xf32, #[[M]]>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #[[M]]}>>
// CHECK: (tensor<32xf32, #[[P:.*]]>) -> f32
// CHECK: tt.splat %{{.*}} : f32 -> tensor<1xf32, #[[ONE]]>
// CHECK: ttng.redistribute %{{.*}} [0] to [-1] : tensor<1xf32, #[[ONE]]> -> tensor<2xf32, #[[ONE]]>
// CHECK: (tensor<2xf32, #[[ONE]]>) -> f32
#matrix = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#parts = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @reductions(%x: !tt.ptr<f32>, %y: f32) {
    %v = tt.splat %y : f32 -> tensor<64x64xf32, #matrix>
    %s = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64x64xf32, #matrix>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #matrix}>>
    %t = ttg.convert_layout %s : tensor<64xf32, #ttg.slice<{dim = 1, parent = #matrix}>> -> tensor<64xf32, #parts>
    %all = "tt.reduce"(%t) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64xf32, #parts>) -> f32
    tt.store %x, %all : !tt.ptr<f32>
    tt.return
  }
}

// -----

// A conversion between blocks is an exchange followed by a conversion within each block. A tile in shared memory is a
// block's part, and so is a tile that is loaded from it, wherever it is passed. If there are copies, the first block
// stores.
// CHECK-LABEL: @conversions
// CHECK: ttg.local_alloc %{{.*}} : (tensor<32x64xf32, #[[A:.*]]>) -> !ttg.memdesc<32x64xf32, #[[SHARED:.*]], #smem>
// CHECK: %[[L:.*]] = ttg.local_load %{{.*}} : !ttg.memdesc<32x64xf32, #[[SHARED]], #smem> -> tensor<32x64xf32, #[[B:.*]]>
// CHECK: ttng.redistribute %[[L]] [0] to [1] : tensor<32x64xf32, #[[B]]> -> tensor<64x32xf32, #[[B]]>
// CHECK: %[[C:.*]] = ttng.redistribute %{{.*}} [1] to [-1] : tensor<64x32xf32, #[[B]]> -> tensor<64x64xf32, #[[B]]>
// CHECK: ttg.convert_layout %[[C]] : tensor<64x64xf32, #[[B]]> -> tensor<64x64xf32, #[[A]]>
// CHECK: arith.cmpi eq
// CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} {ttg.shared_by_blocks} : tensor<64x64x!tt.ptr<f32>, #[[A]]>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#columns = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#copies = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 0]]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @conversions(%x: !tt.ptr<f32>) {
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #rows>
    %v = tt.load %p : tensor<64x64x!tt.ptr<f32>, #rows>
    %m = ttg.local_alloc %v : (tensor<64x64xf32, #rows>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %w = ttg.local_load %m : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #columns>
    %n = arith.negf %w : tensor<64x64xf32, #columns>
    %c = ttg.convert_layout %n : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #copies>
    %q = tt.splat %x : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #copies>
    tt.store %q, %c : tensor<64x64x!tt.ptr<f32>, #copies>
    tt.return
  }
}

// -----

// Tensor copies begin where the block's part begins; one block creates a map while no block uses it; barriers belong to
// each block.
// CHECK-LABEL: @copies
// CHECK: ttng.cluster_arrive
// CHECK-NEXT: ttng.cluster_wait
// CHECK: scf.if
// CHECK: ttng.tensormap_create
// CHECK: ttng.cluster_arrive
// CHECK-NEXT: ttng.cluster_wait
// CHECK-NEXT: ttng.tensormap_fenceproxy_acquire
// CHECK: ttng.reinterpret_tensor_descriptor %{{.*}} : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16, #[[S:.*]]>>
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<1xi64, #{{.*}}, #smem, mutable>
// CHECK: %[[BEGIN:.*]] = arith.muli %{{.*}}, %c64_i32{{.*}} : i32
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[BEGIN]]
// CHECK: ttng.async_tma_copy_global_to_local %{{.*}}[%[[AT]], %{{.*}}] {{.*}} -> !ttg.memdesc<64x64xf16, #[[S]], #smem, mutable>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @copies(%x: !tt.ptr<f16>, %map: !tt.ptr<i8>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %c128 = arith.constant 128 : i32
    %pitch = arith.constant 128 : i64
    %true = arith.constant true
    ttng.tensormap_create %map, %x, [%c64, %c64], [%c64, %c128], [%pitch], [%c1, %c1] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %map : !tt.ptr<i8>
    %d = ttng.reinterpret_tensor_descriptor %map : !tt.ptr<i8> to !tt.tensordesc<tensor<128x64xf16, #tile>>
    %m = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #tile, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    ttng.barrier_expect %b, 8192, %true : !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %b, %true : !tt.tensordesc<tensor<128x64xf16, #tile>>, !ttg.memdesc<1xi64, #barrier, #smem, mutable> -> !ttg.memdesc<128x64xf16, #tile, #smem, mutable>
    ttng.wait_barrier %b, %c0 : !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    tt.return
  }
}
