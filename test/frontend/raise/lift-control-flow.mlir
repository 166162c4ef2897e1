// RUN: tcc-opt --tt-lift-control-flow --split-input-file %s | FileCheck %s --implicit-check-not="{{ }}cf."
// RUN: tcc-opt --tt-lift-control-flow --mlir-print-debuginfo --split-input-file %s | FileCheck %s --check-prefix=LOC

// A switch becomes a chain of scf.if.
// CHECK-LABEL: @cases
// CHECK: arith.cmpi eq, %{{.*}}, %{{.*}}
// CHECK: scf.if
// CHECK: else
// CHECK: scf.if
// CHECK-NOT: scf.index_switch
tt.func @cases(%n: i32, %p: !tt.ptr<i32>) {
  %c7 = arith.constant 7 : i32
  cf.switch %n : i32, [
    default: ^bb3(%c7 : i32),
    1: ^bb1,
    4: ^bb2
  ]
^bb1:
  tt.store %p, %n : !tt.ptr<i32>
  cf.br ^bb3(%n : i32)
^bb2:
  cf.br ^bb3(%n : i32)
^bb3(%x: i32):
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}

// -----

// The loop has the location of its back edge.
// CHECK-LABEL: @loop
// CHECK: scf.while
// LOC: #[[LOOP:.*]] = loc("a.tt.cpp":3:5)
// LOC: @loop
// LOC: scf.while
// LOC: do {
// LOC: } loc(#[[LOOP]])
tt.func @loop(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^bb1(%c0 : i32)
^bb1(%i: i32):
  %c = arith.cmpi slt, %i, %n : i32
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  tt.store %p, %i : !tt.ptr<i32>
  %j = arith.addi %i, %c1 : i32
  cf.br ^bb1(%j : i32) loc("a.tt.cpp":3:5)
^bb3:
  tt.return
}

// -----

// An infinite loop is followed by a return.
// CHECK-LABEL: @forever
// CHECK: scf.while
// CHECK: tt.return
tt.func @forever(%p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  cf.br ^bb1
^bb1:
  tt.store %p, %c0 : !tt.ptr<i32>
  cf.br ^bb1
}
