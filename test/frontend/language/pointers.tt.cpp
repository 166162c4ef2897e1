// Pointers in memory: addresses are loaded and stored as integers. Tiles of pointers can be incremented.
//
// RUN: %raise %s | FileCheck %s
#include <tilecc/tt.h>

// CHECK-LABEL: @grouped(%arg0: !tt.ptr<i64>, %arg1: !tt.ptr<i64>)
// CHECK: %[[X:.*]] = tt.load %{{.*}} : !tt.ptr<i64>
// CHECK: tt.int_to_ptr %[[X]] : i64 -> !tt.ptr<f32>
// CHECK: %[[P:.*]] = tt.load %{{.*}} : tensor<16x!tt.ptr<i64>>
// CHECK: %[[Q:.*]] = tt.int_to_ptr %[[P]] : tensor<16xi64> -> tensor<16x!tt.ptr<f32>>
// CHECK: tt.store %[[Q]]
extern "C" __tile_global__ void grouped(const float *const *xs, float *const *out) {
  const float *x = xs[tt::program_id(0)];
  auto i = tt::arange<16>();
  tt::store(tt::load(out + i), tt::load(x + i));
}

// CHECK-LABEL: @linked
// CHECK: %[[A:.*]] = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
// CHECK: tt.store %arg0, %[[A]] : !tt.ptr<i64>
// CHECK: tt.ptr_to_int %{{.*}} : tensor<16x!tt.ptr<f32>> -> tensor<16xi64>
// CHECK: tt.store %{{.*}} : tensor<16x!tt.ptr<i64>>
extern "C" __tile_global__ void linked(const float **to, float *x) {
  *to = x;
  auto i = tt::arange<16>();
  tt::store(to + i, x + i, i > 0);
}

// CHECK-LABEL: @counted
// CHECK: tt.addptr
extern "C" __tile_global__ void counted(float *x) {
  auto p = x + tt::arange<16>();
  auto before = p++;
  tt::store(before, tt::load(p));
  tt::store(--p, 1.0f);
}
