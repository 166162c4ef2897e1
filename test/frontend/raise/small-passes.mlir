// The passes between lifting and the conversion to counted loops, each alone.
//
// RUN: tcc-opt --tt-sink-into-if %s | FileCheck %s --check-prefix=SINK
// RUN: tcc-opt --tt-move-while-body %s | FileCheck %s --check-prefix=MOVE
// RUN: tcc-opt --tt-hoist-while-condition %s | FileCheck %s --check-prefix=HOIST
// RUN: tcc-opt --tt-strip-overflow-flags %s | FileCheck %s --check-prefix=STRIP

// The branch that was taken is known without a number for it.
// SINK-LABEL: @selector
// SINK-SAME: %[[C:.*]]: i1
// SINK-NOT: arith.cmpi
// SINK: scf.if %[[C]] {
tt.func @selector(%c: i1, %p: !tt.ptr<i32>, %x: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.if %c -> (i32) {
    tt.store %p, %c1 : !tt.ptr<i32>
    scf.yield %c1 : i32
  } else {
    tt.store %p, %c0 : !tt.ptr<i32>
    scf.yield %c0 : i32
  }
  %e = arith.cmpi eq, %r, %c1 : i32
  scf.if %e {
    tt.store %p, %x : !tt.ptr<i32>
  }
  tt.return
}

// The body is moved behind the condition, whether it is executed under the condition or under its negation; values of
// the first region that it uses are passed on.
// MOVE-LABEL: @guarded
// MOVE: scf.while
// MOVE: %[[C:.*]] = arith.cmpi
// MOVE: %[[T:.*]] = arith.muli
// MOVE: scf.condition(%{{.*}}) %{{.*}}, %[[T]], %{{.*}} : i32, i32, i32
// MOVE: do {
// MOVE: ^bb0(%{{.*}}: i32, %[[TA:.*]]: i32, %{{.*}}: i32):
// MOVE: tt.store %{{.*}}, %[[TA]]
// MOVE: scf.yield
tt.func @guarded(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %done = arith.cmpi sge, %i, %n : i32
    %t = arith.muli %i, %i : i32
    %next = scf.if %done -> (i32) {
      scf.yield %i : i32
    } else {
      tt.store %p, %t : !tt.ptr<i32>
      %j = arith.addi %i, %c1 : i32
      scf.yield %j : i32
    }
    %go = arith.xori %done, %true : i1
    scf.condition(%go) %next : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  tt.store %p, %r : !tt.ptr<i32>
  tt.return
}

// A division, and a load if nothing is written, leave the condition; with a store in the loop, the load stays.
// HOIST-LABEL: @bounds
// HOIST: tt.load
// HOIST: arith.divsi
// HOIST: scf.while
// HOIST-LABEL: @written
// HOIST: scf.while
// HOIST: tt.load
tt.func @bounds(%p: !tt.ptr<i32>, %d: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %n = tt.load %p : !tt.ptr<i32>
    %q = arith.divsi %n, %d : i32
    %c = arith.cmpi slt, %i, %q : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    // STRIP-LABEL: @bounds
    // STRIP: arith.addi %{{[^ ]*}}, %{{[^ ]*}} : i32
    %j = arith.addi %i, %c1 overflow<nsw, nuw> : i32
    scf.yield %j : i32
  }
  tt.return
}
tt.func @written(%p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %n = tt.load %p : !tt.ptr<i32>
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    tt.store %p, %i : !tt.ptr<i32>
    %j = arith.addi %i, %c1 overflow<nsw> : i32
    scf.yield %j : i32
  }
  tt.return
}
