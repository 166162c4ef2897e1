// debug_barrier stays where it was written: memory accesses do not move across it, in any order of passes.
//
// RUN: %raise %s | FileCheck %s
// RUN: %raise %s | tcc-opt --tcc-ttir | FileCheck %s
#include <tilecc/tt.h>

// CHECK-LABEL: @rounds(
// CHECK: scf.for
// CHECK: %[[V:.*]] = tt.load
// CHECK: gpu.barrier
// CHECK: arith.addi %[[V]]
// CHECK: tt.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: }
extern "C" __tile_global__ void rounds(int *x, int count) {
  auto i = tt::arange<256>();
  for (int r = 0; r < count; ++r) {
    auto v = tt::load(x + i + 1);
    tt::debug_barrier();
    tt::store(x + i, v + r);
    tt::debug_barrier();
  }
}

// Equal loads are merged, unless a barrier is between them; an unused load is removed, and the barrier stays.
// CHECK-LABEL: @parts_loads(
// CHECK: %[[X:.*]] = tt.load
// CHECK-NEXT: %[[A:.*]] = arith.addi %[[X]], %[[X]]
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[Y:.*]] = tt.load
// CHECK-NEXT: %[[B:.*]] = arith.addi %[[Y]], %[[Y]]
// CHECK-NEXT: gpu.barrier
// CHECK-NOT: tt.load
// CHECK: arith.subi %[[A]], %[[B]]
extern "C" __tile_global__ void parts_loads(int *x, int *y) {
  auto p = x + tt::arange<64>();
  auto a = tt::load(p) + tt::load(p);
  tt::debug_barrier();
  auto b = tt::load(p) + tt::load(p);
  tt::debug_barrier();
  auto unused = tt::load(p);
  tt::store(y + tt::arange<64>(), a - b);
}

// A bound that the loop loads again in every iteration, since others may have stored it.
// CHECK-LABEL: @waits_for_bound(
// CHECK: scf.while
// CHECK: tt.load
// CHECK: scf.condition
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: tt.return
extern "C" __tile_global__ void waits_for_bound(int *x) {
  for (int r = 0; r < x[0]; ++r)
    tt::debug_barrier();
}

// In a helper, in a branch, after an early return.
// CHECK-LABEL: @anywhere(
// CHECK: scf.if
// CHECK: gpu.barrier
// CHECK: } else {
// CHECK: tt.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tt.store
__tile__ void helper(int *x, int n) {
  if (n == 3) {
    tt::debug_barrier();
    return;
  }
  *x = 1;
  tt::debug_barrier();
  *x = 2;
}
extern "C" __tile_global__ void anywhere(int *x, int n) { helper(x, n); }
