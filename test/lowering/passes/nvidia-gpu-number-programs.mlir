// RUN: tcc-opt %s --triton-nvidia-gpu-number-programs | FileCheck %s

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// A block's number in its launch, plus the last argument, is the program's number in a grid of these extents.
// CHECK-LABEL: @two_axes(
// CHECK-SAME: %[[OUT:[^ ]*]]: !tt.ptr<i32>, %[[X:[^ ]*]]: i32 {{[^,]*}}, %[[Y:[^ ]*]]: i32 {{[^,]*}}, %[[FIRST:[^ ]*]]: i32
// CHECK-SAME: ttng.numbered = 2 : i32
// CHECK-NEXT: %[[BY:.*]] = tt.get_program_id y
// CHECK-NEXT: %[[BX:.*]] = tt.get_program_id x
// CHECK-NEXT: %[[NX:.*]] = tt.get_num_programs x
// CHECK-NEXT: %[[ROWS:.*]] = arith.muli %[[BY]], %[[NX]]
// CHECK-NEXT: %[[BLOCK:.*]] = arith.addi %[[ROWS]], %[[BX]]
// CHECK-NEXT: %[[NUMBER:.*]] = arith.addi %[[BLOCK]], %[[FIRST]]
// CHECK-NEXT: %[[PX:.*]] = arith.remui %[[NUMBER]], %[[X]]
// CHECK-NEXT: %[[PY:.*]] = arith.divui %[[NUMBER]], %[[X]]
// CHECK: %[[PLACE:.*]] = arith.muli %[[PX]], %[[Y]]
// CHECK: arith.addi %[[PLACE]], %[[PY]]
// CHECK: tt.store
// CHECK-NEXT: tt.return
tt.func public @two_axes(%out: !tt.ptr<i32>) attributes {tt.numbered, ttng.tensor_maps = []} {
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %n = tt.get_num_programs y : i32
  %row = arith.muli %x, %n : i32
  %place = arith.addi %row, %y : i32
  tt.store %out, %place : !tt.ptr<i32>
  tt.return
}

// A persistent kernel numbers its programs itself (persistent-programs.mlir).
// CHECK-LABEL: @persistent(
// CHECK-SAME: %{{[^ ]*}}: !tt.ptr<i32>, %{{[^ ]*}}: i32, %[[END:[^ ]*]]: i32)
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step
// CHECK: }
// CHECK-NEXT: tt.return
tt.func public @persistent(%out: !tt.ptr<i32>, %programs: i32, %end: i32)
    attributes {tt.numbered, ttng.numbered = 1 : i32, ttng.persistent = 1 : i32, ttng.tensor_maps = []} {
  %block = tt.get_program_id x : i32
  %blocks = tt.get_num_programs x : i32
  scf.for %i = %block to %end step %blocks : i32 {
    tt.store %out, %i : !tt.ptr<i32>
  }
  tt.return
}

// Without tensor maps, a launch passes no other arguments. A kernel that overlaps launches itself is left as it is.
// CHECK-LABEL: @no_maps(
// CHECK-NOT: grid_dependency
tt.func public @no_maps(%out: !tt.ptr<i32>) attributes {tt.numbered} {
  %x = tt.get_program_id x : i32
  tt.store %out, %x : !tt.ptr<i32>
  tt.return
}
// CHECK-LABEL: @overlaps(
// CHECK-NOT: get_num_programs
// CHECK: tt.grid_dependency_wait
tt.func public @overlaps(%out: !tt.ptr<i32>) attributes {tt.numbered, ttng.tensor_maps = []} {
  tt.grid_dependency_wait
  %x = tt.get_program_id x : i32
  tt.store %out, %x : !tt.ptr<i32>
  tt.return
}
}
