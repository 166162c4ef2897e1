// Reshapes, joins, gathers, histograms and sorts as operations of TTIR.
//
// RUN: %raise %s | FileCheck %s
#include <tilecc/tt.h>

// CHECK-LABEL: @shape(
extern "C" __tile_global__ void shape(const float *x, float *out) {
  auto i = tt::arange<64>();
  // CHECK: %[[X:.*]] = tt.load
  auto v = tt::load(x + i);
  // CHECK: %[[M:.*]] = tt.reshape %[[X]] : tensor<64xf32> -> tensor<4x16xf32>
  auto m = tt::reshape<4, 16>(v);
  // CHECK: %[[T:.*]] = tt.trans %[[M]] {order = array<i32: 1, 0>} : tensor<4x16xf32> -> tensor<16x4xf32>
  auto t = tt::trans(m);
  // CHECK: %[[R:.*]] = tt.reshape %[[T]] : tensor<16x4xf32> -> tensor<64xf32>
  // CHECK: tt.store %{{.*}}, %[[R]]
  tt::store(out + i, tt::ravel(t));
  // CHECK: %[[C:.*]] = tt.reshape %[[X]] : tensor<64xf32> -> tensor<2x4x8xf32>
  // CHECK: %[[P:.*]] = tt.trans %[[C]] {order = array<i32: 2, 0, 1>} : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
  // CHECK: tt.reshape %[[P]] allow_reorder : tensor<8x2x4xf32> -> tensor<64xf32>
  tt::store(out + i, tt::ravel(tt::permute<2, 0, 1>(tt::reshape(v, tt::shape<2, 4, 8>{})), tt::can_reorder));
}

// CHECK-LABEL: @pair(
extern "C" __tile_global__ void pair(const float *x, const int *y, float *out) {
  auto i = tt::arange<64>();
  // CHECK: %[[A:.*]] = tt.load
  auto a = tt::load(x + i);
  // CHECK: %[[B:.*]] = tt.load
  // CHECK: %[[F:.*]] = arith.sitofp %[[B]]
  auto b = tt::load(y + i);
  // CHECK: %[[J:.*]] = tt.join %[[A]], %[[F]] : tensor<64xf32> -> tensor<64x2xf32>
  // CHECK: %[[I:.*]] = tt.reshape %[[J]] : tensor<64x2xf32> -> tensor<128xf32>
  // CHECK: tt.store %{{.*}}, %[[I]]
  tt::store(out + tt::arange<128>(), tt::interleave(a, b));
  // CHECK: %[[T:.*]] = tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<64x2xf32> -> tensor<2x64xf32>
  // CHECK: %[[R:.*]] = tt.reshape %[[T]] : tensor<2x64xf32> -> tensor<128xf32>
  // CHECK: tt.store %{{.*}}, %[[R]]
  tt::store(out + tt::arange<128>(), tt::cat(a, b.to<float>()));
  // CHECK: tt.cat %{{.*}}, %{{.*}} : tensor<64xf32> -> tensor<128xf32>
  tt::store(out, tt::sum(tt::cat(a, b.to<float>(), tt::can_reorder)));
  // CHECK: %[[S:.*]] = tt.reshape %[[A]] : tensor<64xf32> -> tensor<32x2xf32>
  // CHECK: %[[L:.*]], %{{.*}} = tt.split %[[S]] : tensor<32x2xf32> -> tensor<32xf32>
  auto [left, right] = tt::split(tt::reshape<32, 2>(a));
  tt::store(out + tt::arange<32>(), left - right);
  // CHECK: tt.join %{{.*}}, %{{.*}} : tensor<1xf32> -> tensor<1x2xf32>
  // CHECK: tt.split %{{.*}} : tensor<1x2xf32> -> tensor<1xf32>
  // CHECK: tt.unsplat %{{.*}} : tensor<1xf32>
  auto [p, q] = tt::split(tt::join(*x, 1.0f) * 2.0f);
  *out = p + q;
}

// CHECK-LABEL: @pick(
extern "C" __tile_global__ void pick(const float *x, const unsigned char *y, float *out) {
  auto i = tt::arange<64>();
  // CHECK: %[[X:.*]] = tt.load
  auto v = tt::load(x + i);
  // An 8-bit index is unsigned; integers of TTIR are signed.
  // CHECK: %[[Y:.*]] = tt.load
  // CHECK: %[[I:.*]] = arith.extui %[[Y]] : tensor<64xi8> to tensor<64xi32>
  // CHECK: tt.gather %[[X]][%[[I]]] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  tt::store(out + i, tt::gather<0>(v, tt::load(y + i)));
  // CHECK: %[[N:.*]] = arith.xori %{{.*}}, %{{.*}} : tensor<64xi32>
  // CHECK: tt.gather %[[X]][%[[N]]]
  tt::store(out + i, tt::flip(v));
}

// CHECK-LABEL: @count(
extern "C" __tile_global__ void count(const unsigned long *x, const bool *b, int *out) {
  auto i = tt::arange<64>();
  // CHECK: arith.minui
  // CHECK: %[[X:.*]] = arith.trunci %{{.*}} : tensor<64xi64> to tensor<64xi32>
  // CHECK: tt.histogram %[[X]] : tensor<64xi32> -> tensor<16xi32>
  tt::store(out + tt::arange<16>(), tt::histogram<16>(tt::load(x + i)));
  // CHECK: %[[B:.*]] = arith.extui %{{.*}} : tensor<64xi1> to tensor<64xi32>
  // CHECK: tt.histogram %[[B]], %{{.*}} : tensor<64xi32> -> tensor<2xi32>
  tt::store(out + tt::arange<2>(), tt::histogram<2>(tt::load(b + i), i < 9));
}

// Four elements take three steps of exchanges: at distances of one, two, and one.
// CHECK-LABEL: @up(
extern "C" __tile_global__ void up(const short *x, short *out) {
  auto i = tt::arange<4>();
  // CHECK-COUNT-3: tt.gather
  // CHECK-NOT: tt.gather
  tt::store(out + i, tt::sort(tt::load(x + i)));
}

// Floating-point numbers are compared as integers.
// CHECK-LABEL: @down(
extern "C" __tile_global__ void down(const float *x, float *out) {
  auto i = tt::arange<2>();
  // CHECK: %[[BITS:.*]] = tt.bitcast %{{.*}} : tensor<2xf32> -> tensor<2xi32>
  // CHECK: tt.gather
  // CHECK: arith.maxsi
  // CHECK: arith.minsi
  // CHECK: tt.bitcast %{{.*}} : tensor<2xi32> -> tensor<2xf32>
  tt::store(out + i, tt::sort<0, true>(tt::load(x + i)));
}
