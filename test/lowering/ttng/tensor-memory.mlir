// RUN: tcc-opt %s | FileCheck %s
// RUN: tcc-opt %s | tcc-opt | FileCheck %s

// Tensor memory, and dots that accumulate there, print as Triton prints them.
// CHECK-DAG: #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
// CHECK-DAG: #tmem2 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#part = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
#columns = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#pair = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @products
tt.func public @products(%a: !ttg.memdesc<128x64xbf16, #shared, #smem>, %b: !ttg.memdesc<64x64xbf16, #shared, #smem>,
                         %tile: tensor<128x64xf32, #linear>, %barrier: !ttg.memdesc<1xi64, #flat, #smem, mutable>, %p: i1) {
  // CHECK: %[[D:.*]] = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %d = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  // CHECK: ttng.tmem_alloc %{{.*}} : (tensor<128x64xf32, #linear>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>
  %e = ttng.tmem_alloc %tile : (tensor<128x64xf32, #linear>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>
  // CHECK: ttng.tmem_store %{{.*}}, %[[D]], %{{.*}} : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  ttng.tmem_store %tile, %d, %p : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  // CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[D]], %[[P:.*]], %[[P]] : !ttg.memdesc<128x64xbf16, #shared, #smem>, !ttg.memdesc<64x64xbf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  ttng.tc_gen5_mma %a, %b, %d, %p, %p : !ttg.memdesc<128x64xbf16, #shared, #smem>, !ttg.memdesc<64x64xbf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  // CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[D]], %[[P]], %[[P]], %[[BAR:.*]][%[[P]]] {is_async} : {{.*}}, !ttg.memdesc<1xi64, #shared{{[0-9]*}}, #smem, mutable>
  ttng.tc_gen5_mma %a, %b, %d, %p, %p, %barrier[%p] {is_async} : !ttg.memdesc<128x64xbf16, #shared, #smem>, !ttg.memdesc<64x64xbf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #flat, #smem, mutable>
  // CHECK: ttng.tc_gen5_commit %[[BAR]] :
  ttng.tc_gen5_commit %barrier : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  // CHECK: ttng.tmem_load %[[D]] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>
  %result = ttng.tmem_load %d : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>
  // CHECK: ttng.tmem_subslice %[[D]] {N = 32 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #[[PART:.*]], #ttng.tensor_memory, mutable, 128x64>
  %part = ttng.tmem_subslice %d {N = 32 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #part, #ttng.tensor_memory, mutable, 128x64>
  // CHECK: ttng.tmem_load %{{.*}} : !ttg.memdesc<128x32xf32, #[[PART]], #ttng.tensor_memory, mutable, 128x64> -> tensor<128x32xf32, #linear1>
  %columns = ttng.tmem_load %part : !ttg.memdesc<128x32xf32, #part, #ttng.tensor_memory, mutable, 128x64> -> tensor<128x32xf32, #columns>
  tt.return
}
// CHECK: @pair(%{{.*}}: !ttg.memdesc<256x64xf32, #tmem2, #ttng.tensor_memory>)
tt.func @pair(%d: !ttg.memdesc<256x64xf32, #pair, #ttng.tensor_memory>) {
  tt.return
}
}
