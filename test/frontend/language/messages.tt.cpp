// RUN: %raise %s | FileCheck %s
// RUN: %raise -DNDEBUG %s | FileCheck %s --check-prefix=NDEBUG
#include <tilecc/tt.h>

// CHECK-LABEL: @messages(
// CHECK: tt.print " v is: " {hex = false, isSigned = array<i32: 0, 1>} : %{{.*}}, %{{.*}} : tensor<64xf32>, tensor<64xi32>
// CHECK: tt.print " bits: " {hex = true, isSigned = array<i32: 0>} : %{{.*}} : i8
// CHECK: tt.print " just text" {hex = false, isSigned = array<i32>}
// CHECK: tt.assert %{{.*}}, "positive please" : tensor<64xi1>
// CHECK: tt.assert %{{.*}}, "" : i1
// NDEBUG: tt.print
// NDEBUG-NOT: tt.assert
extern "C" __tile_global__ void messages(float *x, unsigned char c, int n) {
  auto i = tt::arange<64>();
  auto v = tt::load(x + i);
  tt::device_print("v is", v, i);
  tt::device_print("bits", tt::hex, c);
  tt::device_print("just text");
  tt::device_assert(v > 0, "positive please");
  tt::device_assert(n > 0);
}

// CHECK-LABEL: @assembly(
// CHECK: tt.elementwise_inline_asm "shl.b32 $0, $1, 3;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %{{.*}} : tensor<64xi32> -> tensor<64xi32>
// CHECK: tt.elementwise_inline_asm "mov.b32 $0, $2; mov.b32 $1, $2;" {constraints = "=r,=r,r", packed_element = 4 : i32, pure = false} %{{.*}} : tensor<64xi8> -> tensor<64xi8>, tensor<64xi8>
extern "C" __tile_global__ void assembly(int *x, signed char *c) {
  auto i = tt::arange<64>();
  tt::store(x + i, tt::inline_asm_elementwise<"shl.b32 $0, $1, 3;", "=r,r", int>(tt::load(x + i)));
  auto [a, b] = tt::inline_asm_elementwise<"mov.b32 $0, $2; mov.b32 $1, $2;", "=r,=r,r", signed char, signed char>(
      tt::side_effects, tt::pack<4>, tt::load(c + i));
  tt::store(c + i, a + b);
}

// CHECK-LABEL: @map(
// CHECK: "tt.map_elementwise"(%{{.*}}, %{{.*}}) <{pack = 1 : i32}>
// CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: i32):
// CHECK: scf.for
// CHECK: tt.map_elementwise.return %{{.*}}, %{{.*}} : f32, i32
// CHECK: (tensor<64xf32>, tensor<64xi32>) -> (tensor<64xf32>, tensor<64xi32>)
extern "C" __tile_global__ void map(float *x) {
  auto i = tt::arange<64>();
  auto [a, b] = tt::map_elementwise(
      [](float v, int n) {
        for (int k = 0; k < n; ++k)
          v = v * v + 1;
        return tt::pair{v, n + 1};
      },
      tt::load(x + i), i);
  tt::store(x + i, a + b);
}
