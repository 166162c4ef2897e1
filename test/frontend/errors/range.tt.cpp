// Errors of tt::range: after inlining, at the loop; for types, at the call.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
// RUN: not %raise -DTYPES %s 2>&1 | FileCheck %s --check-prefix=TYPES --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

#ifndef TYPES
// CHECK: range.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: num_stages of tt::range must be at least 1, not 0
extern "C" __tile_global__ void no_stages(float *x, int n) { for (int i : tt::range(0, n).num_stages(0)) x[i] = 0; }
// CHECK: range.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: num_stages of tt::range must be at least 1, not -3
extern "C" __tile_global__ void negative_stages(float *x, int n) { for (int i : tt::range(0, n).num_stages(-3)) x[i] = 0; }
// CHECK: range.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: unroll of tt::range must be at least 1, not 0
extern "C" __tile_global__ void no_rounds(float *x, int n) { for (int i : tt::range(0, n).num_stages(2).unroll(0)) x[i] = 0; }
// CHECK: range.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: num_stages of tt::range must be a constant
extern "C" __tile_global__ void run_time_stages(float *x, int n) { for (int i : tt::range(0, n).num_stages(n)) x[i] = 0; }
// CHECK: range.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: unroll of tt::range must be a constant
extern "C" __tile_global__ void run_time_unroll(float *x, int n) { for (int i : tt::range(n).unroll(n + 1)) x[i] = 0; }
// CHECK: range.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the step of tt::range is 0
extern "C" __tile_global__ void no_step(float *x, int n) { for (int i : tt::range(0, n, n - n)) x[i] = 0; }
#else
// TYPES-DAG: range.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tt::range counts integers, not float
extern "C" __tile_global__ void floats(float *x, float n) { for (int i : tt::range(0, n)) x[i] = 0; }
// TYPES-DAG: range.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tt::range counts integers, not double
extern "C" __tile_global__ void steps(float *x, int n) { for (int i : tt::range(0, n, 0.5)) x[i] = 0; }
// TYPES-DAG: range.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the step of tt::static_range is 0
extern "C" __tile_global__ void constants(float *x) { tt::static_range<0, 4, 0>([&](int i) { x[i] = 0; }); }
// TYPES-DAG: range.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tt::range counts integers, not tile<int, 4>
extern "C" __tile_global__ void tiles(float *x) { for (auto i : tt::range(tt::arange<4>())) x[0] = 0; }
#endif
