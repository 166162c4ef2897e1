// tt::range is a plain counted loop, whose options become Triton's attributes of scf.for.
//
// RUN: %raise %s | FileCheck %s
#include <cstdint>
#include <tilecc/tt.h>

using T = tt::tile<float, 64>;
#define KERNEL extern "C" __tile_global__ void
#define SUM(range) T a = tt::zeros<float, 64>(); for (auto i : range) a += tt::load(x + i + tt::arange<64>()); tt::store(o + tt::arange<64>(), a)

// CHECK-LABEL: @plain(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !tt.ptr<f32>, %[[O:[a-z0-9]+]]: !tt.ptr<f32>, %[[N:[a-z0-9]+]]: i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[N]] step %c32_i32 iter_args(%{{.*}}) -> (tensor<64xf32>)  : i32 {
// CHECK: scf.yield
// CHECK-NEXT: }{{$}}
KERNEL plain(const float *x, float *o, int n) { SUM(tt::range(0, n, 32)); }

// CHECK-LABEL: @from_zero(
// CHECK: scf.for %{{.*}} = %c0_i32 to %{{.*}} step %c1_i32 iter_args
// CHECK: } {tt.num_stages = 4 : i32}{{$}}
KERNEL from_zero(const float *x, float *o, int n) { SUM(tt::range(n).num_stages(4)); }

// CHECK-LABEL: @both(
// CHECK: scf.for %{{.*}} = %c3_i32 to %{{.*}} step %c32_i32 iter_args
// CHECK: } {tt.loop_unroll_factor = 2 : i32, tt.num_stages = 3 : i32}{{$}}
KERNEL both(const float *x, float *o, int n) { SUM(tt::range(3, n, 32).num_stages(3).unroll(2)); }

// Options may depend on template parameters, and be computed.
template <int Stages> __tile_global__ void dependent(const float *x, float *o, int n) { constexpr int half = Stages / 2; SUM(tt::range(0, n).num_stages(half)); }
// CHECK-LABEL: @_Z9dependentILi4EEvPKfPfi(
// CHECK: } {tt.num_stages = 2 : i32}{{$}}
template __global__ void dependent<4>(const float *, float *, int);

// Wide and unsigned counters; for mixed types, the type of C's arithmetic.
// CHECK-LABEL: @wide(
// CHECK: scf.for %{{.*}} = %c0_i64 to %{{.*}} step %c1_i64 {{.*}} : i64
// CHECK: tt.num_stages = 2
KERNEL wide(const float *x, float *o, int64_t n) { SUM(tt::range(0, n).num_stages(2)); }
// CHECK-LABEL: @without_sign(
// CHECK: scf.for unsigned %{{.*}} = %c0_i32 to %{{.*}} step %c16_i32
// CHECK: tt.loop_unroll_factor = 4
KERNEL without_sign(const float *x, float *o, unsigned n) { SUM(tt::range(0, n, 16).unroll(4)); }

// Down, by one and by more.
// CHECK-LABEL: @down(
// CHECK: scf.for %[[J:.*]] = %c0_i32 to %[[N:.*]] step %c1_i32
// CHECK: arith.subi %[[N]], %[[J]]
// CHECK: tt.num_stages = 2
KERNEL down(const float *x, float *o, int n) { SUM(tt::range(n, 0, -1).num_stages(2)); }
// CHECK-LABEL: @down_by_three(
// CHECK: arith.divui
// CHECK: scf.for %[[J:.*]] = %c0_i32 to
// CHECK: arith.muli %[[J]], %c-3_i32
// CHECK: tt.num_stages = 2
KERNEL down_by_three(const float *x, float *o, int n) { SUM(tt::range(n, 2, -3).num_stages(2)); }

// A step that is not a constant is assumed to be positive, as in Triton.
// CHECK-LABEL: @run_time_step(
// CHECK-SAME: i32, %[[S:[a-z0-9]+]]: i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %{{.*}} step %[[S]]
KERNEL run_time_step(const float *x, float *o, int n, int s) { SUM(tt::range(0, n, s).num_stages(2)); }

// Nested loops keep their own options; `continue` is an scf.if.
// CHECK-LABEL: @nested(
// CHECK: scf.for %[[I:.*]] = %c0_i32
// CHECK: scf.for %{{.*}} = %[[I]] to
// CHECK: scf.if
// CHECK: } {tt.num_stages = 5 : i32}{{$}}
// CHECK: } {tt.loop_unroll_factor = 2 : i32}{{$}}
KERNEL nested(const float *x, float *o, int n) {
  T a = tt::zeros<float, 64>();
  for (int i : tt::range(n).unroll(2))
    for (int j : tt::range(i, n).num_stages(5)) {
      if (j % 3 == 0)
        continue;
      a += tt::load(x + j + tt::arange<64>());
    }
  tt::store(o + tt::arange<64>(), a);
}

// LLVM unrolls these as plain ones.
// CHECK-LABEL: @whole(
// CHECK-NOT: scf
// CHECK-COUNT-3: tt.load
// CHECK-NOT: tt.load
// CHECK: tt.return
KERNEL whole(const float *x, float *o) {
  T a = tt::zeros<float, 64>();
#pragma unroll
  for (int i : tt::range(0, 6, 2))
    a += tt::load(x + i + tt::arange<64>());
  tt::store(o + tt::arange<64>(), a);
}

// Iterations in which the counter is a constant.
// CHECK-LABEL: @constants(
// CHECK: "tt.reduce"(%{{.*}}) <{axis = 1 : i32}>
// CHECK: "tt.reduce"(%{{.*}}) <{axis = 0 : i32}>
// CHECK-NOT: scf.for
// CHECK: tt.store %{{.*}}, %c7_i32
// CHECK: tt.store %{{.*}}, %c4_i32
// CHECK-NOT: tt.store
// CHECK: tt.return
KERNEL constants(const float *x, float *o, int *k) {
  auto v = tt::load(x + tt::arange<8>()(tt::all, tt::newaxis) + tt::arange<8>()(tt::newaxis, tt::all));
  tt::static_range<1, -1, -1>([&](auto i) { tt::store(o + i * 8 + tt::arange<8>(), tt::sum<i>(v)); });
  tt::static_range<7, 2, -3>([&](int i) { k[i] = i; });
  tt::static_range<0>([&](auto) { k[9] = 9; });
}

// A loop that is left early is not counted.
// CHECK-LABEL: @left_early(
// CHECK: scf.while
// CHECK-NOT: scf.for
KERNEL left_early(const float *x, float *o, int n) {
  for (int i : tt::range(n).num_stages(2)) {
    if (x[i] < 0)
      break;
    o[i] = x[i];
  }
}
