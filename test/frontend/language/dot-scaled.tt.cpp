// Dots of microscaled operands, with scales for 32 and for 16 neighbours.
//
// RUN: %raise %s | FileCheck %s
#include <tilecc/tt.h>

// CHECK-LABEL: @mixed(
// CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<16x32xi8>, tensor<16x2xi8> * tensor<64x16xf8E4M3FN> -> tensor<16x16xf32>
extern "C" __tile_global__ void mixed(const unsigned char *a, const unsigned char *as, const tt::float8_e4m3fn *b, float *out) {
  auto r = tt::arange<16>();
  auto x = tt::load(a + r.col() * 32 + tt::arange<32>().row());
  auto y = tt::load(b + tt::arange<64>().col() * 16 + r.row());
  auto scale = tt::load(as + r.col() * 2 + tt::arange<2>().row());
  tt::store(out + r.col() * 16 + r.row(), tt::dot_scaled<tt::mx::e2m1, tt::mx::e4m3>(x, scale, y, tt::no_scale));
}

// CHECK-LABEL: @small_blocks(
// CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<16x32xi8>, tensor<16x4xf8E4M3FN> * tensor<32x16xi8>, tensor<16x4xf8E4M3FN> -> tensor<16x16xf32>
extern "C" __tile_global__ void small_blocks(const unsigned char *a, const tt::float8_e4m3fn *s, float *out) {
  auto r = tt::arange<16>();
  auto x = tt::load(a + r.col() * 32 + tt::arange<32>().row());
  auto scale = tt::load(s + r.col() * 4 + tt::arange<4>().row());
  auto acc = tt::full<float, 16, 16>(1.0f);
  tt::store(out + r.col() * 16 + r.row(), tt::dot_scaled<tt::mx::e2m1, tt::mx::e2m1>(x, scale, tt::trans(x), scale, acc));
}
