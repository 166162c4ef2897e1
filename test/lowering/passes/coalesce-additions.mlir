// RUN: tcc-opt %s --convert-triton-to-tritongpu=target=cuda:90 --tritongpu-coalesce | FileCheck %s
// On sm_90, atomic additions are vectorized unless their results are used.

// CHECK-DAG: [[WIDE:#.*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: [[ONE:#.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-LABEL: @additions
// CHECK: tt.atomic_rmw fadd, relaxed, gpu, {{.*}} -> tensor<1024xf32, [[WIDE]]>
// CHECK: tt.atomic_rmw fadd, relaxed, gpu, {{.*}} -> tensor<1024xf32, [[ONE]]>
// CHECK: tt.atomic_rmw max, relaxed, gpu, {{.*}} -> tensor<1024xi32, [[ONE]]>
tt.func public @additions(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %i: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %x: f32, %n: i32) -> tensor<1024xf32> {
  %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %a = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.splat %x : f32 -> tensor<1024xf32>
  %unread = tt.atomic_rmw fadd, relaxed, gpu, %a, %v : (tensor<1024x!tt.ptr<f32>>, tensor<1024xf32>) -> tensor<1024xf32>
  %old = tt.atomic_rmw fadd, relaxed, gpu, %a, %v : (tensor<1024x!tt.ptr<f32>>, tensor<1024xf32>) -> tensor<1024xf32>
  %t = tt.splat %i : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>>
  %b = tt.addptr %t, %r : tensor<1024x!tt.ptr<i32>>, tensor<1024xi32>
  %w = tt.splat %n : i32 -> tensor<1024xi32>
  %m = tt.atomic_rmw max, relaxed, gpu, %b, %w : (tensor<1024x!tt.ptr<i32>>, tensor<1024xi32>) -> tensor<1024xi32>
  tt.return %old : tensor<1024xf32>
}
