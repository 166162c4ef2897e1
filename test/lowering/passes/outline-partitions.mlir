// RUN: tcc-opt %s | FileCheck %s
// RUN: tcc-opt %s | tcc-opt | FileCheck %s
// RUN: tcc-opt %s --tritongpu-outline-partitions --allocate-shared-memory | FileCheck %s --check-prefix=OUTLINED
// RUN: tcc-opt %s --tcc-gpu-to-llvm | FileCheck %s --check-prefix=LLVM
// Partitions in Triton's syntax become functions, and then branches of the kernel.

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 8 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// OUTLINED: "ttg.num-warps" = 8 : i32
// OUTLINED-SAME: "ttg.total-num-warps" = 12 : i32
// Captured shared memory is known by its address.
// OUTLINED: tt.func private @roles$0$0(%[[N:.*]]: i32, %[[P:.*]]: !tt.ptr<i32> {tt.divisibility = 16 : i32})
// OUTLINED-SAME: "ttg.first-warp" = 8 : i32, "ttg.num-warps" = 4 : i32, ttg.partition = 0 : i32, "ttg.requested-registers" = 24 : i32
// OUTLINED-NEXT: ttg.local_alloc {allocation.offset = 0 : i32}
// OUTLINED: tt.return
// OUTLINED: tt.func @roles(
// OUTLINED: ttg.start_partitions [@roles$0$0](%{{.*}}, %{{.*}}) {allocation.offset = 512 : i32} : i32, !tt.ptr<i32>
// OUTLINED-NEXT: ttg.local_load
// OUTLINED-NEXT: ttg.join_partitions

// CHECK-LABEL: tt.func @roles(
tt.func @roles(%n: i32, %p: !tt.ptr<i32> {tt.divisibility = 16 : i32}) {
  %memory = ttg.local_alloc : () -> !ttg.memdesc<128xi32, #shared, #smem, mutable>
  // CHECK: %[[R:.*]] = ttg.warp_specialize(%[[N:.*]], %{{.*}}, %{{.*}}) attributes {requestedRegisters = array<i32: 24>}
  // CHECK-NEXT: default {
  // CHECK: ttg.warp_yield %{{.*}} : tensor<128xi32, #blocked>
  // CHECK-NEXT: }
  // CHECK-NEXT: partition0(%[[M:.*]]: i32, %{{.*}}: !tt.ptr<i32>, %{{.*}}: !ttg.memdesc<128xi32, #shared, #smem, mutable>) num_warps(4) {
  // CHECK: ttg.warp_return
  // CHECK-NEXT: } : (i32, !tt.ptr<i32>, !ttg.memdesc<128xi32, #shared, #smem, mutable>) -> tensor<128xi32, #blocked>
  %r = ttg.warp_specialize(%n, %p, %memory) attributes {requestedRegisters = array<i32: 24>}
  default {
    %x = ttg.local_load %memory : !ttg.memdesc<128xi32, #shared, #smem, mutable> -> tensor<128xi32, #blocked>
    ttg.warp_yield %x : tensor<128xi32, #blocked>
  }
  partition0(%m: i32, %q: !tt.ptr<i32>, %tile: !ttg.memdesc<128xi32, #shared, #smem, mutable>) num_warps(4) {
    %s = tt.splat %m : i32 -> tensor<128xi32, #blocked4>
    ttg.local_store %s, %tile : tensor<128xi32, #blocked4> -> !ttg.memdesc<128xi32, #shared, #smem, mutable>
    tt.store %q, %m : !tt.ptr<i32>
    ttg.warp_return
  } : (i32, !tt.ptr<i32>, !ttg.memdesc<128xi32, #shared, #smem, mutable>) -> tensor<128xi32, #blocked>
  %ptr = tt.splat %p : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
  tt.store %ptr, %r : tensor<128x!tt.ptr<i32>, #blocked>
  tt.return
}

// LLVM: llvm.func internal @roles$0$0(%{{.*}}: i32, %{{.*}}: !llvm.ptr<1>) attributes {always_inline
// LLVM: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x : i32
// LLVM-NEXT: %[[FIRST:.*]] = llvm.mlir.constant(256 : i32) : i32
// LLVM-NEXT: llvm.sub %[[TID]], %[[FIRST]]
// LLVM: llvm.func @roles(
// LLVM-SAME: nvvm.reqntid = array<i32: 384>
// LLVM: llvm.icmp "uge"
// LLVM-NEXT: llvm.cond_br %{{.*}}, ^[[WORKER:.*]], ^[[PROGRAM:bb[0-9]+]]
// 65536 registers for 384 threads are 168 for each; the others get the registers that four warps give up.
// LLVM: ^[[PROGRAM]]:
// LLVM-NEXT: nvvm.setmaxregister  increase 240
// A barrier of all 384 threads: the program's warps and the partition's execute different instructions.
// LLVM: %[[ALL:.*]] = llvm.mlir.constant(384 : i32) : i32
// LLVM-NEXT: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.count"(%{{.*}}, %[[ALL]])
// LLVM: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.count"
// LLVM: %[[END:.*]] = llvm.mlir.constant(-1 : i32) : i32
// LLVM: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.count"
// LLVM-NEXT: llvm.return
// LLVM: ^[[WORKER]]:
// LLVM-NEXT: nvvm.setmaxregister  decrease 24
// LLVM: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.count"
// LLVM: llvm.switch %{{.*}} : i32
// LLVM: llvm.call @roles$0$0
// LLVM: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.count"
}
