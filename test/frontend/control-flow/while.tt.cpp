// Loops that are not counted stay scf.while; an early exit only changes their condition.
//
// RUN: %raise %s | FileCheck %s --implicit-check-not=scf.for --implicit-check-not=index_switch
#include <tilecc/tt.h>

using T = tt::tile<float, 64>;
#define KERNEL extern "C" __tile_global__ void
#define LOAD(p) tt::load((p) + tt::arange<64>())
#define STORE(p, v) tt::store((p) + tt::arange<64>(), v)

// CHECK-LABEL: @data_dependent(
// CHECK: scf.while (%[[A:.*]] = %{{.*}}) : (tensor<64xf32>) -> tensor<64xf32> {
// CHECK: %[[S:.*]] = "tt.reduce"(%[[A]])
// CHECK: %[[C:.*]] = arith.cmpf olt, %[[S]], %{{.*}} : f32
// CHECK: scf.condition(%[[C]]) %[[A]]
// CHECK: do {
// CHECK: tt.load
// CHECK: scf.yield
KERNEL data_dependent(const float *x, float *o) { T a = LOAD(x); while (tt::sum(a) < 100.0f) a += LOAD(x); STORE(o, a); }

// CHECK-LABEL: @chasing(
// CHECK: scf.while {{.*}} : (tensor<64xf32>, i32) -> (tensor<64xf32>, i32)
KERNEL chasing(const int *next, const float *x, float *o, int i) { T a = LOAD(x); while (i >= 0) { a += LOAD(x + i); i = next[i]; } STORE(o, a); }

// CHECK-LABEL: @with_break(
// CHECK: scf.while
// CHECK-NOT: scf.while
// CHECK: tt.store
KERNEL with_break(const float *x, float *o, int n) { T a = LOAD(x); for (int i = 0; i < n; ++i) { a += LOAD(x + i); if (tt::sum(a) > 10.0f) break; } STORE(o, a); }

// CHECK-LABEL: @with_return(
// CHECK: %[[R:.*]]:4 = scf.while
// CHECK: %[[END:.*]] = arith.cmpi eq, %[[R]]#3, %c2_i32
// CHECK: scf.if %[[END]] {
// CHECK: tt.store %{{.*}}, %[[R]]#2
KERNEL with_return(const float *x, float *o, int n) { T a = LOAD(x); for (int i = 0; i < n; ++i) { a += LOAD(x + i); if (tt::sum(a) > 10.0f) return; } STORE(o, a); }

// CHECK-LABEL: @two_conditions(
// CHECK: scf.while
KERNEL two_conditions(const float *x, float *o, int n, float limit) { T a = LOAD(x); float s = 0; for (int i = 0; i < n && s < limit; ++i) { s += x[i]; a += LOAD(x + i); } STORE(o, a + s); }

// A bool that the loop carries stays one bit.
// CHECK-LABEL: @flag(
// CHECK: scf.while {{.*}}i1
// CHECK-NOT: i8
// CHECK: tt.store
KERNEL flag(const float *x, float *o, int n) { T a = LOAD(x); bool done = false; int i = 0; while (!done) { a += LOAD(x + i); done = tt::sum(a) > 3.0f || ++i > n; } STORE(o, a); }

// CHECK-LABEL: @changed_in_the_body(
// CHECK: scf.while
KERNEL changed_in_the_body(const float *x, float *o, int n) { T a = LOAD(x); for (int i = 0; i < n; ++i) { a += LOAD(x + i); if (i & 1) i += 2; } STORE(o, a); }

// CHECK-LABEL: @growing_step(
// CHECK: scf.while
KERNEL growing_step(const float *x, float *o, int n) { T a = LOAD(x); for (int i = 1; i < n; i *= 2) a += LOAD(x + i); STORE(o, a); }

// An unsigned step that is not a power of two may skip the bound and wrap around.
// CHECK-LABEL: @unsigned_by_three(
// CHECK: scf.while
KERNEL unsigned_by_three(const float *x, float *o, unsigned n) { T a = LOAD(x); for (unsigned i = 0; i < n; i += 3) a += LOAD(x + i); STORE(o, a); }

// An unsigned variable with an unknown start may wrap around before it reaches the bound.
// CHECK-LABEL: @unsigned_unequal(
// CHECK: scf.while
KERNEL unsigned_unequal(const float *x, float *o, unsigned n, unsigned m) { T a = LOAD(x); for (unsigned i = m; i != n; ++i) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @infinite(
// CHECK: scf.while
KERNEL infinite(const float *x, float *o) { T a = LOAD(x); for (int i = 0;; ++i) { a += LOAD(x + i); STORE(o + i, a); } }

// CHECK-LABEL: @irreducible(
// CHECK: scf.while
KERNEL irreducible(const float *x, float *o, int n) { T a = LOAD(x); int i = 0; if (n > 5) goto mid; top: a += LOAD(x + i); mid: a = a * LOAD(x + i + 1); if (++i < n) goto top; STORE(o, a); }
