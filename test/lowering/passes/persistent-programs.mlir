// RUN: tcc-opt %s --tritongpu-persistent-programs=chosen | FileCheck %s --check-prefix=SILENT
// RUN: tcc-opt %s --tritongpu-persistent-programs | FileCheck %s

// If the source does not decide, only attention (e2e/attention-masks) and large convolutions (e2e/specialized-sums) get
// a loop.
// SILENT-NOT: ttng.persistent

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// A block runs its programs along x one after the other; the other axes stay. Code that does not depend on the program
// is in front of the loop.
// CHECK-LABEL: tt.func public @programs(%arg0: !tt.ptr<i32>, %arg1: i32)
// CHECK-SAME: ttng.persistent
// CHECK: %[[BLOCK:.*]] = tt.get_program_id x
// CHECK: %[[BLOCKS:.*]] = tt.get_num_programs x
// CHECK: %[[Y:.*]] = tt.get_program_id y
// CHECK: scf.for %[[X:.*]] = %[[BLOCK]] to %arg1 step %[[BLOCKS]]
// CHECK-NOT: get_program_id
// CHECK:   %[[SUM:.*]] = arith.addi %[[X]], %arg1
// CHECK:   arith.addi %[[SUM]], %[[Y]]
// CHECK:   tt.store
// CHECK: }
// CHECK: tt.return
tt.func public @programs(%p: !tt.ptr<i32>) attributes {ttng.tensor_maps = []} {
  %x = tt.get_program_id x : i32
  %n = tt.get_num_programs x : i32
  %y = tt.get_program_id y : i32
  %s = arith.addi %x, %n : i32
  %t = arith.addi %s, %y : i32
  %q = tt.addptr %p, %x : !tt.ptr<i32>, i32
  tt.store %q, %t : !tt.ptr<i32>
  tt.return
}

// Programs whose loops differ in length: every other round of blocks runs in reverse order.
// CHECK-LABEL: tt.func public @uneven
// CHECK: %[[BLOCK:.*]] = tt.get_program_id x
// CHECK: %[[BLOCKS:.*]] = tt.get_num_programs x
// CHECK: scf.for %[[I:.*]] = %[[BLOCK]] to %[[PROGRAMS:.*]] step %[[BLOCKS]]
// CHECK:   %[[ROUND:.*]] = arith.divui %[[I]], %[[BLOCKS]]
// CHECK:   %[[ODD:.*]] = arith.trunci %[[ROUND]] : i32 to i1
// CHECK:   %[[BEGIN:.*]] = arith.subi %[[I]], %[[BLOCK]]
// CHECK:   %[[END:.*]] = arith.addi %[[BEGIN]], %[[BLOCKS]]
// CHECK:   %[[LIMIT:.*]] = arith.minsi %[[END]], %[[PROGRAMS]]
// CHECK:   %[[LAST:.*]] = arith.subi %[[LIMIT]], %{{.*}}
// CHECK:   %[[MIRRORED:.*]] = arith.subi %[[LAST]], %[[BLOCK]]
// CHECK:   %[[X:.*]] = arith.select %[[ODD]], %[[MIRRORED]], %[[I]]
// CHECK:   scf.for %{{.*}} = %{{.*}} to %[[X]]
// CHECK:   tt.addptr %{{.*}}, %[[X]]
tt.func public @uneven(%p: !tt.ptr<i32>) attributes {ttng.tensor_maps = []} {
  %x = tt.get_program_id x : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %x step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  }
  %q = tt.addptr %p, %x : !tt.ptr<i32>, i32
  tt.store %q, %sum : !tt.ptr<i32>
  tt.return
}

// Without tensor maps, no copy could start ahead.
// CHECK-LABEL: tt.func public @plain
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func public @plain(%p: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}
}
