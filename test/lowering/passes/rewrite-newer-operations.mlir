// Operations and attributes of Triton 3.9 become those of 3.6, and conversions without 8-bit floats those of arith.
// RUN: tcc-opt --triton-rewrite-newer-operations %s | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory

// CHECK-LABEL: @caches
tt.func @caches(%p: tensor<128x!tt.ptr<f32>, #blocked>, %m: !ttg.memdesc<128xf32, #shared, #smem, mutable>) {
  // CHECK: tt.load %{{.*}} cacheModifier = ca : tensor
  %a = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = ca, eviction_policy = evict_normal>} : tensor<128x!tt.ptr<f32>, #blocked>
  // CHECK: tt.load %{{.*}} evictionPolicy = evict_last {isVolatile = true} : tensor
  %b = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_last>, isVolatile = true} : tensor<128x!tt.ptr<f32>, #blocked>
  // CHECK: tt.store %{{.*}}, %{{.*}} cacheModifier = wb : tensor
  tt.store %p, %a {cachePolicy = #tt.cache_policy<cache_modifier = wb, eviction_policy = evict_normal>} : tensor<128x!tt.ptr<f32>, #blocked>
  // CHECK: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} cacheModifier = cg evictionPolicy = evict_first :
  %t = ttg.async_copy_global_to_local %p, %m {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>} : tensor<128x!tt.ptr<f32>, #blocked> -> <128xf32, #shared, #smem, mutable>
  tt.return
}

// CHECK-LABEL: @barriers
tt.func @barriers() {
  // CHECK: gpu.barrier
  ttg.barrier all
  // CHECK: ttg.local_barrier
  ttg.barrier local
  // CHECK: gpu.barrier
  ttg.barrier local|global_read|global_write
  tt.return
}

// CHECK-LABEL: @quotient
tt.func @quotient(%x: f32, %y: f32) -> f32 {
  // CHECK: arith.divf
  %q = tt.approx_divf %x, %y : f32
  tt.return %q : f32
}

// CHECK-LABEL: @atomics
tt.func @atomics(%p: tensor<128x!tt.ptr<f32>>, %q: !tt.ptr<i64>, %mask: tensor<128xi1>) {
  // CHECK: %[[P:.*]] = tt.bitcast %{{.*}} : tensor<128x!tt.ptr<f32>> -> tensor<128x!tt.ptr<i32>>
  // CHECK: %[[BITS:.*]] = tt.atomic_rmw or, acquire, gpu, %[[P]], %{{.*}}, %{{.*}} : {{.*}} -> tensor<128xi32>
  // CHECK: tt.bitcast %[[BITS]] : tensor<128xi32> -> tensor<128xf32>
  %v = tt.atomic_load acquire, gpu, %p, %mask : (tensor<128x!tt.ptr<f32>>, tensor<128xi1>) -> tensor<128xf32>
  // CHECK: tt.atomic_rmw exch, release, sys, %{{.*}}, %{{.*}}, %{{.*}} : {{.*}} -> tensor<128xi32>
  tt.atomic_store release, sys, %p, %v, %mask : tensor<128x!tt.ptr<f32>>
  // CHECK: %[[W:.*]] = tt.atomic_rmw or, relaxed, cta, %{{.*}}, %{{.*}} : (!tt.ptr<i64>, i64) -> i64
  %w = tt.atomic_load relaxed, cta, %q : (!tt.ptr<i64>) -> i64
  // CHECK: tt.atomic_rmw exch, relaxed, cta, %{{.*}}, %[[W]] : (!tt.ptr<i64>, i64) -> i64
  tt.atomic_store relaxed, cta, %q, %w : !tt.ptr<i64>
  tt.return
}

// CHECK-LABEL: @poll
tt.func @poll(%p: tensor<64x!tt.ptr<i32>>, %expected: tensor<64xi32>) -> tensor<64xi1> {
  // CHECK: %[[DONE:.*]] = scf.while (%[[BEFORE:.*]] = %{{.*}}) : (tensor<64xi1>) -> tensor<64xi1> {
  // CHECK:   %[[MISSING:.*]] = arith.xori %[[BEFORE]]
  // CHECK:   tt.atomic_rmw or, acquire, gpu, %{{.*}}, %{{.*}}, %[[MISSING]]
  // CHECK:   "tt.reduce"
  // CHECK:   scf.condition
  // CHECK: tt.return %[[DONE]]
  %ok = tt.atomic_poll acquire, gpu, %p, %expected : tensor<64x!tt.ptr<i32>>, tensor<64xi32> -> tensor<64xi1>
  tt.return %ok : tensor<64xi1>
}

// CHECK-LABEL: @grid_dependencies
tt.func @grid_dependencies() {
  // CHECK: tt.grid_dependency_wait
  tt.grid_dependency_wait
  // CHECK-NEXT: tt.grid_dependency_launch{{$}}
  tt.grid_dependency_launch_dependents
  tt.return
}

// CHECK-LABEL: @between_halves
tt.func @between_halves(%x: tensor<64xbf16>) -> tensor<64xf16> {
  // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<64xbf16> to tensor<64xf32>
  // CHECK-NEXT: arith.truncf %[[WIDE]] : tensor<64xf32> to tensor<64xf16>
  %y = tt.fp_to_fp %x, rounding = rtne : tensor<64xbf16> -> tensor<64xf16>
  tt.return %y : tensor<64xf16>
}

// CHECK-LABEL: @toward_zero
tt.func @toward_zero(%x: f32) -> bf16 {
  // CHECK: %[[NEAREST:.*]] = arith.truncf %[[X:.*]] : f32 to bf16
  // CHECK: %[[AGAIN:.*]] = arith.extf %[[NEAREST]]
  // CHECK: arith.cmpf ogt, %[[AGAIN]], %[[X]]
  // CHECK: arith.cmpf olt, %[[AGAIN]], %[[X]]
  // CHECK: arith.subi
  %y = tt.fp_to_fp %x, rounding = rtz : f32 -> bf16
  tt.return %y : bf16
}

// CHECK-LABEL: @other_conversions
tt.func @other_conversions(%x: f16, %y: f64) -> (f32, f32, f8E5M2) {
  // CHECK: arith.extf %{{.*}} : f16 to f32
  %a = tt.fp_to_fp %x : f16 -> f32
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  %b = tt.fp_to_fp %y, rounding = rtne : f64 -> f32
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : f16 -> f8E5M2
  %c = tt.fp_to_fp %x, rounding = rtne : f16 -> f8E5M2
  tt.return %a, %b, %c : f32, f32, f8E5M2
}
