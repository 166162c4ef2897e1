// RUN: %raise %s | FileCheck %s
#include <tilecc/tt.h>

// CHECK-LABEL: @kinds(
// CHECK: %[[ALL:.*]] = arith.constant dense<true> : tensor<64xi1>
// CHECK: tt.atomic_rmw add, acq_rel, gpu, %{{.*}}, %{{.*}}, %[[ALL]] : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, tensor<64xi1>) -> tensor<64xi32>
// CHECK: tt.atomic_rmw umax, relaxed, cta, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<64x!tt.ptr<i32>>
// CHECK: tt.atomic_rmw min, acquire, sys
// CHECK: tt.atomic_rmw and, release, gpu
// CHECK: tt.atomic_rmw or, acq_rel, gpu
// CHECK: tt.atomic_rmw xor, acq_rel, gpu
// CHECK: tt.atomic_rmw exch, acq_rel, gpu
// CHECK: tt.atomic_cas relaxed, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
// CHECK: tt.atomic_rmw add, acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32, i1) -> i32
// CHECK: tt.atomic_cas acq_rel, gpu, %{{.*}} : (!tt.ptr<i32>, i32, i32) -> i32
extern "C" __tile_global__ void kinds(int *x, unsigned *u, int n) {
  auto i = tt::arange<64>();
  tt::atomic_add(x + i, i);
  tt::atomic_max(u + i, 5, i < n, tt::sem::relaxed, tt::scope::cta);
  tt::atomic_min(x + i, i, tt::scope::sys, tt::sem::acquire);
  tt::atomic_and(x + i, i, tt::sem::release);
  tt::atomic_or(x + i, i);
  tt::atomic_xor(x + i, i);
  tt::atomic_xchg(x + i, i);
  tt::atomic_cas(x + i, i, 3, tt::sem::relaxed);
  int old = tt::atomic_add(x, 1);
  tt::atomic_cas(x, old, 7);
}

// Additions of floats, and minimum and maximum of their bits, as in Triton.
// CHECK-LABEL: @floats(
// CHECK: tt.atomic_rmw fadd, acq_rel, gpu, %{{.*}} : (tensor<64x!tt.ptr<bf16>>, tensor<64xbf16>, tensor<64xi1>) -> tensor<64xbf16>
// CHECK: %[[BITS:.*]] = tt.bitcast %{{.*}} : tensor<64xf32> -> tensor<64xi32>
// CHECK: arith.shrui %[[BITS]]
// CHECK: tt.bitcast %{{.*}} : tensor<64x!tt.ptr<f32>> -> tensor<64x!tt.ptr<i32>>
// CHECK: tt.atomic_rmw max, acq_rel, gpu
// CHECK: tt.atomic_rmw umin, acq_rel, gpu
// CHECK: arith.select
extern "C" __tile_global__ void floats(tt::bfloat16 *b, float *f) {
  auto i = tt::arange<64>();
  tt::atomic_add(b + i, 1.5f);
  auto old = tt::atomic_max(f + i, tt::load(f + 64 + i));
  tt::store(f + 128 + i, old);
}
