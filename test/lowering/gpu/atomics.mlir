// Atomic accesses: one thread acts for all threads that hold copies, and distributes the old value if it is used.
// RUN: tcc-opt %s --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: sed 's/cuda:80/cuda:90/' %s | tcc-opt --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s --check-prefixes=CHECK,SM90

#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#eight = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#full = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Every thread has elements of its own: no predicate if the mask is true, no shared memory.
// CHECK-LABEL: llvm.func @own
// CHECK-COUNT-2: llvm.inline_asm has_side_effects {{.*}}"atom.acq_rel.gpu.global.add.u32 $0, [$1], $2;", "=r,l,r"
// CHECK-NOT: barrier
// CHECK: llvm.return
tt.func public @own(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
  %true = arith.constant dense<true> : tensor<256xi1, #full>
  %v = arith.constant dense<1> : tensor<256xi32, #full>
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #full>
  %r = tt.atomic_rmw add, acq_rel, gpu, %s, %v, %true : (tensor<256x!tt.ptr<i32>, #full>, tensor<256xi32, #full>, tensor<256xi1, #full>) -> tensor<256xi32, #full>
  %t = tt.splat %q : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #full>
  tt.store %t, %r : tensor<256x!tt.ptr<i32>, #full>
  tt.return
}

// Threads that hold copies get the old value, which one of them has read, through shared memory.
// CHECK-LABEL: llvm.func @copies
// CHECK: "mov.b64 $0, 0;\0A\09@$3 atom.relaxed.cta.global.max.s64 $0, [$1], $2;", "=&l,l,l,b"
// CHECK: st.shared.b64
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i64
// CHECK: llvm.return
tt.func public @copies(%p: !tt.ptr<i64>, %q: !tt.ptr<i64>, %m: i1) {
  %mask = tt.splat %m : i1 -> tensor<16xi1, #full>
  %v = arith.constant dense<1> : tensor<16xi64, #full>
  %s = tt.splat %p : !tt.ptr<i64> -> tensor<16x!tt.ptr<i64>, #full>
  %r = tt.atomic_rmw max, relaxed, cta, %s, %v, %mask : (tensor<16x!tt.ptr<i64>, #full>, tensor<16xi64, #full>, tensor<16xi1, #full>) -> tensor<16xi64, #full>
  %t = tt.splat %q : !tt.ptr<i64> -> tensor<16x!tt.ptr<i64>, #full>
  tt.store %t, %r : tensor<16x!tt.ptr<i64>, #full>
  tt.return
}

// Through a scalar pointer, one thread acts for the program. With release semantics it does so after all other threads.
// The result is unused.
// CHECK-LABEL: llvm.func @single
// CHECK: nvvm.barrier0
// CHECK: atom.release.sys.global.exch.b32
// CHECK-NOT: st.shared
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @single(%p: !tt.ptr<f32>, %v: f32) {
  %true = arith.constant true
  %r = tt.atomic_rmw exch, release, sys, %p, %v, %true : (!tt.ptr<f32>, f32, i1) -> f32
  tt.return
}

// CHECK-LABEL: llvm.func @swap
// CHECK-NOT: nvvm.barrier0
// CHECK: atom.acquire.gpu.global.cas.b16 $0, [$1], $2, $3;", "=&h,l,h,h,b"
// CHECK: st.shared.b16
// CHECK: nvvm.barrier0
// CHECK: llvm.return
tt.func public @swap(%p: !tt.ptr<f16>, %v: f16, %q: !tt.ptr<f16>) {
  %r = tt.atomic_cas acquire, gpu, %p, %v, %v : (!tt.ptr<f16>, f16, f16) -> f16
  tt.store %q, %r : !tt.ptr<f16>
  tt.return
}

// The hardware adds bfloat16 from sm_90 on; earlier targets use compare and swap.
// CHECK-LABEL: llvm.func @bfloat
// SM80: cas.b16 $0, [$1], %old, %new;
// SM90: atom.relaxed.gpu.global.add.noftz.bf16 $0, [$1], $2;
tt.func public @bfloat(%p: !tt.ptr<bf16>) {
  %true = arith.constant dense<true> : tensor<256xi1, #full>
  %v = arith.constant dense<1.0> : tensor<256xbf16, #full>
  %s = tt.splat %p : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>, #full>
  %r = tt.atomic_rmw fadd, relaxed, gpu, %s, %v, %true : (tensor<256x!tt.ptr<bf16>, #full>, tensor<256xbf16, #full>, tensor<256xi1, #full>) -> tensor<256xbf16, #full>
  tt.return
}

// Additions whose results are unused are vectorized by four, if the target has such an instruction. An acquire without
// a result is no acquire.
// CHECK-LABEL: llvm.func @neighbours
// SM80-COUNT-4: "atom.acq_rel.gpu.global.add.f32 $0, [$1], $2;", "=r,l,r"
// SM90: "red.release.gpu.global.add.v4.f32 [$0], {$1, $2, $3, $4};", "l,r,r,r,r,~{memory}"
// SM90-NOT: atom
// SM80-COUNT-8: atom.relaxed.gpu.global.add
// SM90: "@$5 red.relaxed.gpu.global.add.noftz.v4.f16x2 [$0], {$1, $2, $3, $4};", "l,r,r,r,r,b,~{memory}"
// SM90-NOT: atom
// SM90: llvm.return
tt.func public @neighbours(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %h: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %x: f32, %y: f16, %m: i1) {
  %true = arith.constant dense<true> : tensor<512xi1, #four>
  %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #four>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
  %a = tt.addptr %s, %i : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
  %v = tt.splat %x : f32 -> tensor<512xf32, #four>
  %r = tt.atomic_rmw fadd, acq_rel, gpu, %a, %v, %true : (tensor<512x!tt.ptr<f32>, #four>, tensor<512xf32, #four>, tensor<512xi1, #four>) -> tensor<512xf32, #four>
  %j = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #eight>
  %t = tt.splat %h : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #eight>
  %b = tt.addptr %t, %j : tensor<1024x!tt.ptr<f16>, #eight>, tensor<1024xi32, #eight>
  %w = tt.splat %y : f16 -> tensor<1024xf16, #eight>
  %mask = tt.splat %m : i1 -> tensor<1024xi1, #eight>
  %q = tt.atomic_rmw fadd, relaxed, gpu, %b, %w, %mask : (tensor<1024x!tt.ptr<f16>, #eight>, tensor<1024xf16, #eight>, tensor<1024xi1, #eight>) -> tensor<1024xf16, #eight>
  tt.return
}
}
