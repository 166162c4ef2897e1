// RUN: %raise %s | FileCheck %s
#include <tilecc/tt.h>

// CHECK-LABEL: @promises(
// CHECK-SAME: !tt.ptr<f32> {tt.divisibility = 32 : i32}
// CHECK-SAME: i32{{.*}} %[[M:[a-z0-9]+]]: i32
// CHECK-NOT: divisibility
// CHECK: %[[C:.*]] = arith.cmpi sgt
// CHECK: llvm.intr.assume %[[C]] : i1
// CHECK: arith.muli {{.*}} {tt.divisibility = dense<64> : tensor<1xi32>}
// CHECK: arith.addi {{.*}} {tt.contiguity = dense<32> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>} : tensor<64xi32>
// An integer parameter's attribute would also assert its sign.
// CHECK: tt.bitcast %[[M]] {tt.divisibility = dense<8> : tensor<1xi32>} : i32 -> i32
// CHECK: tt.addptr {{.*}} {tt.constancy = dense<4> : tensor<1xi32>}
extern "C" __tile_global__ void promises(float *x, int n, int m) {
  tt::assume(n > 0);
  x = tt::multiple_of<32>(x);
  int k = tt::multiple_of<64>(n * m);
  auto i = tt::max_contiguous<32>(tt::multiple_of<16>(tt::arange<64>() + k));
  auto mask = i < tt::multiple_of<8>(m);
  tt::store(tt::max_constancy<4>(x + i / 4), 1.0f, mask);
}

// Loop-carried values, and values defined before a branch, are copied: the assumption holds for the copy only.
// CHECK-LABEL: @carried(
// CHECK: scf.for {{.*}} iter_args({{.*}}%[[P:.*]] = {{.*}}, %[[O:.*]] = {{.*}})
// CHECK-DAG: tt.bitcast %[[P]] {tt.divisibility = dense<16> : tensor<1xi32>} : tensor<64x!tt.ptr<f32>> -> tensor<64x!tt.ptr<f32>>
// CHECK-DAG: tt.bitcast %[[O]] {tt.divisibility = dense<4> : tensor<1xi32>} : i32 -> i32
// CHECK: scf.if
// CHECK: tt.bitcast {{.*}} {tt.divisibility = dense<2> : tensor<1xi32>} : i32 -> i32
extern "C" __tile_global__ void carried(float *x, int n, int step, bool even) {
  auto p = x + tt::arange<64>();
  int offset = n * 3, scaled = n * step;
  for (int i = 0; i < n; ++i) {
    p = tt::multiple_of<16>(p);
    tt::store(p + tt::multiple_of<4>(offset), 1.0f);
    p += step;
    offset += step;
  }
  if (even)
    scaled = tt::multiple_of<2>(scaled);
  x[scaled] = 2.0f;
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
