// RUN: tcc-opt %s --tritongpu-order-programs --canonicalize --cse | FileCheck %s

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// The trip count grows along x: blocks run the longest programs of a group of heads first. A grid of more programs than a
// 32-bit position can number keeps its order.
// CHECK-LABEL: tt.func public @causal
// CHECK-DAG: %[[X:.*]] = tt.get_program_id x
// CHECK-DAG: %[[XS:.*]] = tt.get_num_programs x
// CHECK-DAG: %[[Y:.*]] = tt.get_program_id y
// CHECK-DAG: %[[YS:.*]] = tt.get_num_programs y
// CHECK: %[[ROWS:.*]] = arith.muli %[[Y]], %[[XS]]
// CHECK: %[[POSITION:.*]] = arith.addi %[[ROWS]], %[[X]]
// CHECK: %[[FITS:.*]] = arith.cmpi ule
// CHECK: arith.minui %[[YS]]
// CHECK: %[[GROUP:.*]] = arith.divui %[[POSITION]]
// CHECK: %[[INSIDE:.*]] = arith.subi %[[POSITION]], %{{.*}}
// CHECK: %[[SIZE:.*]] = arith.minui
// CHECK: %[[QUOTIENT:.*]] = arith.divui %[[INSIDE]], %[[SIZE]]
// CHECK: %[[HEAD:.*]] = arith.addi
// CHECK: %[[BLOCK:.*]] = arith.subi %{{.*}}, %[[QUOTIENT]]
// CHECK-DAG: %[[OWN:.*]] = arith.select %[[FITS]], %[[BLOCK]], %[[X]]
// CHECK-DAG: arith.select %[[FITS]], %[[HEAD]], %[[Y]]
// CHECK: arith.addi %[[OWN]]
// CHECK: scf.for
tt.func public @causal(%p: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = arith.addi %x, %c1 : i32
  %sum = scf.for %i = %c0 to %end step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  }
  %t = arith.addi %sum, %y : i32
  %q = tt.addptr %p, %x : !tt.ptr<i32>, i32
  tt.store %q, %t : !tt.ptr<i32>
  tt.return
}

// Programs with the same work stay in their order.
// CHECK-LABEL: tt.func public @even
// CHECK-NOT: divui
tt.func public @even(%p: !tt.ptr<i32>, %n: i32) {
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    %t = arith.addi %s, %x : i32
    scf.yield %t : i32
  }
  %q = tt.addptr %p, %y : !tt.ptr<i32>, i32
  tt.store %q, %sum : !tt.ptr<i32>
  tt.return
}

// Programs may wait for those before them.
// CHECK-LABEL: tt.func public @waiting
// CHECK-NOT: divui
tt.func public @waiting(%p: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %sum = scf.for %i = %c0 to %x step %c1 iter_args(%s = %y) -> (i32) : i32 {
    %t = tt.atomic_rmw add, acq_rel, gpu, %p, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
    scf.yield %t : i32
  }
  %q = tt.addptr %p, %x : !tt.ptr<i32>, i32
  tt.store %q, %sum : !tt.ptr<i32>
  tt.return
}
}
