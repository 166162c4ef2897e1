// The operation of each operator, and the element type of its result.
//
// RUN: %raise %s | FileCheck %s
#include <cstdint>
#include <tilecc/tt.h>

template <class A, class B> inline constexpr bool same = false;
template <class A> inline constexpr bool same<A, A> = true;
#define HAS_ELEMENT(expression, type) static_assert(same<decltype(expression)::element_type, type>)

template <class T> __tile__ auto tile_of(const void *p) { return tt::load((const T *)p + tt::arange<64>()); }
template <class T> __tile__ void keep(void *p, T t) { tt::store((typename T::element_type *)p + tt::arange<64>(), t); }

// CHECK-LABEL: @types(
extern "C" __tile_global__ void types(const void *p, int scalar, float fscalar, double dscalar, int64_t wide) {
  auto b = tile_of<bool>(p);
  auto i8 = tile_of<int8_t>(p);
  auto u8 = tile_of<uint8_t>(p);
  auto i16 = tile_of<int16_t>(p);
  auto i = tile_of<int>(p);
  auto u = tile_of<unsigned>(p);
  auto i64 = tile_of<int64_t>(p);
  auto h = tile_of<tt::float16>(p);
  auto bf = tile_of<tt::bfloat16>(p);
  auto f = tile_of<float>(p);
  auto d = tile_of<double>(p);
  // Two tiles: C's conversions, without promotion.
  HAS_ELEMENT(i8 + i8, int8_t);
  HAS_ELEMENT(i8 + u8, uint8_t);
  HAS_ELEMENT(i8 + i16, int16_t);
  HAS_ELEMENT(u8 + i16, int16_t);
  HAS_ELEMENT(i8 + i, int);
  HAS_ELEMENT(i + u, unsigned);
  HAS_ELEMENT(u + i64, int64_t);
  HAS_ELEMENT(b + i8, int8_t);
  HAS_ELEMENT(b + b, int);
  HAS_ELEMENT(b & b, bool);
  HAS_ELEMENT(h + h, tt::float16);
  HAS_ELEMENT(h + f, float);
  HAS_ELEMENT(bf + f, float);
  HAS_ELEMENT(f + d, double);
  HAS_ELEMENT(i64 + h, tt::float16);
  HAS_ELEMENT(i < u, bool);
  // A scalar of the same kind, or of a lower one, takes the tile's type; one of a higher kind keeps its own.
  HAS_ELEMENT(i8 + scalar, int8_t);
  HAS_ELEMENT(i + wide, int);
  HAS_ELEMENT(h * 2.0, tt::float16);
  HAS_ELEMENT(fscalar - bf, tt::bfloat16);
  HAS_ELEMENT(f * dscalar, float);
  HAS_ELEMENT(f * scalar, float);
  HAS_ELEMENT(i * fscalar, float);
  HAS_ELEMENT(i * dscalar, double);
  HAS_ELEMENT(b + scalar, int);
}

// CHECK-LABEL: @signedness(
extern "C" __tile_global__ void signedness(void *p, int *q) {
  auto i = tile_of<int>(p);
  auto u = tile_of<unsigned>(p);
  // CHECK: arith.divsi
  keep(q, i / 3);
  // CHECK: arith.divui
  keep(q, u / 3);
  // CHECK: arith.remsi
  keep(q, i % 7);
  // CHECK: arith.remui
  keep(q, u % 7);
  // CHECK: arith.shrsi
  keep(q, i >> 2);
  // CHECK: arith.shrui
  keep(q, u >> 2);
  // CHECK: arith.shli
  keep(q, i << 2);
  // CHECK: arith.cmpi slt
  // CHECK: arith.cmpi ult
  // CHECK: arith.andi
  // CHECK: arith.select
  keep(q, tt::where(i < 3 && u < 4u, i, 7));
  // CHECK: arith.maxsi
  keep(q, tt::maximum(i, 0));
  // CHECK: arith.minui
  keep(q, tt::minimum(u, 9));
  // CHECK: arith.xori %{{.*}}, %cst{{.*}}
  keep(q, ~i);
  // CHECK: arith.subi %cst{{.*}}, %
  keep(q, -i);
  // CHECK: math.absi
  keep(q, tt::abs(i));
  // CHECK: tt.return
}

// CHECK-LABEL: @floats(
// CHECK: %[[MINUS_ZERO:.*]] = arith.constant dense<-0.000000e+00> : tensor<64xf32>
extern "C" __tile_global__ void floats(void *p, float *q) {
  auto f = tile_of<float>(p);
  auto g = tile_of<float>((float *)p + 1);
  // CHECK: arith.divf
  keep(q, f / g);
  // CHECK: arith.remf
  keep(q, f % g);
  // CHECK: arith.subf %[[MINUS_ZERO]], %
  keep(q, -f);
  // CHECK: arith.cmpf olt
  // CHECK: arith.cmpf une
  // CHECK: arith.ori
  keep(q, tt::where(f < g || f != g, f, g));
  // CHECK: arith.maxnumf
  keep(q, tt::maximum(f, g));
  // CHECK: arith.minimumf
  keep(q, tt::minimum<tt::propagate_nan::all>(f, g));
  // CHECK: math.exp2
  keep(q, tt::exp2(f));
  // CHECK: math.log %
  keep(q, tt::log(f));
  // CHECK: math.log2
  keep(q, tt::log2(f));
  // CHECK: math.sqrt
  keep(q, tt::sqrt(f));
  // CHECK: math.absf
  keep(q, tt::abs(f));
  // CHECK: math.exp %{{.*}} : f32
  q[0] = tt::exp(q[1]);
  // CHECK: tt.return
}

// CHECK-LABEL: @casts(
extern "C" __tile_global__ void casts(void *p, void *q) {
  auto i = tile_of<int>(p);
  auto u8 = tile_of<uint8_t>(p);
  auto f = tile_of<float>(p);
  auto h = tile_of<tt::float16>(p);
  // CHECK: arith.sitofp {{.*}} tensor<64xi32> to tensor<64xf32>
  keep(q, i.to<float>());
  // CHECK: arith.uitofp {{.*}} tensor<64xi8> to tensor<64xf32>
  keep(q, u8.to<float>());
  // CHECK: arith.extui {{.*}} tensor<64xi8> to tensor<64xi32>
  keep(q, u8.to<int>());
  // CHECK: arith.trunci {{.*}} tensor<64xi32> to tensor<64xi8>
  keep(q, i.to<int8_t>());
  // CHECK: arith.fptosi {{.*}} tensor<64xf32> to tensor<64xi32>
  keep(q, f.to<int>());
  // CHECK: arith.fptoui {{.*}} tensor<64xf32> to tensor<64xi32>
  keep(q, f.to<unsigned>());
  // CHECK: arith.truncf {{.*}} tensor<64xf32> to tensor<64xbf16>
  keep(q, f.to<tt::bfloat16>());
  // CHECK: arith.extf {{.*}} tensor<64xf16> to tensor<64xf32>
  // CHECK: arith.truncf {{.*}} tensor<64xf32> to tensor<64xbf16>
  keep(q, h.to<tt::bfloat16>());
  // CHECK: arith.cmpf une
  // CHECK: arith.extui {{.*}} tensor<64xi1> to tensor<64xi8>
  keep(q, f.to<bool>());
  // CHECK: tt.return
}

// Halves are computed in half precision, whatever the host does.
// CHECK-LABEL: @half_scalars(
// CHECK: arith.addf {{.*}} : f16
// CHECK: arith.mulf {{.*}} : f16
// CHECK: arith.addf {{.*}} : bf16
extern "C" __tile_global__ void half_scalars(tt::float16 *x, tt::bfloat16 *y) {
  x[0] = (x[1] + x[2]) * x[3];
  y[0] = y[1] + y[2];
}
