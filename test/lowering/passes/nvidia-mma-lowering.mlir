// RUN: tcc-opt --triton-nvidia-mma-lowering %s | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {

// A dot without a wait gets a barrier of its own, and its wait names the tiles that it reads.
// CHECK: tt.func @alone(%[[A:.*]]: !ttg.memdesc<128x64xbf16{{.*}}, %[[B:.*]]: !ttg.memdesc<64x128xbf16{{.*}}, %[[D:.*]]: !ttg.memdesc<128x128xf32{{.*}}, %[[P:.*]]: i1)
// CHECK: %[[BARRIERS:.*]] = ttg.local_alloc
// CHECK: ttng.init_barrier %{{.*}}, 1
// CHECK: %[[DONE:.*]] = ttg.memdesc_index %[[BARRIERS]]
// CHECK: ttng.tc_gen5_mma %[[A]], %[[B]], %[[D]], %{{.*}}, %[[P]], %[[DONE]][%[[P]]] {is_async}
// CHECK: ttng.wait_barrier %[[DONE]], %{{.*}}, %[[P]] deps %[[A]], %[[B]]
// CHECK: ttng.inval_barrier
// CHECK: ttg.local_dealloc %[[BARRIERS]]
tt.func @alone(%a: !ttg.memdesc<128x64xbf16, #shared, #smem>, %b: !ttg.memdesc<64x128xbf16, #shared, #smem>,
               %d: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, %p: i1) {
  %true = arith.constant true
  ttng.tc_gen5_mma %a, %b, %d, %true, %p : !ttg.memdesc<128x64xbf16, #shared, #smem>, !ttg.memdesc<64x128xbf16, #shared, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}
}
