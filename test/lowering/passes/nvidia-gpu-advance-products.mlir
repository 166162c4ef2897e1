// RUN: tcc-opt %s --triton-nvidia-gpu-use-tensor-maps --tritongpu-specialize-loops --canonicalize --cse | FileCheck %s --check-prefix=SPECIALIZED
// RUN: tcc-opt %s --triton-nvidia-gpu-use-tensor-maps --tritongpu-specialize-loops --triton-nvidia-gpu-advance-products --triton-nvidia-tma-lowering --triton-nvidia-gpu-overlap-products --canonicalize --cse | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#turned = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #b}>
#columns = #ttg.slice<{dim = 0, parent = #b}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#line = #ttg.slice<{dim = 0, parent = #mma}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

// The memory that is added to is accessed by nothing else: a block of a tensor of floats. The vector has slots of its
// own and is copied by one thread. Its slots are filled and released together with those of the tile that is read
// behind it.
// SPECIALIZED-LABEL: @gradients
// SPECIALIZED-SAME: %[[SUM:[^ ]*]]: !tt.tensordesc<tensor<1x1x64x64xf32
// SPECIALIZED: %[[TILES:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16
// SPECIALIZED-COUNT-4: ttng.init_barrier
// SPECIALIZED-NOT: ttng.init_barrier
// SPECIALIZED: %[[LINES:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x64xf32
// SPECIALIZED-NOT: ttng.init_barrier
// SPECIALIZED: requestedRegisters = array<i32: 24>
// SPECIALIZED: ttg.local_barrier
// SPECIALIZED-NEXT: scf.for
// SPECIALIZED: %[[TILE:.*]] = ttg.memdesc_index %[[TILES]]
// SPECIALIZED: %[[LINE:.*]] = ttg.memdesc_index %[[LINES]]
// SPECIALIZED: ttng.wait_barrier %{{.*}} deps %[[TILE]], %[[LINE]]
// SPECIALIZED-NOT: ttng.{{wait|arrive}}_barrier
// SPECIALIZED: ttg.local_load %[[LINE]]
// SPECIALIZED-NOT: ttng.{{wait|arrive}}_barrier
// SPECIALIZED: ttng.warp_group_dot %{{[^,]*}}, %[[TILE]]
// SPECIALIZED-NEXT: %[[EMPTY:.*]] = ttg.memdesc_index
// SPECIALIZED-NEXT: ttng.arrive_barrier %[[EMPTY]], 1 read %[[TILE]], %[[LINE]] {perWarp}
// SPECIALIZED-NOT: ttng.{{wait|arrive}}_barrier
// SPECIALIZED: tt.descriptor_reduce add, %[[SUM]]{{.*}} {ttng.root = 1 : i32}
// SPECIALIZED: partition0
// SPECIALIZED: ttng.wait_barrier
// SPECIALIZED-NOT: ttng.wait_barrier
// SPECIALIZED: ttng.barrier_expect %[[FULL:.*]], 8448,
// SPECIALIZED-NEXT: ttng.async_tma_copy_global_to_local
// SPECIALIZED-NOT: ttng.barrier_expect
// SPECIALIZED: ttng.async_bulk_copy_global_to_local %{{.*}} to %{{.*}}, %[[FULL]], %{{.*}} : !tt.ptr<f32>,

// The next iteration's first dot starts behind the last dot, in front of the code that uses its result; the last
// iteration repeats its own first dot. The tile that is added to memory waits in shared memory. Before it is
// overwritten, one thread waits until it has been read, in front of a barrier that is needed anyway.
// CHECK-LABEL: @gradients
// CHECK: scf.if
// CHECK: %[[FIRST:.*]] = ttng.warp_group_dot
// CHECK: %[[STAGED:.*]] = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32
// CHECK: scf.for %[[I:[^ ]*]] = {{.*}}, %[[S:[^ ]*]] = %[[FIRST]])
// CHECK: arith.subf %[[S]]
// CHECK: ttng.async_tma_store_wait {pendings = 0 : i32}
// CHECK: ttg.local_alloc %{{.*}} : (tensor<64x64xf16
// CHECK: ttng.warp_group_dot
// CHECK: %[[D:.*]] = ttng.warp_group_dot
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[I]]
// CHECK: arith.select %[[MORE]]
// CHECK: ttng.wait_barrier
// CHECK: %[[NEXT:.*]] = ttng.warp_group_dot
// CHECK: %[[DONE:.*]]:{{.*}} = ttng.warp_group_dot_wait {{.*}}%[[D]]{{.*}} {pendings = 1 : i32}
// CHECK: ttg.local_store %[[DONE]]{{.*}}, %[[STAGED]]
// CHECK-NEXT: ttng.fence_async_shared
// CHECK-NEXT: ttng.async_tma_reduce add, %{{.*}} %[[STAGED]]
// CHECK: %[[LAST:.*]] = ttng.warp_group_dot_wait %[[NEXT]] {pendings = 0 : i32}
// CHECK: scf.yield {{.*}}%[[LAST]]
// CHECK: ttng.async_tma_store_wait {pendings = 0 : i32}
// CHECK-NEXT: ttg.local_dealloc %[[STAGED]]
tt.func @gradients(%q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %numbers: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %no = arith.constant false
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %yes = arith.constant dense<true> : tensor<64x64xi1, #b>
  %by = arith.constant dense<64> : tensor<64x1xi32, #b>
  %row = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #rows>
  %column = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #columns>
  %along = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #line>
  %r1 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #b>
  %r2 = arith.muli %r1, %by : tensor<64x1xi32, #b>
  %r = tt.broadcast %r2 : tensor<64x1xi32, #b> -> tensor<64x64xi32, #b>
  %c1 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #columns> -> tensor<1x64xi32, #b>
  %c = tt.broadcast %c1 : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %at = arith.addi %r, %c : tensor<64x64xi32, #b>
  %pk0 = tt.splat %k : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %pk = tt.addptr %pk0, %at : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %keys = tt.load %pk : tensor<64x64x!tt.ptr<f16>, #b>
  %km = ttg.local_alloc %keys : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %result = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %from = arith.muli %i, %c64 : i32
    %q1 = tt.addptr %q, %from : !tt.ptr<f16>, i32
    %q2 = tt.splat %q1 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
    %pq = tt.addptr %q2, %at : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %x = tt.load %pq : tensor<64x64x!tt.ptr<f16>, #b>
    %xm = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %xt = ttg.memdesc_trans %xm {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #turned, #smem>
    %s = ttng.warp_group_dot %km, %xt, %zero, %no : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #turned, #smem> -> tensor<64x64xf32, #mma>
    %l1 = tt.addptr %numbers, %i : !tt.ptr<f32>, i32
    %l2 = tt.splat %l1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #line>
    %pl = tt.addptr %l2, %along : tensor<64x!tt.ptr<f32>, #line>, tensor<64xi32, #line>
    %l = tt.load %pl : tensor<64x!tt.ptr<f32>, #line>
    %l3 = tt.expand_dims %l {axis = 0 : i32} : tensor<64xf32, #line> -> tensor<1x64xf32, #mma>
    %l4 = tt.broadcast %l3 : tensor<1x64xf32, #mma> -> tensor<64x64xf32, #mma>
    %less = arith.subf %s, %l4 : tensor<64x64xf32, #mma>
    %p = math.exp2 %less : tensor<64x64xf32, #mma>
    %h = arith.truncf %p : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %hm = ttg.local_alloc %h : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %more = ttng.warp_group_dot %hm, %xm, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %ht = ttg.memdesc_trans %hm {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #turned, #smem>
    %d = ttng.warp_group_dot %ht, %km, %zero, %no : !ttg.memdesc<64x64xf16, #turned, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %s1 = tt.addptr %sums, %from : !tt.ptr<f32>, i32
    %s2 = tt.splat %s1 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #b>
    %ps = tt.addptr %s2, %at : tensor<64x64x!tt.ptr<f32>, #b>, tensor<64x64xi32, #b>
    %db = ttg.convert_layout %d : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #b>
    %old = tt.atomic_rmw fadd, relaxed, gpu, %ps, %db, %yes : (tensor<64x64x!tt.ptr<f32>, #b>, tensor<64x64xf32, #b>, tensor<64x64xi1, #b>) -> tensor<64x64xf32, #b>
    scf.yield %more : tensor<64x64xf32, #mma>
  } {tt.warp_specialize = true}
  tt.return %result : tensor<64x64xf32, #mma>
}

// Additions that other accesses of the kernel might see are executed by threads: the memory that is added to is also
// loaded.
// SPECIALIZED-LABEL: @seen
// SPECIALIZED: tt.atomic_rmw
// SPECIALIZED-NOT: tt.descriptor_reduce
tt.func @seen(%q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %k: !ttg.memdesc<64x64xf16, #shared, #smem>, %n: i32) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #b>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %yes = arith.constant dense<true> : tensor<64x64xi1, #b>
  %one = arith.constant dense<1.0> : tensor<64x64xf32, #b>
  %by = arith.constant dense<64> : tensor<64x1xi32, #b>
  %row = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #rows>
  %column = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #columns>
  %r1 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #b>
  %r2 = arith.muli %r1, %by : tensor<64x1xi32, #b>
  %r = tt.broadcast %r2 : tensor<64x1xi32, #b> -> tensor<64x64xi32, #b>
  %c1 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #columns> -> tensor<1x64xi32, #b>
  %c = tt.broadcast %c1 : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %at = arith.addi %r, %c : tensor<64x64xi32, #b>
  %s2 = tt.splat %sums : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #b>
  %ps = tt.addptr %s2, %at : tensor<64x64x!tt.ptr<f32>, #b>, tensor<64x64xi32, #b>
  %q2 = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %pq = tt.addptr %q2, %at : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
  %result = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %x = tt.load %pq : tensor<64x64x!tt.ptr<f16>, #b>
    %xm = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %more = ttng.warp_group_dot %k, %xm, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %old = tt.atomic_rmw fadd, relaxed, gpu, %ps, %one, %yes : (tensor<64x64x!tt.ptr<f32>, #b>, tensor<64x64xf32, #b>, tensor<64x64xi1, #b>) -> tensor<64x64xf32, #b>
    scf.yield %more : tensor<64x64xf32, #mma>
  }
  %seen = tt.load %ps : tensor<64x64x!tt.ptr<f32>, #b>
  tt.return %result, %seen : tensor<64x64xf32, #mma>, tensor<64x64xf32, #b>
}
}
