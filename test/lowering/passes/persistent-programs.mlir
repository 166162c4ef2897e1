// RUN: tcc-opt %s --tritongpu-persistent-programs | FileCheck %s

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// A block runs its programs along x one after the other; the other axes stay. What follows from no program stands in front.
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

// Without tensor maps no copy could start ahead.
// CHECK-LABEL: tt.func public @plain
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func public @plain(%p: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}
}
