// Tensor descriptors, made by a kernel and taken as an argument: the same operations. Block pointers are pointer arithmetic.
//
// RUN: %raise %s | FileCheck %s
// RUN: not %raise -DMISTAKES %s 2>&1 | FileCheck %s --check-prefix=MISTAKE --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

// CHECK-LABEL: @made(
// CHECK: %[[D:.*]] = tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %c1_i64] : <f32>, <tensor<32x16xf32>>
// CHECK: %[[X:.*]] = tt.descriptor_load %[[D]][%{{.*}}, %c0_i32] : !tt.tensordesc<tensor<32x16xf32>> -> tensor<32x16xf32>
// CHECK: tt.descriptor_store %[[D]][%c0_i32, %{{.*}}], %[[X]]
// CHECK: tt.descriptor_reduce add, %[[D]][%{{.*}}, %{{.*}}], %[[X]]
extern "C" __tile_global__ void made(float *x, int m, int n) {
  auto d = tt::make_tensor_descriptor<32, 16>(x, {m, n}, {n, 1});
  auto block = d.load({m, 0});
  d.store({0, n}, block);
  d.atomic_add({m, n}, block);
}

// CHECK-LABEL: @given(
// CHECK-SAME: !llvm.struct<(i64, struct<(array<2 x i32>)>, struct<(array<2 x i64>)>)>
// CHECK: tt.make_tensor_descriptor %{{.*}} : <f16>, <tensor<1x16xf16>>
// CHECK: tt.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<tensor<1x16xf16>>, tensor<8xi32>, i32) -> tensor<8x16xf16>
// CHECK: tt.descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<tensor<1x16xf16>>, tensor<8xi32>, i32, tensor<8x16xf16>
extern "C" __tile_global__ void given(tt::tensor_descriptor<tt::float16, 1, 16> d, int n) {
  d.scatter(d.gather(tt::arange<8>(), n), tt::arange<8>() + n, 0);
}

// CHECK-LABEL: @padded(
// CHECK: tt.make_tensor_descriptor {{.*}} {padding = 2 : i32} : <f64>, <tensor<8xf64>>
extern "C" __tile_global__ void padded(const double *x, double *out, int n) {
  tt::store(out + tt::arange<8>(), tt::make_tensor_descriptor<8>(x, {n}, {1}, tt::padding::nan).load({n}));
}

// CHECK-LABEL: @blocks(
// CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<16xi32>
// CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x16x!tt.ptr<f32>>
// CHECK-NOT: arith.cmpi
// CHECK: tt.store %{{.*}}, %{{.*}} : tensor<8x16x!tt.ptr<f32>>
extern "C" __tile_global__ void blocks(const float *x, float *out, int m, int n) {
  auto p = tt::advance(tt::make_block_ptr<8, 16>(x, {m, n}, {n, 1}, {0, 0}), {8, 16});
  tt::store(tt::make_block_ptr<8, 16>(out, {m, n}, {n, 1}, {0, 0}), tt::load(p, tt::boundary_check<1>, tt::cache::cg));
}

// CHECK-LABEL: @loops(
// CHECK: scf.for
// CHECK: } {tt.disallow_acc_multi_buffer = true, tt.flatten = true, tt.warp_specialize = false}
extern "C" __tile_global__ void loops(float *x, int n) {
  for (int i : tt::range(n).warp_specialize(false).flatten().disallow_acc_multi_buffer())
    x[i] += 1.0f;
}

#ifdef MISTAKES
__tile_global__ void mistakes(const float *x, float *out, int n) {
  // MISTAKE-DAG: descriptors.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the last stride of a tensor descriptor is the constant 1: its rows are contiguous
  auto d = tt::make_tensor_descriptor<8, 16>(out, {n, n}, {1, n});
  d.store({0, 0}, 1.0f);
}
#endif
