// if, switch, return, goto and conditional expressions become scf.if and arith.select.
//
// RUN: %raise %s | FileCheck %s --implicit-check-not=index_switch --implicit-check-not="{{ }}cf."
#include <tilecc/tt.h>

using T = tt::tile<float, 64>;
#define KERNEL extern "C" __tile_global__ void
#define LOAD(p) tt::load((p) + tt::arange<64>())
#define STORE(p, v) tt::store((p) + tt::arange<64>(), v)

// CHECK-LABEL: @if_else(
// CHECK: scf.if %{{.*}} -> (tensor<64xf32>)
KERNEL if_else(const float *x, float *o, int n) { T a; if (n > 3) a = LOAD(x); else a = LOAD(x + 5); STORE(o, a); }

// An unassigned value may be anything.
// CHECK-LABEL: @only_then(
// CHECK: %[[P:.*]] = ub.poison : tensor<64xf32>
// CHECK: scf.if
// CHECK: else
// CHECK: scf.yield %[[P]]
KERNEL only_then(const float *x, float *o, int n) { T a; if (n > 3) a = LOAD(x); STORE(o, a); }

// CHECK-LABEL: @zero(
// CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<64xf32>
// CHECK: scf.if
// CHECK: else
// CHECK: scf.yield %[[Z]]
KERNEL zero(const float *x, float *o, int n) { T a{}; if (n > 3) a = LOAD(x); STORE(o, a); }

// CHECK-LABEL: @early_return(
// CHECK: scf.if
// CHECK: scf.for
// CHECK: tt.store
KERNEL early_return(const float *x, float *o, int n) { if (n <= 0) return; T a = LOAD(x); for (int i = 0; i < n; ++i) a += LOAD(x + i); STORE(o, a); }

// CHECK-LABEL: @conditional(
// CHECK: arith.select
KERNEL conditional(const float *x, float *o, int n, int m) { int k = n < 7 ? m : n; STORE(o, LOAD(x + k)); }

// CHECK-LABEL: @logic(
// CHECK: arith.andi
// CHECK: arith.ori
KERNEL logic(const float *x, float *o, int n, int m) { T a = LOAD(x); if (n > 3 && m < 7) a += 1.0f; if (n > 4 || m > 2) a *= 2.0f; STORE(o, a); }

// Cases that fall through, that return, and a default.
// CHECK-LABEL: @cases(
// CHECK: arith.cmpi eq
// CHECK: scf.if
KERNEL cases(const float *x, float *o, int n) { T a = LOAD(x); switch (n) { case 0: a += LOAD(x + 1); case 1: a = a * LOAD(x + 2); break; case 2: return; case 5: a = a - LOAD(x + 3); break; default: a += LOAD(x + 4); } STORE(o, a); }

// CHECK-LABEL: @no_default(
// CHECK: scf.if
KERNEL no_default(const float *x, float *o, int n) { T a = LOAD(x); switch (n) { case 0: a += LOAD(x + 1); break; case 1: a *= 2.0f; break; default: __builtin_unreachable(); } STORE(o, a); }

// A destructor runs on every path out of the scope.
struct guard { float *o; T v; __tile__ ~guard() { STORE(o, v); } };
// CHECK-LABEL: @raii(
// CHECK: scf.if
// CHECK: tt.store
KERNEL raii(const float *x, float *o, int n) { guard g{o, LOAD(x)}; if (n == 3) return; for (int i = 0; i < n; ++i) g.v += LOAD(x + i); }

// CHECK-LABEL: @reference(
// CHECK-NOT: tt.addptr {{.*}} !tt.ptr<i8>
KERNEL reference(const float *x, float *o, int n) { T a = LOAD(x), b = LOAD(x + 1); T &r = n > 3 ? a : b; r += 1.0f; STORE(o, a + b); }

__tile__ inline void exchange(T &a, T &b) { T t = a; a = b; b = t; }
__tile__ inline void accumulate(T *p, const float *x) { *p = *p + LOAD(x); }
// CHECK-LABEL: @by_address(
// CHECK: scf.for {{.*}} -> (tensor<64xf32>, tensor<64xf32>)
KERNEL by_address(const float *x, float *o, int n) { T a = LOAD(x), b = LOAD(x + 1); for (int i = 0; i < n; ++i) { exchange(a, b); accumulate(&a, x + i); } STORE(o, a + b); }
