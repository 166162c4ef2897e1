// RUN: tcc-opt %s --tritongpu-lower-control-flow --allocate-shared-memory --tritongpu-membar | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#o = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#lines = #ttg.linear<{register = [[0, 1], [0, 2], [0, 32], [4, 0], [8, 0], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[32, 0], [64, 0]], block = []}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// All threads see a copy behind a wait and a barrier; and it is read before it is overwritten.
// CHECK-LABEL: @copy
// CHECK: ttg.async_copy_global_to_local
// CHECK-NOT: ttg.local_barrier
// CHECK: ttg.async_wait
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttg.local_load
// CHECK-NEXT: tt.store
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttg.local_store
// CHECK-NEXT: tt.return
tt.func public @copy(%p: !tt.ptr<f16>) {
  %sa = tt.splat %p : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #b>
  %m = ttg.local_alloc : () -> !ttg.memdesc<64x32xf16, #s, #smem, mutable>
  %t = ttg.async_copy_global_to_local %sa, %m : tensor<64x32x!tt.ptr<f16>, #b> -> <64x32xf16, #s, #smem, mutable>
  %g = ttg.async_commit_group tokens %t
  %w = ttg.async_wait %g {num = 0 : i32}
  %l = ttg.local_load %m : !ttg.memdesc<64x32xf16, #s, #smem, mutable> -> tensor<64x32xf16, #b>
  tt.store %sa, %l : tensor<64x32x!tt.ptr<f16>, #b>
  ttg.local_store %l, %m : tensor<64x32xf16, #b> -> !ttg.memdesc<64x32xf16, #s, #smem, mutable>
  tt.return
}

// Alternating tiles: one barrier per iteration is enough for both.
// CHECK-LABEL: @turns
// CHECK: ttg.async_wait
// CHECK-NEXT: ttg.local_barrier
// CHECK: ttg.local_load
// CHECK-NOT: ttg.local_barrier
// CHECK: ttg.async_copy_global_to_local
// CHECK-NOT: ttg.local_barrier
// CHECK: tt.return
tt.func public @turns(%p: !tt.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %sa = tt.splat %p : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #b>
  %m = ttg.local_alloc : () -> !ttg.memdesc<2x64x32xf16, #s, #smem, mutable>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%before = %c1) -> (i32) : i32 {
    %next = arith.addi %before, %c1 : i32
    %wraps = arith.cmpi sge, %next, %c2 : i32
    %now = arith.select %wraps, %c0, %next : i32
    %a = ttg.memdesc_index %m[%now] : !ttg.memdesc<2x64x32xf16, #s, #smem, mutable> -> !ttg.memdesc<64x32xf16, #s, #smem, mutable>
    %z = ttg.memdesc_index %m[%before] : !ttg.memdesc<2x64x32xf16, #s, #smem, mutable> -> !ttg.memdesc<64x32xf16, #s, #smem, mutable>
    %w = ttg.async_wait {num = 0 : i32}
    %l = ttg.local_load %a : !ttg.memdesc<64x32xf16, #s, #smem, mutable> -> tensor<64x32xf16, #b>
    tt.store %sa, %l : tensor<64x32x!tt.ptr<f16>, #b>
    %t = ttg.async_copy_global_to_local %sa, %z : tensor<64x32x!tt.ptr<f16>, #b> -> <64x32xf16, #s, #smem, mutable>
    %g = ttg.async_commit_group tokens %t
    scf.yield %now : i32
  }
  tt.return
}

// One thread stores a value that all threads have loaded.
// CHECK-LABEL: @increment
// CHECK: tt.load
// CHECK: ttg.local_barrier
// CHECK-NEXT: tt.store
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: tt.load
tt.func public @increment(%p: !tt.ptr<f32>) -> f32 {
  %x = tt.load %p : !tt.ptr<f32>
  %y = arith.addf %x, %x : f32
  tt.store %p, %y : !tt.ptr<f32>
  %z = tt.load %p : !tt.ptr<f32>
  tt.return %z : f32
}

// Every thread loads and stores elements of its own, and a tile that is stored through another argument is another
// tile.
// CHECK-LABEL: @own_elements
// CHECK-NOT: ttg.local_barrier
// CHECK: tt.return
tt.func public @own_elements(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #o>
  %x = tt.load %s : tensor<128x!tt.ptr<f32>, #o>
  %c = tt.load %q : !tt.ptr<f32>
  %t = tt.splat %c : f32 -> tensor<128xf32, #o>
  %y = arith.addf %x, %t : tensor<128xf32, #o>
  tt.store %s, %y : tensor<128x!tt.ptr<f32>, #o>
  tt.return
}

// Assembly with side effects may store what another thread loads, and load what another thread has stored.
// CHECK-LABEL: @assembly
// CHECK: tt.store
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: tt.elementwise_inline_asm
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: tt.load
tt.func public @assembly(%p: !tt.ptr<f32>, %v: tensor<128xf32, #o>) -> tensor<128xf32, #o> {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #o>
  tt.store %s, %v : tensor<128x!tt.ptr<f32>, #o>
  %r = tt.elementwise_inline_asm "atom.add.u32 $0, [$1], 1;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %s : tensor<128x!tt.ptr<f32>, #o> -> tensor<128xi32, #o>
  %w = tt.load %s : tensor<128x!tt.ptr<f32>, #o>
  tt.return %w : tensor<128xf32, #o>
}

// All threads load what one thread may have stored, unless the source says that the arguments do not alias.
// CHECK-LABEL: @scalars
// CHECK: tt.store
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: tt.load
tt.func public @scalars(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %v: f32) {
  tt.store %x, %v : !tt.ptr<f32>
  %w = tt.load %y : !tt.ptr<f32>
  tt.return
}
// CHECK-LABEL: @restrict
// CHECK: tt.store
// CHECK-NEXT: tt.load %arg1
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: tt.load %arg0
tt.func public @restrict(%x: !tt.ptr<f32> {llvm.noalias}, %y: !tt.ptr<f32>, %v: f32) {
  tt.store %x, %v : !tt.ptr<f32>
  %w = tt.load %y : !tt.ptr<f32>
  %same = tt.load %x : !tt.ptr<f32>
  tt.return
}

// A load by several thread blocks of a program and a store by one of them are ordered by the cluster's barrier, also if
// there is a barrier of a single block in between. An exchange is such a barrier.
// CHECK-LABEL: @blocks
// CHECK: tt.load %arg0 {ttg.shared_by_blocks}
// CHECK: ttg.local_barrier
// CHECK-NEXT: ttng.cluster_arrive {relaxed = false}
// CHECK-NEXT: ttng.cluster_wait
// CHECK-NEXT: tt.store %arg0, %{{.*}} {ttg.shared_by_blocks}
// CHECK-NEXT: ttng.redistribute
// CHECK-NEXT: tt.load %arg0 {ttg.shared_by_blocks}
tt.func public @blocks(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %v: tensor<128xf32, #o>) {
  %0 = tt.load %x {ttg.shared_by_blocks} : !tt.ptr<f32>
  ttg.local_barrier
  tt.store %x, %0 {ttg.shared_by_blocks} : !tt.ptr<f32>
  %1 = ttng.redistribute %v [-2] to [-1] : tensor<128xf32, #o> -> tensor<128xf32, #o>
  %2 = tt.load %x {ttg.shared_by_blocks} : !tt.ptr<f32>
  tt.return
}
// Accesses through one argument at constant distances are to different memory. Equal addresses, and those that a loop
// counts, are not.
// CHECK-LABEL: @apart
// CHECK: tt.store
// CHECK-NOT: ttg.local_barrier
// CHECK: tt.load %{{.*}} : !tt.ptr<f32>
// CHECK-NOT: ttg.local_barrier
// CHECK: tt.load %{{.*}} : tensor<16x!tt.ptr<f32>
// CHECK: ttg.local_barrier
// CHECK-NEXT: tt.load %{{.*}} : tensor<32x!tt.ptr<f32>
tt.func public @apart(%x: !tt.ptr<f32>, %v: f32) {
  %c32 = arith.constant 32 : i32
  %c16 = arith.constant 16 : i32
  %pid = tt.get_program_id x : i32
  %row = arith.muli %pid, %c32 : i32
  %at = arith.addi %row, %c16 : i32
  %p = tt.addptr %x, %at : !tt.ptr<f32>, i32
  %xr = tt.addptr %x, %row : !tt.ptr<f32>, i32
  tt.store %p, %v : !tt.ptr<f32>
  %w = tt.load %xr : !tt.ptr<f32>
  %xs = tt.splat %xr : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #o>
  %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #o>
  %q = tt.addptr %xs, %i : tensor<16x!tt.ptr<f32>, #o>, tensor<16xi32, #o>
  %t = tt.load %q : tensor<16x!tt.ptr<f32>, #o>
  %ys = tt.splat %xr : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #o>
  %j = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #o>
  %r = tt.addptr %ys, %j : tensor<32x!tt.ptr<f32>, #o>, tensor<32xi32, #o>
  %u = tt.load %r : tensor<32x!tt.ptr<f32>, #o>
  tt.return
}
// CHECK-LABEL: @counted
// CHECK: tt.load
// CHECK: ttg.local_barrier
// CHECK: tt.store
tt.func public @counted(%x: !tt.ptr<f32>, %n: i32, %v: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^loop(%c0 : i32)
^loop(%i: i32):
  %p = tt.addptr %x, %i : !tt.ptr<f32>, i32
  %next = arith.addi %i, %c1 : i32
  %q = tt.addptr %x, %next : !tt.ptr<f32>, i32
  %w = tt.load %q : !tt.ptr<f32>
  tt.store %p, %w : !tt.ptr<f32>
  %more = arith.cmpi slt, %next, %n : i32
  cf.cond_br %more, ^loop(%next : i32), ^end
^end:
  tt.return
}

// A call of code for threads has barriers of its own, before and after, and needs no other: not for what the program
// has stored, nor for what the callee stores.
// CHECK-LABEL: @calls
// CHECK-NOT: ttg.local_barrier
// CHECK: tt.return
tt.func public @calls(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>) {
  %c1 = arith.constant 1 : i32
  tt.store %x, %c1 : !tt.ptr<i32>
  %a = tt.call_threads once "f"(%x) : (!tt.ptr<i32>) -> i32
  %b = tt.load %x : !tt.ptr<i32>
  %c = tt.call_threads once "f"(%y) : (!tt.ptr<i32>) -> i32
  tt.call_threads all "g"(%a, %b, %c) : (i32, i32, i32) -> ()
  tt.return
}

// Each warp converts its own rows through its own part of the scratch space. A second conversion between the same layouts
// uses the same parts, so warps need not wait for each other; one of other elements does not.
// CHECK-LABEL: @parts
// CHECK: ttg.convert_layout
// CHECK-NEXT: tt.store
// CHECK-NEXT: ttg.convert_layout
// CHECK-NEXT: tt.store
// CHECK-NEXT: ttg.local_barrier
// CHECK-NEXT: ttg.convert_layout
tt.func public @parts(%x: tensor<128x64xf32, #rows>, %y: tensor<128x64xf32, #rows>, %z: tensor<128x64xf16, #rows>, %p: tensor<128x64x!tt.ptr<f32>, #lines>, %q: tensor<128x64x!tt.ptr<f16>, #lines>) {
  %a = ttg.convert_layout %x : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #lines>
  tt.store %p, %a : tensor<128x64x!tt.ptr<f32>, #lines>
  %b = ttg.convert_layout %y : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #lines>
  tt.store %p, %b : tensor<128x64x!tt.ptr<f32>, #lines>
  %c = ttg.convert_layout %z : tensor<128x64xf16, #rows> -> tensor<128x64xf16, #lines>
  tt.store %q, %c : tensor<128x64x!tt.ptr<f16>, #lines>
  tt.return
}
}
