// Loads, stores, pointers.
//
// RUN: %raise %s | FileCheck %s
#include <cstdint>
#include <tilecc/tt.h>

// A bool in memory is a byte: tt.ptr<i1> would abort Triton.
// CHECK-LABEL: @bools(
// CHECK-SAME: %[[M:[a-z0-9]+]]: !tt.ptr<i8>, %{{.*}}: !tt.ptr<f32>, %[[Q:[a-z0-9]+]]: !tt.ptr<i8>, %[[F:[a-z0-9]+]]: i1
// CHECK: %[[B:.*]] = tt.load %{{.*}} : tensor<64x!tt.ptr<i8>>
// CHECK: %[[K:.*]] = arith.cmpi ne, %[[B]], %{{.*}} : tensor<64xi8>
// CHECK: tt.load %{{.*}}, %[[K]], %{{.*}} : tensor<64x!tt.ptr<f32>>
// CHECK: %[[G:.*]] = arith.cmpf ogt
// CHECK: %[[E:.*]] = arith.extui %[[G]] : tensor<64xi1> to tensor<64xi8>
// CHECK: tt.store %{{.*}}, %[[E]] : tensor<64x!tt.ptr<i8>>
// CHECK: scf.if %[[F]]
extern "C" __tile_global__ void bools(const bool *m, const float *x, bool *q, bool f) {
  auto i = tt::arange<64>();
  auto k = tt::load(m + i);
  tt::store(q + i, tt::load(x + i, k, 0.0f) > 0.5f);
  if (f)
    q[0] = m[1] && !m[2];
}

// Scalar masks, values and other values are splatted; tiles are broadcast to the shape of the pointers.
// CHECK-LABEL: @spreading(
// CHECK: %[[M:.*]] = tt.splat %{{.*}} : i1 -> tensor<16x32xi1>
// CHECK: %[[O:.*]] = tt.broadcast %{{.*}} : tensor<1x32xf32> -> tensor<16x32xf32>
// CHECK: tt.load %{{.*}}, %[[M]], %[[O]]
extern "C" __tile_global__ void spreading(float *x, int n) {
  auto rows = tt::arange<16>()(tt::all, tt::newaxis);
  auto columns = tt::arange<32>()(tt::newaxis, tt::all);
  auto p = x + rows * 32 + columns;
  auto v = tt::load(p, n > 3, tt::arange<32>());
  tt::store(p, v, rows < n);
}

// CHECK-LABEL: @scalars(
// CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} : !tt.ptr<f32>
// CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} : !tt.ptr<f32>
extern "C" __tile_global__ void scalars(float *x, int n) {
  float f = tt::load(x + n, n < 3, 1.0f);
  tt::store(x, f * 2, n > 1);
}

// An unsigned index is zero-extended, while a signed one stays narrow.
// CHECK-LABEL: @offsets(
// CHECK: %[[W:.*]] = arith.extui %{{.*}} : tensor<64xi32> to tensor<64xi64>
// CHECK: tt.addptr %{{.*}}, %[[W]] : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
// CHECK: arith.extui %{{.*}} : i32 to i64
// CHECK: tt.addptr {{.*}} : !tt.ptr<f32>, i64
// CHECK: tt.addptr {{.*}} : !tt.ptr<f32>, i32
extern "C" __tile_global__ void offsets(float *x, unsigned u, int n) {
  tt::store(x + (tt::arange<64>().to<unsigned>() + u), 1.0f);
  x[u] = 1.0f;
  x[n] = 2.0f;
}

struct config {
  float scale;
  int8_t flags[4];
  int64_t offset;
};
// The same memory with other types: the pointer is cast where it is used, and byte offsets become element offsets.
// CHECK-LABEL: @reinterpreted(
// CHECK-SAME: %[[C:[a-z0-9]+]]: !tt.ptr<i8>, %[[X:[a-z0-9]+]]: !tt.ptr<f32>
// CHECK: %[[S:.*]] = tt.bitcast %[[C]] : !tt.ptr<i8> -> !tt.ptr<f32>
// CHECK: tt.load %[[S]] : !tt.ptr<f32>
// CHECK: %[[O:.*]] = tt.addptr %[[C]], %c8_i32
// CHECK: tt.bitcast %[[O]] : !tt.ptr<i8> -> !tt.ptr<i64>
// CHECK: %[[I:.*]] = tt.bitcast %[[X]] : !tt.ptr<f32> -> !tt.ptr<i32>
// CHECK: tt.load %[[I]] : !tt.ptr<i32>
extern "C" __tile_global__ void reinterpreted(const config *c, float *x) {
  x[1] = c->scale + c->offset + *(const int *)x;
}

// CHECK-LABEL: @pointer_arithmetic(
// CHECK: tt.ptr_to_int
// CHECK: arith.cmpi ult
extern "C" __tile_global__ void pointer_arithmetic(const float *x, const float *end, float *o) {
  for (const float *p = x; p < end; p += 4)
    o[0] += p[0];
  o[1] = end - x;
  o[2] = x == end;
}
