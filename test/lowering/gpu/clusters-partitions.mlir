// RUN: tcc-opt %s --split-input-file --tcc-gpu-to-llvm | FileCheck %s
// If a program has partitions, only its own warps synchronize the blocks. They use two alternating barriers in shared
// memory, which are followed by a counter of the synchronizations. All threads execute the cluster's barrier at the
// beginning and at the end of the kernel.

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#one = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-warps" = 8 : i32, "ttg.num-ctas" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// The start of the partition, and then a synchronization of the blocks.
// CHECK: module attributes {{.*}}ttg.shared = [[#SHARED:]] : i32
// CHECK-SAME: ttng.cluster_barrier = [[#SHARED-24]] : i32
// CHECK-LABEL: llvm.func @roles(
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: "@$1 mbarrier.init.shared::cta.b64 [$0], 2;\0A\09@$1 mbarrier.init.shared::cta.b64 [$0+8], 2;\0A\09@$1 st.shared.b32 [$0+16], 0;\0A\09@$1 fence.mbarrier_init.release.cluster;", "r,b,~{memory}"
// CHECK-NEXT: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK-NOT: nvvm.cluster
// CHECK: llvm.cond_br
// CHECK: llvm.store %{{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
// CHECK: fence.acq_rel.cluster;{{.*}}mapa.shared::cluster.u32 to, at, 0;{{.*}}mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [to];{{.*}}mapa.shared::cluster.u32 to, at, 1;{{.*}}"r,b,~{memory}"
// CHECK: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [at], phase;{{.*}}"r,b,~{memory}"
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
// CHECK: nvvm.mapa
// CHECK: mbarrier.try_wait
// CHECK: nvvm.cluster.arrive.relaxed {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK-NEXT: llvm.return
// CHECK: nvvm.cluster.arrive.relaxed {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK-NEXT: llvm.return
tt.func @roles(%n: i32, %p: !tt.ptr<i32> {tt.divisibility = 16 : i32}) {
  %r = ttg.warp_specialize(%n, %p)
  default {
    %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #one>
    %x = ttng.redistribute %range [0] to [-1] : tensor<512xi32, #one> -> tensor<1024xi32, #blocked>
    ttg.warp_yield %x : tensor<1024xi32, #blocked>
  }
  partition0(%m: i32, %q: !tt.ptr<i32>) num_warps(4) {
    tt.store %q, %m : !tt.ptr<i32>
    ttg.warp_return
  } : (i32, !tt.ptr<i32>) -> tensor<1024xi32, #blocked>
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>, #blocked>
  tt.store %s, %r : tensor<1024x!tt.ptr<i32>, #blocked>
  tt.return
}
}

// -----

// The memory of an exchange that is executed once is read until the kernel ends. If each block has a copy of a tile, a
// block takes its own part, and only its own threads wait for each other.
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-warps" = 8 : i32, "ttg.num-ctas" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: llvm.func @lasting(
// CHECK: nvvm.cluster.wait {aligned}
// CHECK: mbarrier.try_wait
// CHECK: nvvm.mapa
// CHECK-NOT: mbarrier.try_wait
// CHECK-NOT: nvvm.mapa
// CHECK: nvvm.cluster.arrive.relaxed {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK-NEXT: llvm.return
// CHECK: nvvm.cluster.arrive.relaxed {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK-NEXT: llvm.return
tt.func @lasting(%n: i32, %p: !tt.ptr<i32> {tt.divisibility = 16 : i32}) {
  ttg.warp_specialize(%n, %p)
  default {
    ttg.warp_yield
  }
  partition0(%m: i32, %q: !tt.ptr<i32>) num_warps(4) {
    tt.store %q, %m : !tt.ptr<i32>
    ttg.warp_return
  } : (i32, !tt.ptr<i32>) -> ()
  %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
  %all = ttng.redistribute %range [0] to [-1] : tensor<128xi32, #blocked> -> tensor<256xi32, #blocked>
  %half = ttng.redistribute %all [-1] to [0] : tensor<256xi32, #blocked> -> tensor<128xi32, #blocked>
  %ptr = tt.splat %p : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
  tt.store %ptr, %half : tensor<128x!tt.ptr<i32>, #blocked>
  tt.return
}
}
