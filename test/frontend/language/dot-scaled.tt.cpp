// Dots of microscaled operands are dots of 16-bit floats.
//
// RUN: %raise %s | FileCheck %s
#include <tilecc/tt.h>

// CHECK-LABEL: @mixed(
// CHECK: tt.join
// CHECK: tt.dot %{{.*}} : tensor<16x64xbf16> * tensor<64x16xbf16> -> tensor<16x16xf32>
extern "C" __tile_global__ void mixed(const unsigned char *a, const unsigned char *as, const tt::float8_e4m3fn *b, float *out) {
  auto r = tt::arange<16>();
  auto x = tt::load(a + r.col() * 32 + tt::arange<32>().row());
  auto y = tt::load(b + tt::arange<64>().col() * 16 + r.row());
  auto scale = tt::load(as + r.col() * 2 + tt::arange<2>().row());
  tt::store(out + r.col() * 16 + r.row(), tt::dot_scaled<tt::mx::e2m1, tt::mx::e4m3>(x, scale, y, tt::no_scale));
}
