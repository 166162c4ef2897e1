// RUN: %raise %s | FileCheck %s
#include <tilecc/tt.h>

// CHECK-LABEL: @promises(
// CHECK-SAME: i32 {tt.divisibility = 8 : i32}
// CHECK: %[[C:.*]] = arith.cmpi sgt
// CHECK: llvm.intr.assume %[[C]] : i1
// CHECK: arith.muli {{.*}} {tt.divisibility = dense<64> : tensor<1xi32>}
// CHECK: arith.addi {{.*}} {tt.divisibility = dense<16> : tensor<1xi32>} : tensor<64xi32>
extern "C" __tile_global__ void promises(float *x, int n, int m) {
  tt::assume(n > 0);
  int k = tt::multiple_of<64>(n * m);
  auto i = tt::multiple_of<16>(tt::arange<64>() + k);
  tt::store(x + i, 1.0f, i < tt::multiple_of<8>(m));
}

// CHECK-LABEL: @grid(
// CHECK-DAG: tt.get_program_id y : i32
// CHECK-DAG: tt.get_num_programs z : i32
extern "C" __tile_global__ void grid(int *x) { x[tt::program_id(1)] = tt::num_programs(2); }

// CHECK-LABEL: @creation(
// CHECK-DAG: arith.constant dense<1.500000e+00> : tensor<4x8xf32>
// CHECK-DAG: arith.constant dense<0> : tensor<32xi32>
// CHECK-DAG: tt.make_range {end = 48 : i32, start = 16 : i32} : tensor<32xi32>
// CHECK-DAG: tt.dot %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
extern "C" __tile_global__ void creation(float *x, int *y) {
  auto i = tt::arange<4>()(tt::all, tt::newaxis) * 8 + tt::arange<8>();
  tt::store(x + i, tt::full(tt::shape<4, 8>{}, 1.5f));
  tt::store(y + tt::arange<16, 48>(), tt::zeros<int>(tt::shape<32>{}));
  auto a = tt::broadcast_to<16, 32>(tt::load(x + tt::arange<32>()));
  auto b = tt::broadcast_to<32, 16>(tt::load(x + tt::arange<16>()));
  auto j = tt::arange<16>()(tt::all, tt::newaxis) * 16 + tt::arange<16>();
  tt::store(x + j, tt::dot<tt::precision::ieee>(a, b));
}
