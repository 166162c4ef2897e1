// Atomic accesses that do not exist are reported at the user's line.
//
// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

__tile_global__ void types(signed char *c, tt::float16 *h, float *f, const int *k) {
  auto i = tt::arange<64>();
  // CHECK-DAG: atomics.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: there is no such atomic operation on what tile<int8 *, 64> points to
  tt::atomic_add(c + i, i);
  // CHECK-DAG: atomics.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: there is no such atomic operation on what tile<float16 *, 64> points to
  tt::atomic_max(h + i, 1.0f);
  // CHECK-DAG: atomics.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: there is no such atomic operation on what float * points to
  tt::atomic_xor(f, 1.0f);
  // CHECK-DAG: atomics.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot write through const int *
  tt::atomic_add(k, 1);
  // CHECK-DAG: atomics.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: atomic_cas is for elements of 16, 32 and 64 bits, not for what signed char * points to
  tt::atomic_cas(c, 1, 2);
}

__tile_global__ void options(int *x) {
  auto i = tt::arange<64>();
  // CHECK-DAG: atomics.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the options of an atomic access are tt::sem::... and tt::scope::...
  tt::atomic_add(x + i, i, tt::cache::cg);
  // CHECK-DAG: atomics.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: an atomic access has one tt::sem and one tt::scope
  tt::atomic_add(x + i, i, tt::sem::relaxed, tt::sem::acquire);
  // CHECK-DAG: atomics.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tt::cache::wb and tt::cache::wt are for stores
  auto v = tt::load(x + i, tt::cache::wt);
  // CHECK-DAG: atomics.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the options of a store are tt::cache::... and tt::evict::...
  tt::store(x + i, i, tt::volatile_access);
  // CHECK-DAG: atomics.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: a memory access has one tt::cache and one tt::evict
  tt::store(x + i, i, tt::cache::cs, tt::cache::cg);
}

__tile_global__ void launched_with(float *x, int n) {}
// CHECK: 10 errors generated.
