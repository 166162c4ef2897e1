// RUN: tcc-opt --triton-loop-unroll --canonicalize --split-input-file %s | FileCheck %s
// RUN: tcc-opt --tcc-ttir --split-input-file %s | FileCheck %s --check-prefix=PIPELINE

// The remaining iterations run in a loop of their own, which is not pipelined. If the end of a loop is before its
// start, there are no iterations: the code takes the maximum of both bounds before it divides.
// CHECK-LABEL: @unknown
// CHECK-SAME: %[[LO:.*]]: i32, %[[HI:.*]]: i32
// CHECK: %[[END:.*]] = arith.maxsi %[[LO]], %[[HI]] : i32
// CHECK: %[[MAIN:.*]] = scf.for %[[I:.*]] = %[[LO]] to %[[BOUND:.*]] step %c6_i32
// CHECK-COUNT-3: tt.load
// CHECK-NOT: tt.load
// CHECK: } {tt.num_stages = 4 : i32}
// CHECK: scf.for %{{.*}} = %[[BOUND]] to %[[END]] step %c2_i32 iter_args(%{{.*}} = %[[MAIN]])
// CHECK: tt.load
// CHECK-NOT: tt.load
// CHECK: } {tt.num_stages = 1 : i32}
// CHECK-NOT: loop_unroll_factor
// PIPELINE-LABEL: @unknown
// PIPELINE-COUNT-2: scf.for
tt.func public @unknown(%lo: i32, %hi: i32, %x: !tt.ptr<f32>) {
  %c2_i32 = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %lo to %hi step %c2_i32 iter_args(%a = %zero) -> (f32)  : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<f32>, i32
    %v = tt.load %p : !tt.ptr<f32>
    %b = arith.addf %a, %v : f32
    scf.yield %b : f32
  } {tt.loop_unroll_factor = 3 : i32, tt.num_stages = 4 : i32}
  tt.store %x, %r : !tt.ptr<f32>
  tt.return
}

// -----

// No iteration is left over.
// CHECK-LABEL: @known
// CHECK: scf.for %{{.*}} = %c0_i32 to %c32_i32 step %c4_i32
// CHECK-COUNT-4: tt.store
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func public @known(%x: !tt.ptr<i32>) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c32_i32 = arith.constant 32 : i32
  scf.for %i = %c0_i32 to %c32_i32 step %c1_i32 : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    tt.store %p, %i : !tt.ptr<i32>
  } {tt.loop_unroll_factor = 4 : i32}
  tt.return
}

// -----

// CHECK-LABEL: @without_sign
// CHECK: arith.maxui
// CHECK: scf.for unsigned
// CHECK: scf.for unsigned
tt.func public @without_sign(%n: i64, %x: !tt.ptr<i64>) {
  %c5_i64 = arith.constant 5 : i64
  %c1_i64 = arith.constant 1 : i64
  scf.for unsigned %i = %c5_i64 to %n step %c1_i64 : i64 {
    tt.store %x, %i : !tt.ptr<i64>
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return
}

// -----

// These loops stay: a factor of one; a step that is unknown, or too large to be multiplied.
// CHECK-LABEL: @not_unrolled
// CHECK-COUNT-3: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: loop_unroll_factor
tt.func public @not_unrolled(%n: i32, %s: i32, %x: !tt.ptr<i32>) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %large = arith.constant 1073741824 : i32
  scf.for %i = %c0_i32 to %n step %c1_i32 : i32 {
    tt.store %x, %i : !tt.ptr<i32>
  } {tt.loop_unroll_factor = 1 : i32}
  scf.for %i = %c0_i32 to %n step %s : i32 {
    tt.store %x, %i : !tt.ptr<i32>
  } {tt.loop_unroll_factor = 2 : i32}
  scf.for %i = %c0_i32 to %n step %large : i32 {
    tt.store %x, %i : !tt.ptr<i32>
  } {tt.loop_unroll_factor = 2 : i32}
  tt.return
}
