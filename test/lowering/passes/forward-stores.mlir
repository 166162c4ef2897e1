// RUN: tcc-opt %s --triton-forward-stores | FileCheck %s

// The same elements are addressed twice. The kernel still writes the memory, because it is not the kernel's alone.
// CHECK-LABEL: @chain
// CHECK: %[[PRODUCT:.*]] = arith.mulf %{{.*}}, %{{.*}} {tt.rounds_each}
// CHECK: tt.store %{{.*}}, %[[PRODUCT]], %{{.*}}
// CHECK-NOT: tt.load
// CHECK: %[[SUM:.*]] = arith.addf %[[PRODUCT]], %[[PRODUCT]]
// CHECK: tt.store %{{.*}}, %[[SUM]]
tt.func @chain(%x: tensor<64xf32>, %t: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %size = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %range, %size : tensor<64xi32>
  %base = tt.splat %t : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %base, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %product = arith.mulf %x, %x : tensor<64xf32>
  tt.store %to, %product, %mask : tensor<64x!tt.ptr<f32>>
  %range2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %size2 = tt.splat %n : i32 -> tensor<64xi32>
  %mask2 = arith.cmpi slt, %range2, %size2 : tensor<64xi32>
  %base2 = tt.splat %t : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %from = tt.addptr %base2, %range2 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %loaded = tt.load %from, %mask2 : tensor<64x!tt.ptr<f32>>
  %sum = arith.addf %loaded, %loaded : tensor<64xf32>
  %base3 = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %out = tt.addptr %base3, %range2 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %out, %sum, %mask2 : tensor<64x!tt.ptr<f32>>
  tt.return
}

// Masked elements have the load's other value.
// CHECK-LABEL: @other
// CHECK-SAME: %[[P:.*]]: tensor<64x!tt.ptr<f32>>, %[[X:.*]]: tensor<64xf32>, %[[OTHER:.*]]: tensor<64xf32>, %[[M:.*]]: tensor<64xi1>, %[[N:.*]]: tensor<64xi1>
// CHECK: %[[BOTH:.*]] = arith.andi %[[M]], %[[N]]
// CHECK: %[[VALUE:.*]] = arith.select %[[BOTH]], %[[X]], %[[OTHER]]
// CHECK: tt.return %[[VALUE]]
tt.func @other(%p: tensor<64x!tt.ptr<f32>>, %x: tensor<64xf32>, %other: tensor<64xf32>, %m: tensor<64xi1>, %n: tensor<64xi1>) -> tensor<64xf32> {
  tt.store %p, %x, %m : tensor<64x!tt.ptr<f32>>
  %both = arith.andi %m, %n : tensor<64xi1>
  %loaded = tt.load %p, %both, %other : tensor<64x!tt.ptr<f32>>
  tt.return %loaded : tensor<64xf32>
}

// Elements that were not stored are only in memory.
// CHECK-LABEL: @another_mask
// CHECK: tt.load
tt.func @another_mask(%p: tensor<64x!tt.ptr<f32>>, %x: tensor<64xf32>, %m: tensor<64xi1>, %n: tensor<64xi1>) -> tensor<64xf32> {
  tt.store %p, %x, %m : tensor<64x!tt.ptr<f32>>
  %loaded = tt.load %p, %n : tensor<64x!tt.ptr<f32>>
  tt.return %loaded : tensor<64xf32>
}

// CHECK-LABEL: @volatile
// CHECK: tt.load
tt.func @volatile(%p: !tt.ptr<f32>, %x: f32) -> f32 {
  tt.store %p, %x : !tt.ptr<f32>
  %loaded = tt.load %p {isVolatile = true} : !tt.ptr<f32>
  tt.return %loaded : f32
}

// Two pointers may alias, and so may an argument that is not marked as the kernel's own.
// CHECK-LABEL: @may_alias
// CHECK-COUNT-2: tt.store
// CHECK: tt.load
tt.func @may_alias(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %x: f32) -> f32 {
  tt.store %p, %x : !tt.ptr<f32>
  tt.store %q, %x : !tt.ptr<f32>
  %loaded = tt.load %p : !tt.ptr<f32>
  tt.return %loaded : f32
}

// CHECK-LABEL: @overwritten
// CHECK-SAME: %[[Y:[^ ]*]]: f32)
// CHECK: tt.return %[[Y]]
tt.func @overwritten(%p: !tt.ptr<f32>, %x: f32, %y: f32) -> f32 {
  tt.store %p, %x : !tt.ptr<f32>
  tt.store %p, %y : !tt.ptr<f32>
  %loaded = tt.load %p : !tt.ptr<f32>
  tt.return %loaded : f32
}

// Other programs may have written where an atomic access waits for them.
// CHECK-LABEL: @atomic
// CHECK: tt.load
tt.func @atomic(%p: !tt.ptr<f32>, %lock: !tt.ptr<i32>, %x: f32) -> f32 {
  %one = arith.constant 1 : i32
  %true = arith.constant true
  tt.store %p, %x : !tt.ptr<f32>
  %0 = tt.atomic_rmw add, acq_rel, gpu, %lock, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  %loaded = tt.load %p : !tt.ptr<f32>
  tt.return %loaded : f32
}

// This holds for the kernel's own memory, too: its programs may exchange data through it.
// CHECK-LABEL: @atomic_temporary
// CHECK: tt.store
// CHECK: tt.load
tt.func @atomic_temporary(%p: !tt.ptr<f32> {tt.temporary}, %lock: !tt.ptr<i32>, %x: f32) -> f32 {
  %one = arith.constant 1 : i32
  %true = arith.constant true
  tt.store %p, %x : !tt.ptr<f32>
  %0 = tt.atomic_rmw add, acq_rel, gpu, %lock, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  %loaded = tt.load %p : !tt.ptr<f32>
  tt.return %loaded : f32
}

// The kernel's own memory: no other argument aliases it, and nobody reads it afterwards.
// CHECK-LABEL: @temporary
// CHECK-SAME: %arg0: !tt.ptr<f32>, %[[Q:arg1]]: !tt.ptr<f32>
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tt.store %[[Q]], %[[X:.*]] :
// CHECK-NEXT: tt.return %[[X]]
tt.func @temporary(%p: !tt.ptr<f32> {tt.temporary}, %q: !tt.ptr<f32>, %x: f32) -> f32 {
  tt.store %p, %x : !tt.ptr<f32>
  gpu.barrier
  tt.store %q, %x : !tt.ptr<f32>
  %loaded = tt.load %p : !tt.ptr<f32>
  tt.return %loaded : f32
}

// It is written if something is loaded from it.
// CHECK-LABEL: @temporary_shifted
// CHECK: tt.store
// CHECK: tt.load
tt.func @temporary_shifted(%p: !tt.ptr<f32> {tt.temporary}, %x: f32, %i: i32) -> f32 {
  %next = tt.addptr %p, %i : !tt.ptr<f32>, i32
  tt.store %p, %x : !tt.ptr<f32>
  %loaded = tt.load %next : !tt.ptr<f32>
  tt.return %loaded : f32
}

// CHECK-LABEL: @temporary_escapes
// CHECK: tt.store %arg0
// CHECK: tt.store %arg1, %arg0
tt.func @temporary_escapes(%p: !tt.ptr<f32> {tt.temporary}, %q: !tt.ptr<!tt.ptr<f32>>, %x: f32) {
  tt.store %p, %x : !tt.ptr<f32>
  tt.store %q, %p : !tt.ptr<!tt.ptr<f32>>
  tt.return
}

// Stores before a branch are known inside it. Behind a branch, a store is known if neither side invalidates it.
// CHECK-LABEL: @branches
// CHECK-SAME: %[[X:[^ ]*]]: f32, %[[C:[^ ]*]]: i1)
// CHECK: scf.if
// CHECK-NEXT: scf.yield %[[X]]
// CHECK: else
// CHECK-NEXT: tt.store
// CHECK: %[[AGAIN:.*]] = tt.load
// CHECK: tt.return %{{.*}}, %[[AGAIN]]
tt.func @branches(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %x: f32, %c: i1) -> (f32, f32) {
  tt.store %p, %x : !tt.ptr<f32>
  %0 = scf.if %c -> f32 {
    %loaded = tt.load %p : !tt.ptr<f32>
    scf.yield %loaded : f32
  } else {
    tt.store %q, %x : !tt.ptr<f32>
    scf.yield %x : f32
  }
  %again = tt.load %p : !tt.ptr<f32>
  tt.return %0, %again : f32, f32
}

// In a loop that writes to the same memory, a load may read the value of the previous iteration.
// CHECK-LABEL: @loops
// CHECK: scf.for
// CHECK: tt.load %arg0
// CHECK: tt.store %arg0
// CHECK: scf.for
// CHECK-NOT: tt.load
// CHECK: tt.return
tt.func @loops(%p: !tt.ptr<f32>, %x: f32, %n: i32) -> f32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  tt.store %p, %x : !tt.ptr<f32>
  scf.for %i = %zero to %n step %one : i32 {
    %loaded = tt.load %p : !tt.ptr<f32>
    %twice = arith.addf %loaded, %loaded : f32
    tt.store %p, %twice : !tt.ptr<f32>
  }
  tt.store %p, %x : !tt.ptr<f32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> f32 : i32 {
    %loaded = tt.load %p : !tt.ptr<f32>
    %next = arith.addf %acc, %loaded : f32
    scf.yield %next : f32
  }
  tt.return %sum : f32
}

// If arguments are known not to alias, a store through one does not invalidate values stored through another.
// CHECK-LABEL: @distinct
// CHECK-SAME: %[[X:[a-z0-9]*]]: f32
// CHECK-NOT: tt.load
// CHECK: tt.return %[[X]]
tt.func @distinct(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %x: f32) -> f32 attributes {tt.distinct_arguments} {
  tt.store %p, %x : !tt.ptr<f32>
  tt.store %q, %x : !tt.ptr<f32>
  %loaded = tt.load %p : !tt.ptr<f32>
  tt.return %loaded : f32
}

// CHECK-LABEL: @not_distinct
// CHECK: tt.load
tt.func @not_distinct(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %x: f32) -> f32 {
  tt.store %p, %x : !tt.ptr<f32>
  tt.store %q, %x : !tt.ptr<f32>
  %loaded = tt.load %p : !tt.ptr<f32>
  tt.return %loaded : f32
}

// Assembly with side effects may have stored to the memory; assembly without has not.
// CHECK-LABEL: @assembly
// CHECK: tt.elementwise_inline_asm
// CHECK: tt.load
// CHECK: tt.return
tt.func @assembly(%p: !tt.ptr<f32>, %x: f32) -> f32 {
  tt.store %p, %x : !tt.ptr<f32>
  %zero = tt.elementwise_inline_asm "st.global.b32 [$1], 0; mov.b32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %p : !tt.ptr<f32> -> i32
  %loaded = tt.load %p : !tt.ptr<f32>
  tt.return %loaded : f32
}

// CHECK-LABEL: @pure_assembly
// CHECK-SAME: %[[X:[a-z0-9]*]]: f32
// CHECK-NOT: tt.load
// CHECK: tt.return %[[X]]
tt.func @pure_assembly(%p: !tt.ptr<f32>, %x: f32) -> (f32, i32) {
  tt.store %p, %x : !tt.ptr<f32>
  %low = tt.elementwise_inline_asm "cvt.u32.u64 $0, $1;" {constraints = "=r,l", packed_element = 1 : i32, pure = true} %p : !tt.ptr<f32> -> i32
  %loaded = tt.load %p : !tt.ptr<f32>
  tt.return %loaded, %low : f32, i32
}
