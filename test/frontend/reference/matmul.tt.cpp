// Triton's matmul_ptr in C++: the operations and the dataflow of %reference_ir/matmul_ptr_float16_4096.ttir.
//
// RUN: %raise %s | FileCheck %s
//
// Every operation occurs as often as in Triton's own, and there are no others:
// RUN: %raise %s | %python %S/Inputs/histogram.py - %reference_ir/matmul_ptr_float16_4096.ttir
#include <tilecc/tt.h>
using tt::all, tt::newaxis;

template <int BM, int BN, int BK, int GROUP>
__tile_global__ void matmul_ptr(const tt::float16 *a, const tt::float16 *b, tt::float16 *c, int M, int N, int K,
                                int sam, int sbk, int scm) {
  int pid = tt::program_id(0);
  int gm = tt::cdiv(M, BM);
  int gn = tt::cdiv(N, BN);
  int in_group = GROUP * gn;
  int g = pid / in_group;
  int first = g * GROUP;
  int size = tt::minimum(gm - first, GROUP);
  int pm = first + (pid % in_group) % size;
  int pn = (pid % in_group) / size;
  auto rm = (pm * BM + tt::arange<BM>()) % M;
  auto rn = (pn * BN + tt::arange<BN>()) % N;
  auto rk = tt::arange<BK>();
  auto pa = a + rm(all, newaxis) * sam + rk(newaxis, all);
  auto pb = b + rk(all, newaxis) * sbk + rn(newaxis, all);
  auto acc = tt::zeros<float, BM, BN>();
  for (int k = 0; k < tt::cdiv(K, BK); ++k) {
    auto ta = tt::load(pa, rk(newaxis, all) < K - k * BK, 0.0);
    auto tb = tt::load(pb, rk(all, newaxis) < K - k * BK, 0.0);
    acc = tt::dot(ta, tb, acc);
    pa += BK;
    pb += BK * sbk;
  }
  auto om = pm * BM + tt::arange<BM>();
  auto on = pn * BN + tt::arange<BN>();
  tt::store(c + om(all, newaxis) * scm + on(newaxis, all), acc, (om(all, newaxis) < M) & (on(newaxis, all) < N));
}

template __tile_global__ void matmul_ptr<128, 256, 64, 8>(const tt::float16 *, const tt::float16 *, tt::float16 *, int,
                                                          int, int, int, int, int);

// CHECK: tt.func public @{{.*}}matmul_ptr{{.*}}(%[[A:.*]]: !tt.ptr<f16>, %[[B:.*]]: !tt.ptr<f16>, %[[C:.*]]: !tt.ptr<f16>, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[K:.*]]: i32, %[[SAM:.*]]: i32, %[[SBK:.*]]: i32, %[[SCM:.*]]: i32)
// CHECK: %[[RM:.*]] = arith.remsi
// CHECK: %[[RN:.*]] = arith.remsi {{.*}} : tensor<256xi32>
// CHECK: %[[RK:.*]] = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
// CHECK: %[[RKROW:.*]] = tt.expand_dims %[[RK]] {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
// CHECK: %[[PA:.*]] = tt.addptr {{.*}} : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
// CHECK: %[[RKCOL:.*]] = tt.expand_dims %[[RK]] {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
// CHECK: %[[PB:.*]] = tt.addptr {{.*}} : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
// CHECK: %[[LOOP:.*]]:3 = scf.for %[[I:.*]] = %c0_i32 to %{{.*}} step %c1_i32 iter_args(%[[PAI:.*]] = %[[PA]], %[[PBI:.*]] = %[[PB]], %[[ACC:.*]] = %{{.*}}) -> (tensor<128x64x!tt.ptr<f16>>, tensor<64x256x!tt.ptr<f16>>, tensor<128x256xf32>)  : i32 {
// CHECK-NEXT: %[[KB:.*]] = arith.muli %[[I]], %c64_i32 : i32
// CHECK-NEXT: %[[LEFT:.*]] = arith.subi %[[K]], %[[KB]] : i32
// CHECK-NEXT: %[[LEFTROW:.*]] = tt.splat %[[LEFT]] : i32 -> tensor<1x64xi32>
// CHECK-NEXT: %[[MA:.*]] = arith.cmpi slt, %[[RKROW]], %[[LEFTROW]] : tensor<1x64xi32>
// CHECK-NEXT: %[[MAB:.*]] = tt.broadcast %[[MA]] : tensor<1x64xi1> -> tensor<128x64xi1>
// CHECK-NEXT: %[[TA:.*]] = tt.load %[[PAI]], %[[MAB]], %{{.*}} : tensor<128x64x!tt.ptr<f16>>
// CHECK-NEXT: %[[LEFTCOL:.*]] = tt.splat %[[LEFT]] : i32 -> tensor<64x1xi32>
// CHECK-NEXT: %[[MB:.*]] = arith.cmpi slt, %[[RKCOL]], %[[LEFTCOL]] : tensor<64x1xi32>
// CHECK-NEXT: %[[MBB:.*]] = tt.broadcast %[[MB]] : tensor<64x1xi1> -> tensor<64x256xi1>
// CHECK-NEXT: %[[TB:.*]] = tt.load %[[PBI]], %[[MBB]], %{{.*}} : tensor<64x256x!tt.ptr<f16>>
// CHECK-NEXT: %[[DOT:.*]] = tt.dot %[[TA]], %[[TB]], %[[ACC]], inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
// CHECK-NEXT: %[[PAN:.*]] = tt.addptr %[[PAI]], %{{.*}} : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
// CHECK-NEXT: %[[STEP:.*]] = arith.muli %[[SBK]], %c64_i32 : i32
// CHECK-NEXT: %[[STEPS:.*]] = tt.splat %[[STEP]] : i32 -> tensor<64x256xi32>
// CHECK-NEXT: %[[PBN:.*]] = tt.addptr %[[PBI]], %[[STEPS]] : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
// CHECK-NEXT: scf.yield %[[PAN]], %[[PBN]], %[[DOT]]
// CHECK: %[[T:.*]] = arith.truncf %[[LOOP]]#2 : tensor<128x256xf32> to tensor<128x256xf16>
// CHECK-NEXT: tt.store %{{.*}}, %[[T]], %{{.*}} : tensor<128x256x!tt.ptr<f16>>
