// RUN: tcc-opt --tcc-gpu-to-llvm='arch=100a' %s | FileCheck %s

// A dot of 128x128x64 in bf16: the first warp allocates once; one thread executes four instructions of depth 16, whose
// descriptors are 2 units of 16 bytes apart, and one commit; and loads of 32 columns each follow the wait. The
// instruction descriptor follows PTX ISA's table: f32 accumulators, bf16 operands, the right operand by its rows, N / 8
// = 16, M / 16 = 8.
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#rows = #ttg.slice<{dim = 1, parent = #linear}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: llvm.func @product
// CHECK: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 128;
// CHECK-SAME: tcgen05.relinquish_alloc_permit
// CHECK: nvvm.barrier
// CHECK-DAG: llvm.mlir.constant(136381584 : i32)
// CHECK-COUNT-4: tcgen05.mma.cta_group::1.kind::f16 [$0], $1, $2, $3, p;
// CHECK-NOT: tcgen05.mma
// CHECK: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];
// CHECK: mbarrier.try_wait.parity
// CHECK-COUNT-4: tcgen05.ld.sync.aligned.32x32b.x32.b32
// CHECK-NOT: tcgen05.ld
// CHECK: tcgen05.wait::ld.sync.aligned;
// CHECK: tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, 128;
tt.func public @product(%out: !tt.ptr<f32>) {
  %false = arith.constant false
  %true = arith.constant true
  %zero = arith.constant 0 : i32
  %a = ttg.local_alloc : () -> !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>
  %b = ttg.local_alloc : () -> !ttg.memdesc<64x128xbf16, #shared, #smem, mutable>
  %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  %d = ttng.tmem_alloc : () -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
  ttng.tc_gen5_mma %a, %b, %d, %false, %true, %bar[%true] {is_async} : !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>, !ttg.memdesc<64x128xbf16, #shared, #smem, mutable>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #flat, #smem, mutable>
  ttng.wait_barrier %bar, %zero deps %a, %b : !ttg.memdesc<1xi64, #flat, #smem, mutable>, !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>, !ttg.memdesc<64x128xbf16, #shared, #smem, mutable>
  %tile = ttng.tmem_load %d : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
  %sums = "tt.reduce"(%tile) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    tt.reduce.return %sum : f32
  }) : (tensor<128x128xf32, #linear>) -> tensor<128xf32, #rows>
  %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #rows>
  %base = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #rows>
  %to = tt.addptr %base, %range : tensor<128x!tt.ptr<f32>, #rows>, tensor<128xi32, #rows>
  tt.store %to, %sums : tensor<128x!tt.ptr<f32>, #rows>
  tt.return
}
}
