// Counted loops of every form become scf.for, whose only loop-carried value is the tile.
//
// RUN: %raise %s | FileCheck %s --implicit-check-not=scf.while --implicit-check-not=index_switch
#include <cstdint>
#include <tilecc/tt.h>

using T = tt::tile<float, 64>;
#define KERNEL extern "C" __tile_global__ void
#define LOAD(p) tt::load((p) + tt::arange<64>())
#define STORE(p, v) tt::store((p) + tt::arange<64>(), v)

// CHECK-LABEL: @counted(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !tt.ptr<f32>, %[[O:[a-z0-9]+]]: !tt.ptr<f32>, %[[N:[a-z0-9]+]]: i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[N]] step %c1_i32 iter_args(%{{.*}}) -> (tensor<64xf32>)  : i32
KERNEL counted(const float *x, float *o, int n) { T a = LOAD(x); for (int i = 0; i < n; ++i) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @step(
// CHECK: scf.for %{{.*}} = %c3_i32 to %{{.*}} step %c4_i32
KERNEL step(const float *x, float *o, int n) { T a = LOAD(x); for (int i = 3; i < n; i += 4) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @run_time_step(
// CHECK-SAME: i32, %[[S:[a-z0-9]+]]: i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %{{.*}} step %[[S]]
KERNEL run_time_step(const float *x, float *o, int n, int s) { T a = LOAD(x); for (int i = 0; i < n; i += s) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @inclusive(
// CHECK: %[[UB:.*]] = arith.addi %{{.*}}, %c1_i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[UB]] step %c1_i32
KERNEL inclusive(const float *x, float *o, int n) { T a = LOAD(x); for (int i = 0; i <= n; ++i) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @unequal(
// CHECK: scf.for %{{.*}} = %c0_i32 to %{{.*}} step %c1_i32
KERNEL unequal(const float *x, float *o, int n) { T a = LOAD(x); for (int i = 0; i != n; ++i) a += LOAD(x + i); STORE(o, a); }

// Counts up from the bound; the variable is computed from that.
// CHECK-LABEL: @down(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32) attributes
// CHECK: scf.for %[[J:.*]] = %c0_i32 to %[[N]] step %c1_i32
// CHECK: %[[I:.*]] = arith.subi %[[N]], %[[J]] : i32
// CHECK: tt.addptr %{{.*}}, %[[I]]
KERNEL down(const float *x, float *o, int n) { T a = LOAD(x); for (int i = n; i > 0; --i) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @down_inclusive(
// CHECK: scf.for %{{.*}} = %c-1_i32 to %{{.*}} step %c1_i32
KERNEL down_inclusive(const float *x, float *o, int n) { T a = LOAD(x); for (int i = n - 1; i >= 0; i--) a += LOAD(x + i); STORE(o, a); }

// By more than one: counts iterations.
// CHECK-LABEL: @down_by_three(
// CHECK: %[[D:.*]] = arith.subi %{{.*}}, %c3_i32
// CHECK: %[[Q:.*]] = arith.divui %[[D]], %c3_i32
// CHECK: %[[K:.*]] = arith.addi %[[Q]], %c1_i32
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %{{.*}}, %c2_i32
// CHECK: %[[COUNT:.*]] = arith.select %[[ANY]], %[[K]], %c0_i32
// CHECK: scf.for %[[J:.*]] = %c0_i32 to %[[COUNT]] step %c1_i32
// CHECK: arith.muli %[[J]], %c-3_i32
KERNEL down_by_three(const float *x, float *o, int n) { T a = LOAD(x); for (int i = n; i > 2; i -= 3) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @unsigned_counter(
// CHECK: scf.for unsigned %{{.*}} = %c0_i32 to
KERNEL unsigned_counter(const float *x, float *o, unsigned n) { T a = LOAD(x); for (unsigned i = 0; i < n; ++i) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @unsigned_inclusive(
// CHECK: scf.for unsigned %{{.*}} = %c1_i32 to
KERNEL unsigned_inclusive(const float *x, float *o, unsigned n) { T a = LOAD(x); for (unsigned i = 1; i <= n; ++i) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @unsigned_step(
// CHECK: scf.for unsigned %{{.*}} = %c0_i64 to %{{.*}} step %c8_i64 {{.*}} : i64
KERNEL unsigned_step(const float *x, float *o, uint64_t n) { T a = LOAD(x); for (uint64_t i = 0; i < n; i += 8) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @unsigned_down(
// CHECK: scf.for unsigned
KERNEL unsigned_down(const float *x, float *o, unsigned n) { T a = LOAD(x); for (unsigned i = n; i > 0; --i) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @wide(
// CHECK: scf.for %{{.*}} = %c0_i64 to %{{.*}} step %c1_i64 {{.*}} : i64
KERNEL wide(const float *x, float *o, int64_t n) { T a = LOAD(x); for (int64_t i = 0; i < n; ++i) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @narrow_variable(
// CHECK: scf.for %[[J:.*]] = %c0_i64 to %{{.*}} step %c1_i64 {{.*}} : i64
// CHECK: arith.trunci %[[J]] : i64 to i32
KERNEL narrow_variable(const float *x, float *o, int64_t n) { T a = LOAD(x); for (int i = 0; i < n; ++i) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @narrow_both(
// CHECK: scf.for %{{.*}} = %c0_i16 to %{{.*}} step %c1_i16 {{.*}} : i16
KERNEL narrow_both(const float *x, float *o, short n) { T a = LOAD(x); for (short i = 0; i < n; ++i) a += LOAD(x + i); STORE(o, a); }

// The bound is computed in the condition.
// CHECK-LABEL: @bound_in_condition(
// CHECK: %[[UB:.*]] = arith.divsi
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[UB]] step %c1_i32
KERNEL bound_in_condition(const float *x, float *o, int n, int d) { T a = LOAD(x); for (int i = 0; i < n / d; ++i) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @bound_loaded(
// CHECK: %[[UB:.*]] = tt.load %{{.*}} : !tt.ptr<i32>
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[UB]] step %c1_i32
KERNEL bound_loaded(const int *n, const float *x, float *o) { T a = LOAD(x); for (int i = 0; i < *n; ++i) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @minimum_bound(
// CHECK: %[[UB:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[UB]] step %c1_i32
KERNEL minimum_bound(const float *x, float *o, int n, int m) { T a = LOAD(x); for (int i = 0; i < tt::minimum(n, m); ++i) a += LOAD(x + i); STORE(o, a); }

// After the loop, the variable has its final value, also if the loop had no iteration.
// CHECK-LABEL: @variable_after(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32) attributes
// CHECK: scf.for
// CHECK: %[[END:.*]] = arith.maxsi %[[N]], %c0_i32
// CHECK: tt.addptr %{{.*}}, %[[END]]
KERNEL variable_after(const float *x, float *o, int n) { T a = LOAD(x); int i = 0; for (; i < n; ++i) a += LOAD(x + i); STORE(o + i, a); }

// CHECK-LABEL: @variable_after_step(
// CHECK: %[[R:.*]]:2 = scf.for %[[I:.*]] = %c0_i32 to %{{.*}} step %c3_i32 iter_args(%{{.*}}, %{{.*}} = %c0_i32) -> (tensor<64xf32>, i32)
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c3_i32
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
// CHECK: tt.addptr %{{.*}}, %[[R]]#1
KERNEL variable_after_step(const float *x, float *o, int n) { T a = LOAD(x); int i; for (i = 0; i < n; i += 3) a += LOAD(x + i); STORE(o + i, a); }

// CHECK-LABEL: @do_while(
// CHECK: %[[UB:.*]] = arith.maxsi %{{.*}}, %c1_i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[UB]] step %c1_i32
KERNEL do_while(const float *x, float *o, int n) { T a = LOAD(x); int i = 0; do { a += LOAD(x + i); ++i; } while (i < n); STORE(o, a); }

// CHECK-LABEL: @with_goto(
// CHECK: scf.for
KERNEL with_goto(const float *x, float *o, int n) { T a = LOAD(x); int i = 0; again: a += LOAD(x + i); if (++i < n) goto again; STORE(o, a); }

// CHECK-LABEL: @with_continue(
// CHECK: scf.for
// CHECK: scf.if
KERNEL with_continue(const float *x, float *o, int n) { T a = LOAD(x); for (int i = 0; i < n; ++i) { if (i == 7) continue; a += LOAD(x + i); } STORE(o, a); }

// The exit comes first in the body.
// CHECK-LABEL: @exit_first(
// CHECK: scf.for
KERNEL exit_first(const float *x, float *o, int n) { T a = LOAD(x); for (int i = 0;; ++i) { if (i >= n) break; a += LOAD(x + i); } STORE(o, a); }

// CHECK-LABEL: @nested(
// CHECK: scf.for
// CHECK: scf.for
KERNEL nested(const float *x, float *o, int n, int m) { T a = LOAD(x); for (int i = 0; i < n; ++i) for (int j = i; j < m; j += 2) a += LOAD(x + i * j); STORE(o, a); }

// CHECK-LABEL: @moving_pointer(
// CHECK: scf.for {{.*}} -> (tensor<64xf32>, !tt.ptr<f32>)
KERNEL moving_pointer(const float *x, float *o, int n) { T a = LOAD(x); const float *p = x; for (int i = 0; i < n; ++i) { a += LOAD(p); p += 64; } STORE(o, a); }

// CHECK-LABEL: @moving_tile(
// CHECK: scf.for {{.*}} -> (tensor<64xf32>, tensor<64x!tt.ptr<f32>>)
KERNEL moving_tile(const float *x, float *o, int n) { auto p = x + tt::arange<64>(); T a = tt::load(p); for (int i = 0; i < n; ++i) { p += 64; a += tt::load(p); } STORE(o, a); }

struct pair { T a, b; };
// CHECK-LABEL: @tiles_in_a_struct(
// CHECK: scf.for {{.*}} -> (tensor<64xf32>, tensor<64xf32>)
KERNEL tiles_in_a_struct(const float *x, float *o, int n) { pair s{LOAD(x), LOAD(x + 1)}; for (int i = 0; i < n; ++i) { s.a = s.a + s.b; s.b = s.b * LOAD(x + i); } STORE(o, s.a + s.b); }

// CHECK-LABEL: @lambda(
// CHECK: scf.for {{.*}} -> (tensor<64xf32>, f32)
KERNEL lambda(const float *x, float *o, int n) { T a = LOAD(x); float f = 0; auto add = [&](int k) { a += LOAD(x + k); f += 1.0f; }; for (int i = 0; i < n; ++i) add(i); STORE(o, a + f); }

struct iterator { int i, s; __tile__ int operator*() const { return i; } __tile__ void operator++() { i += s; } };
struct sentinel { int hi; };
__tile__ inline bool operator!=(iterator a, sentinel e) { return a.i < e.hi; }
struct range { int lo, hi, s; __tile__ iterator begin() const { return {lo, s}; } __tile__ sentinel end() const { return {hi}; } };
// CHECK-LABEL: @range_for(
// CHECK: scf.for %{{.*}} = %c0_i32 to %{{.*}} step %c2_i32
KERNEL range_for(const float *x, float *o, int n) { T a = LOAD(x); for (int i : range{0, n, 2}) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @unrolled(
// CHECK-NOT: scf.for
KERNEL unrolled(const float *x, float *o, int n) {
  T a[2] = {LOAD(x), LOAD(x + 1)};
#pragma unroll
  for (int i = 0; i < 2; ++i) a[i] = a[i] + LOAD(x + i);
  STORE(o, a[0] + a[1]);
}
