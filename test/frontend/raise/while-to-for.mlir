// RUN: tcc-opt --tt-while-to-for --split-input-file %s | FileCheck %s

// CHECK-LABEL: @up
// CHECK-SAME: %[[N:.*]]: i32, %[[X:.*]]: f32
// CHECK: %[[R:.*]] = scf.for %{{.*}} = %c0_i32 to %[[N]] step %c1_i32 iter_args(%{{.*}} = %[[X]]) -> (f32)
// CHECK-NOT: scf.while
tt.func @up(%n: i32, %x: f32, %p: !tt.ptr<f32>) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %c0_i32, %a = %x) : (i32, f32) -> (i32, f32) {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i, %a : i32, f32
  } do {
  ^bb0(%i: i32, %a: f32):
    %b = arith.addf %a, %x : f32
    %j = arith.addi %i, %c1_i32 overflow<nsw> : i32
    scf.yield %j, %b : i32, f32
  }
  tt.store %p, %r#1 : !tt.ptr<f32>
  tt.return
}

// -----

// The bound on the left, and the variable used after the loop.
// CHECK-LABEL: @swapped
// CHECK-SAME: %[[N:.*]]: i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[N]] step %c1_i32
// CHECK: %[[END:.*]] = arith.maxsi %c0_i32, %[[N]]
// CHECK: tt.store %{{.*}}, %[[END]]
tt.func @swapped(%n: i32, %p: !tt.ptr<i32>) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %r = scf.while (%i = %c0_i32) : (i32) -> i32 {
    %c = arith.cmpi sgt, %n, %i : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    tt.store %p, %i : !tt.ptr<i32>
    %j = arith.addi %i, %c1_i32 overflow<nsw> : i32
    scf.yield %j : i32
  }
  tt.store %p, %r : !tt.ptr<i32>
  tt.return
}

// -----

// A signed step without nsw may wrap and continue.
// CHECK-LABEL: @may_wrap
// CHECK: scf.while
tt.func @may_wrap(%n: i32, %s: i32, %p: !tt.ptr<i32>) {
  %c0_i32 = arith.constant 0 : i32
  %c3_i32 = arith.constant 3 : i32
  %r = scf.while (%i = %c0_i32) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    tt.store %p, %i : !tt.ptr<i32>
    %j = arith.addi %i, %c3_i32 : i32
    scf.yield %j : i32
  }
  tt.return
}

// -----

// Not counted: the step changes, the bound changes, or the condition is used elsewhere.
// CHECK-LABEL: @step_changes
// CHECK: scf.while
tt.func @step_changes(%n: i32, %p: !tt.ptr<i32>) {
  %c1_i32 = arith.constant 1 : i32
  %r = scf.while (%i = %c1_i32) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    %s = tt.load %p : !tt.ptr<i32>
    %j = arith.addi %i, %s overflow<nsw> : i32
    scf.yield %j : i32
  }
  tt.return
}

// -----

// CHECK-LABEL: @bound_changes
// CHECK: scf.while
tt.func @bound_changes(%n: i32, %p: !tt.ptr<i32>) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %c0_i32, %m = %n) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %i, %m : i32
    scf.condition(%c) %i, %m : i32, i32
  } do {
  ^bb0(%i: i32, %m: i32):
    %j = arith.addi %i, %c1_i32 overflow<nsw> : i32
    %k = arith.subi %m, %c1_i32 : i32
    scf.yield %j, %k : i32, i32
  }
  tt.return
}

// -----

// Downwards by two: the loop counts iterations, so that nothing overflows that did not overflow before.
// CHECK-LABEL: @down
// CHECK-SAME: %[[N:.*]]: i32
// CHECK: %[[D:.*]] = arith.subi %[[N]], %c5_i32
// CHECK: %[[D1:.*]] = arith.subi %[[D]], %[[ONE:.*]] : i32
// CHECK: %[[Q:.*]] = arith.divui %[[D1]], %[[TWO:.*]] : i32
// CHECK: %[[C:.*]] = arith.addi %[[Q]], %[[ONE]]
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[N]], %c5_i32
// CHECK: %[[COUNT:.*]] = arith.select %[[ANY]], %[[C]], %[[ZERO:.*]] : i32
// CHECK: scf.for %[[K:.*]] = %[[ZERO]] to %[[COUNT]] step %[[ONE]]
// CHECK: %[[O:.*]] = arith.muli %[[K]], %{{.*}} : i32
// CHECK: %[[I:.*]] = arith.addi %[[N]], %[[O]]
// CHECK: tt.store %{{.*}}, %[[I]]
tt.func @down(%n: i32, %p: !tt.ptr<i32>) {
  %c5_i32 = arith.constant 5 : i32
  %c2_i32 = arith.constant 2 : i32
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %c = arith.cmpi sgt, %i, %c5_i32 : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    tt.store %p, %i : !tt.ptr<i32>
    %j = arith.subi %i, %c2_i32 overflow<nsw> : i32
    scf.yield %j : i32
  }
  tt.return
}

// -----

// A byte that is compared as an int: the bound fits, so the loop counts unsigned bytes.
// CHECK-LABEL: @narrow
// CHECK: %[[UB:.*]] = arith.constant 100 : i8
// CHECK: scf.for unsigned %{{.*}} = %c0_i8 to %[[UB]] step %c1_i8 : i8
tt.func @narrow(%p: !tt.ptr<i8>) {
  %c0_i8 = arith.constant 0 : i8
  %c1_i8 = arith.constant 1 : i8
  %c100_i32 = arith.constant 100 : i32
  %r = scf.while (%i = %c0_i8) : (i8) -> i8 {
    %w = arith.extui %i : i8 to i32
    %c = arith.cmpi slt, %w, %c100_i32 : i32
    scf.condition(%c) %i : i8
  } do {
  ^bb0(%i: i8):
    tt.store %p, %i : !tt.ptr<i8>
    %j = arith.addi %i, %c1_i8 : i8
    scf.yield %j : i8
  }
  tt.return
}

// -----

// The bound does not fit in a byte: the loop is endless and stays as it is.
// CHECK-LABEL: @never_reached
// CHECK: scf.while
tt.func @never_reached(%p: !tt.ptr<i8>) {
  %c0_i8 = arith.constant 0 : i8
  %c1_i8 = arith.constant 1 : i8
  %c300_i32 = arith.constant 300 : i32
  %r = scf.while (%i = %c0_i8) : (i8) -> i8 {
    %w = arith.extui %i : i8 to i32
    %c = arith.cmpi slt, %w, %c300_i32 : i32
    scf.condition(%c) %i : i8
  } do {
  ^bb0(%i: i8):
    tt.store %p, %i : !tt.ptr<i8>
    %j = arith.addi %i, %c1_i8 : i8
    scf.yield %j : i8
  }
  tt.return
}

// -----

// do { } while: a result that is not loop-carried, and the variable after the loop. The step is computed in the loop
// from invariant values: the tiles of a program.
// CHECK-LABEL: @tiles
// CHECK: %[[PROGRAMS:.*]] = tt.get_num_programs x
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[PROGRAMS]]
tt.func @tiles(%n: i32, %p: !tt.ptr<i32>) {
  %first = tt.get_program_id x : i32
  %r = scf.while (%i = %first) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    tt.store %p, %i : !tt.ptr<i32>
    %programs = tt.get_num_programs x : i32
    %j = arith.addi %i, %programs overflow<nsw> : i32
    scf.yield %j : i32
  }
  tt.return
}

// CHECK-LABEL: @do_while
// CHECK-SAME: %[[N:.*]]: i32
// CHECK: %[[FIRST:.*]] = arith.addi %c2_i32, %{{.*}} : i32
// CHECK: %[[END:.*]] = arith.maxsi %[[N]], %[[FIRST]]
// CHECK: %[[P:.*]] = ub.poison : f32
// CHECK: %[[R:.*]]:2 = scf.for %[[I:.*]] = %c2_i32 to %[[END]] step %{{.*}} iter_args(%{{.*}}, %{{.*}} = %[[P]]) -> (f32, f32)
// CHECK: tt.store %{{.*}}, %[[R]]#1
// CHECK: tt.store %{{.*}}, %[[END]]
tt.func @do_while(%n: i32, %x: f32, %p: !tt.ptr<f32>, %q: !tt.ptr<i32>) {
  %c2_i32 = arith.constant 2 : i32
  %c1_i32 = arith.constant 1 : i32
  %r:3 = scf.while (%i = %c2_i32, %a = %x) : (i32, f32) -> (i32, f32, f32) {
    %b = arith.addf %a, %x : f32
    %d = arith.mulf %a, %x : f32
    %j = arith.addi %i, %c1_i32 overflow<nsw> : i32
    %c = arith.cmpi slt, %j, %n : i32
    scf.condition(%c) %j, %b, %d : i32, f32, f32
  } do {
  ^bb0(%j: i32, %b: f32, %d: f32):
    scf.yield %j, %b : i32, f32
  }
  tt.store %p, %r#2 : !tt.ptr<f32>
  tt.store %q, %r#0 : !tt.ptr<i32>
  tt.return
}
