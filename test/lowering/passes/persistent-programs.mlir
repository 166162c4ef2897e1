// RUN: tcc-opt %s --tritongpu-persistent-programs=chosen | FileCheck %s --check-prefix=SILENT
// RUN: tcc-opt %s --tritongpu-persistent-programs | FileCheck %s

// If the source does not decide, only attention (e2e/attention-masks), large convolutions
// (e2e/specialized-accumulators) and matrix multiplications in large tiles (e2e/large-tiles) get a loop.
// SILENT-NOT: ttng.persistent

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// A block runs its programs along x one after the other; the other axes stay, because the kernel does not ask for them.
// Code that does not depend on the program is in front of the loop.
// CHECK-LABEL: tt.func public @along_x(%arg0: !tt.ptr<i32>, %arg1: i32 {tt.divisibility = 1 : i32})
// CHECK-SAME: ttng.persistent = 1
// CHECK: %[[BLOCK:.*]] = tt.get_program_id x
// CHECK: %[[BLOCKS:.*]] = tt.get_num_programs x
// CHECK: scf.for %[[X:.*]] = %[[BLOCK]] to %arg1 step %[[BLOCKS]]
// CHECK-NOT: get_program_id
// CHECK:   arith.addi %[[X]], %arg1
// CHECK:   tt.store
// CHECK: }
// CHECK: tt.return
tt.func public @along_x(%p: !tt.ptr<i32>) attributes {ttng.tensor_maps = []} {
  %x = tt.get_program_id x : i32
  %n = tt.get_num_programs x : i32
  %s = arith.addi %x, %n : i32
  %q = tt.addptr %p, %x : !tt.ptr<i32>, i32
  tt.store %q, %s : !tt.ptr<i32>
  tt.return
}

// Programs are numbered across the axes that the kernel asks for; neighbours along x have consecutive numbers.
// CHECK-LABEL: tt.func public @programs(
// CHECK-SAME: ttng.persistent = 2
// CHECK: %[[BLOCK:.*]] = tt.get_program_id x
// CHECK: %[[BLOCKS:.*]] = tt.get_num_programs x
// CHECK: %[[PROGRAMS:.*]] = arith.muli %arg1, %arg2
// CHECK: scf.for %[[NUMBER:.*]] = %[[BLOCK]] to %[[PROGRAMS]] step %[[BLOCKS]]
// CHECK:   %[[X:.*]] = arith.remui %[[NUMBER]], %arg1
// CHECK:   %[[Y:.*]] = arith.divui %[[NUMBER]], %arg1
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

// The trip count grows along x: x is the slowest axis, and the longest programs come first.
// CHECK-LABEL: tt.func public @causal(
// CHECK-SAME: ttng.persistent = 3
// CHECK: %[[ROWS:.*]] = arith.muli %arg2, %arg3
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK:   %[[NUMBER:.*]] = arith.select %{{.*}}, %{{.*}}, %[[I]]
// CHECK:   %[[LENGTH:.*]] = arith.divui %[[NUMBER]], %[[ROWS]]
// CHECK:   %[[ROW:.*]] = arith.subi %[[NUMBER]], %{{.*}}
// CHECK:   %[[X:.*]] = arith.subi %{{.*}}, %[[LENGTH]]
// CHECK:   %[[Y:.*]] = arith.remui %[[ROW]], %arg2
// CHECK:   %[[Z:.*]] = arith.divui %[[ROW]], %arg2
// CHECK:   %[[BEGIN:.*]] = arith.muli %[[X]], %{{.*}}
// CHECK:   scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK:   arith.addi %[[Y]], %[[Z]]
tt.func public @causal(%p: !tt.ptr<i32>) attributes {ttng.tensor_maps = []} {
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %z = tt.get_program_id z : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %rows = arith.constant 128 : i32
  %begin = arith.muli %x, %rows : i32
  %end = arith.addi %begin, %rows : i32
  %sum = scf.for %i = %c0 to %end step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  }
  %yz = arith.addi %y, %z : i32
  %t = arith.addi %sum, %yz : i32
  %q = tt.addptr %p, %x : !tt.ptr<i32>, i32
  tt.store %q, %t : !tt.ptr<i32>
  tt.return
}

// The trip count depends on y alone: consecutive numbers are neighbours along x.
// CHECK-LABEL: tt.func public @lengths
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK:   %[[NUMBER:.*]] = arith.select %{{.*}}, %{{.*}}, %[[I]]
// CHECK:   %[[Y:.*]] = arith.divui %[[NUMBER]], %arg1
// CHECK:   scf.for %{{.*}} = %{{.*}} to %[[Y]] step
tt.func public @lengths(%p: !tt.ptr<i32>) attributes {ttng.tensor_maps = []} {
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %y step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  }
  %q = tt.addptr %p, %x : !tt.ptr<i32>, i32
  tt.store %q, %sum : !tt.ptr<i32>
  tt.return
}

// Another launch may run the last programs: the last argument says where they begin.
// CHECK-LABEL: tt.func public @first_programs(
// CHECK-SAME: ttng.numbered = 2
// CHECK-SAME: ttng.persistent = 2
// CHECK: scf.for %[[NUMBER:.*]] = %{{.*}} to %arg3 step
// CHECK:   arith.divui %[[NUMBER]], %arg1
tt.func public @first_programs(%p: !tt.ptr<i32>) attributes {tt.numbered, ttng.tensor_maps = []} {
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %q = tt.addptr %p, %x : !tt.ptr<i32>, i32
  tt.store %q, %y : !tt.ptr<i32>
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
