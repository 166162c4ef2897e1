// Tests the width of accesses to global memory, and which threads make them.
// RUN: tcc-opt %s --tcc-ttgir --tcc-gpu-to-llvm | tcc-translate --to-ptx | FileCheck %s

// A mask that is constant for 16 elements allows accesses of four elements. A mask that may change anywhere allows only
// single elements. Where the mask is false and there is no `other`, the result is zero, so that no undefined register
// is read.
// CHECK-LABEL: .entry aligned_mask(
// There is no branch: the registers are set to zero first, and the load is predicated.
// CHECK-NOT: bra
// CHECK: mov.b32 [[ZERO:%r[0-9]+]], 0;
// CHECK: @[[P:%p[0-9]+]] ld.global.v4.b32
// CHECK-NOT: selp
// CHECK: @[[P]] st.global.v4.b32
tt.func public @aligned_mask(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
  %ns = tt.splat %n : i32 -> tensor<512xi32>
  %m = arith.cmpi slt, %r, %ns : tensor<512xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %a = tt.addptr %s, %r : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  %v = tt.load %a, %m : tensor<512x!tt.ptr<f32>>
  tt.store %a, %v, %m : tensor<512x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: .entry ragged_mask(
// CHECK-COUNT-4: @%p{{[0-9]+}} ld.global.b32
// CHECK-COUNT-4: @%p{{[0-9]+}} st.global.b32
tt.func public @ragged_mask(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
  %ns = tt.splat %n : i32 -> tensor<512xi32>
  %m = arith.cmpi slt, %r, %ns : tensor<512xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %a = tt.addptr %s, %r : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  %v = tt.load %a, %m : tensor<512x!tt.ptr<f32>>
  tt.store %a, %v, %m : tensor<512x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: .entry halves(
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
tt.func public @halves(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %s = tt.splat %p : !tt.ptr<bf16> -> tensor<1024x!tt.ptr<bf16>>
  %a = tt.addptr %s, %r : tensor<1024x!tt.ptr<bf16>>, tensor<1024xi32>
  %v = tt.load %a : tensor<1024x!tt.ptr<bf16>>
  %w = arith.addf %v, %v : tensor<1024xbf16>
  tt.store %a, %w : tensor<1024x!tt.ptr<bf16>>
  tt.return
}

// 32 elements for 128 threads: warps after the first hold copies and do not store.
// CHECK-LABEL: .entry copies(
// CHECK: setp.lt.u32 [[P:%p[0-9]+]], %{{.*}}, 32;
// CHECK: @[[P]] st.global.b32
tt.func public @copies(%p: !tt.ptr<f32>) {
  %r = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %a = tt.addptr %s, %r : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  %v = tt.load %a : tensor<32x!tt.ptr<f32>>
  %w = arith.addf %v, %v : tensor<32xf32>
  tt.store %a, %w : tensor<32x!tt.ptr<f32>>
  tt.return
}

// One thread writes a scalar.
// CHECK-LABEL: .entry scalar(
// CHECK: mov.u32 [[T:%r[0-9]+]], %tid.x;
// CHECK: setp.eq.b32 [[P:%p[0-9]+]], [[T]], 0;
// CHECK: @[[P]] st.global.b32
tt.func public @scalar(%p: !tt.ptr<f32>, %x: f32) {
  tt.store %p, %x : !tt.ptr<f32>
  tt.return
}

// An eviction priority applies to both cache levels, as in Triton.
// CHECK-LABEL: .entry modifiers(
// CHECK: ld.global.cg.v4.b32
// CHECK: ld.volatile.global.v4.b32
// CHECK: createpolicy.fractional.L2::evict_last.b64 [[LAST:%rd[0-9]+]];
// CHECK: ld.global.L1::evict_last.L2::cache_hint.v4.b32 {{.*}}, [[LAST]];
// CHECK: st.global.cs.v4.b32
tt.func public @modifiers(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %a = tt.addptr %s, %r : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  %v = tt.load %a cacheModifier = cg : tensor<512x!tt.ptr<f32>>
  %u = tt.load %a {isVolatile = true} : tensor<512x!tt.ptr<f32>>
  %l = tt.load %a evictionPolicy = evict_last : tensor<512x!tt.ptr<f32>>
  %vu = arith.addf %v, %u : tensor<512xf32>
  %w = arith.addf %vu, %l : tensor<512xf32>
  tt.store %a, %w cacheModifier = cs : tensor<512x!tt.ptr<f32>>
  tt.return
}

// With a mask, `other` and an eviction priority, and for single elements.
// CHECK-LABEL: .entry everything(
// CHECK: createpolicy.fractional.L2::evict_first.b64 [[FIRST:%rd[0-9]+]];
// CHECK: mov.b32 [[ONE:%r[0-9]+]], 1065353216;
// CHECK: @[[P:%p[0-9]+]] ld.global.L1::evict_first.L2::cache_hint.v4.b32 {{.*}}, [[FIRST]];
// CHECK: @%{{p[0-9]+}} ld.global.cv.b8
// CHECK: @[[P]] st.global.L1::evict_first.L2::cache_hint.v4.b32
// CHECK: @%{{p[0-9]+}} st.global.wt.b8
tt.func public @everything(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %q: !tt.ptr<i8>, %b: i1) {
  %one = arith.constant dense<1.0> : tensor<512xf32>
  %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
  %ns = tt.splat %n : i32 -> tensor<512xi32>
  %m = arith.cmpi slt, %r, %ns : tensor<512xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %a = tt.addptr %s, %r : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  %v = tt.load %a, %m, %one evictionPolicy = evict_first : tensor<512x!tt.ptr<f32>>
  %x = tt.load %q, %b cacheModifier = cv : !tt.ptr<i8>
  tt.store %a, %v, %m evictionPolicy = evict_first : tensor<512x!tt.ptr<f32>>
  tt.store %q, %x, %b cacheModifier = wt : !tt.ptr<i8>
  tt.return
}

// Neighbours that access the same element, as in x[i / n], are loaded once: here by a thread that has four of them.
// CHECK-LABEL: .entry quotients(
// CHECK-COUNT-1: ld.global.b32
// CHECK-NOT: ld.global.b32
// CHECK: ret;
tt.func public @quotients(%x: !tt.ptr<f32>, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 8 : i32}) {
  %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
  %divisor = tt.splat %n : i32 -> tensor<512xi32>
  %q = arith.divsi %i, %divisor : tensor<512xi32>
  %from = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %p = tt.addptr %from, %q : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  %v = tt.load %p : tensor<512x!tt.ptr<f32>>
  %to = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %place = tt.addptr %to, %i : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  tt.store %place, %v : tensor<512x!tt.ptr<f32>>
  tt.return
}
