// RUN: %raise %s | FileCheck %s
#include <cstdint>
#include <tilecc/tt.h>

// Offsets keep their width: 32 or 64 bits, as in the source.
// CHECK-LABEL: @offsets(
// CHECK: tt.addptr %{{.*}}, %{{.*}} : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
// CHECK: arith.extsi %{{.*}} : tensor<64xi32> to tensor<64xi64>
// CHECK: tt.addptr %{{.*}}, %{{.*}} : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
// CHECK: arith.muli %{{.*}} : i64
// CHECK: tt.addptr %{{.*}}, %{{.*}} : !tt.ptr<f32>, i64
extern "C" __tile_global__ void offsets(float *x, int64_t base, int row, int stride) {
  auto i = tt::arange<64>();
  tt::store(x + i, 1.0f);
  tt::store(x + (i.to<int64_t>() + base), 2.0f);
  tt::store(x + int64_t(row) * stride + i, 3.0f);
}
