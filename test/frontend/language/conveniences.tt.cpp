// Functions that Triton users expect: casts of scalars, rows and columns, names of types, infinity, sizes; select of
// scalars; hints for tiles of two dimensions.
// RUN: %raise %s | FileCheck %s
#include <tilecc/tt.h>

static_assert(tt::next_power_of_2(1) == 1 && tt::next_power_of_2(100) == 128 && tt::next_power_of_2(128) == 128);
static_assert(sizeof(tt::int8) == 1 && sizeof(tt::uint16) == 2 && sizeof(tt::float32) == 4 && sizeof(tt::float64) == 8);
static_assert(tt::inf<float> > 1e38f && -tt::inf<tt::float64> < -1e300);

// CHECK-LABEL: @casts(
// CHECK: arith.sitofp {{.*}} : i32 to f32
// CHECK: arith.sitofp {{.*}} : tensor<16xi32> to tensor<16xf16>
extern "C" __tile_global__ void casts(tt::float32 *x, tt::float16 *y, tt::int32 n) {
  x[0] = tt::cast<float>(n);
  tt::store(y + tt::arange<16>(), tt::cast<tt::float16>(tt::arange<16>() + n));
}

// CHECK-LABEL: @planes(
// CHECK: tt.expand_dims {{.*}} {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
// CHECK: tt.expand_dims {{.*}} {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
// CHECK: {tt.divisibility = dense<[16, 2]> : tensor<2xi32>}
extern "C" __tile_global__ void planes(float *x, int n) {
  auto offsets = tt::multiple_of<16, 2>(tt::arange<8>().col() * n + tt::arange<4>().row());
  tt::store(x + offsets, 1.0f);
}

// CHECK-LABEL: @selects(
// CHECK: arith.select {{.*}} : f32
extern "C" __tile_global__ void selects(float *x, int n) {
  x[0] = tt::where(n > 3, x[1], -tt::inf<float>);
}
