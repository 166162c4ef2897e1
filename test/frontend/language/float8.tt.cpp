// 8-bit floats are f8E4M3FN and f8E5M2 in tiles and behind pointers, as in Triton's IR, and bytes as scalars. Conversions
// are tt.fp_to_fp, and go through f32 to and from integers.
//
// RUN: %raise %s | FileCheck %s --implicit-check-not=arith.truncf --implicit-check-not=arith.extf
#include <tilecc/tt.h>

using e4m3 = tt::float8_e4m3fn;
using e5m2 = tt::float8_e5m2;
#define KERNEL extern "C" __tile_global__ void

// CHECK-LABEL: @memory(
// CHECK-SAME: !tt.ptr<f8E4M3FN>, %{{.*}}: !tt.ptr<f8E4M3FN>
// CHECK: %[[OTHER:.*]] = arith.constant dense<1.500000e+00> : tensor<64xf8E4M3FN>
// CHECK: %[[X:.*]] = tt.load %{{.*}}, %{{.*}}, %[[OTHER]] : tensor<64x!tt.ptr<f8E4M3FN>>
// CHECK: tt.store %{{.*}}, %[[X]] : tensor<64x!tt.ptr<f8E4M3FN>>
KERNEL memory(const e4m3 *x, e4m3 *out, int n) {
  auto i = tt::arange<64>();
  tt::store(out + i, tt::load(x + i, i < n, 1.5f));
}

// CHECK-LABEL: @conversions(
// CHECK: tt.fp_to_fp %{{.*}} : tensor<64xf8E4M3FN> -> tensor<64xf16>
// CHECK: tt.fp_to_fp %{{.*}} : tensor<64xf8E4M3FN> -> tensor<64xf64>
// CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : tensor<64xf16> -> tensor<64xf8E5M2>
// CHECK: %[[I:.*]] = tt.fp_to_fp %{{.*}} : tensor<64xf8E4M3FN> -> tensor<64xf32>
// CHECK: arith.fptosi %[[I]] : tensor<64xf32> to tensor<64xi32>
// CHECK: %[[F:.*]] = arith.sitofp %{{.*}} : tensor<64xi32> to tensor<64xf32>
// CHECK: tt.fp_to_fp %[[F]], rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>
KERNEL conversions(const e4m3 *x, tt::float16 *h, double *d, e5m2 *o, int *k) {
  auto i = tt::arange<64>();
  auto v = tt::load(x + i);
  tt::store(h + i, v.to<tt::float16>());
  tt::store(d + i, v.to<double>());
  tt::store(o + i, v.to<e5m2>());
  tt::store(k + i, v.to<int>());
  tt::store(o + i, i.to<e5m2>());
}

// A scalar is its byte: operations on it are integer instructions.
// CHECK-LABEL: @scalars(
// CHECK-SAME: %[[BY:[a-z0-9]+]]: i8
// CHECK: %[[B:.*]] = tt.bitcast %[[BY]] : i8 -> f8E5M2
// CHECK: tt.splat %[[B]] : f8E5M2 -> tensor<64xf8E5M2>
KERNEL scalars(const e5m2 *x, e5m2 *out, e5m2 by) {
  auto i = tt::arange<64>();
  tt::store(out + i, tt::where(i < 3, tt::load(x + i), by));
}

// CHECK-LABEL: @copies(
// CHECK: %[[X:.*]] = tt.load %{{.*}} : !tt.ptr<i8>
// CHECK: tt.store %{{.*}}, %[[X]] : !tt.ptr<i8>
KERNEL copies(const e5m2 *x, e5m2 *out, int i) { out[i] = x[i]; }

// CHECK-LABEL: @product(
// CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}} {maxNumImpreciseAcc = 32 : i32} : tensor<16x32xf8E4M3FN> * tensor<32x16xf8E5M2> -> tensor<16x16xf32>
KERNEL product(const e4m3 *a, const e5m2 *b, float *c) {
  auto at = tt::arange<16>()(tt::all, tt::newaxis) * 32 + tt::arange<32>()(tt::newaxis, tt::all);
  auto d = tt::dot<tt::precision::tf32, 32>(tt::load(a + at), tt::trans(tt::load(b + at)));
  tt::store(c + tt::arange<16>()(tt::all, tt::newaxis) * 16 + tt::arange<16>()(tt::newaxis, tt::all), d);
}
