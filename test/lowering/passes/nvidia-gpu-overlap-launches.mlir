// RUN: tcc-opt %s --triton-nvidia-gpu-overlap-launches --split-input-file | FileCheck %s

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// A kernel waits before its first access to global memory, and computes indices before.
// CHECK-LABEL: @store(
// CHECK-SAME: tt.waits
// CHECK-NEXT: tt.get_program_id x
// CHECK-NEXT: ttg.local_alloc
// CHECK-NEXT: tt.grid_dependency_wait
// CHECK-NEXT: tt.store
// CHECK-NEXT: tt.return
tt.func public @store(%out: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  %memory = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory, mutable>
  tt.store %out, %x : !tt.ptr<i32>
  tt.return
}

// The wait is in the entry block, which all threads execute, and before a branch that contains an access.
// CHECK-LABEL: @branch(
// CHECK: arith.cmpi
// CHECK-NEXT: tt.grid_dependency_wait
// CHECK-NEXT: scf.if
tt.func public @branch(%out: !tt.ptr<i32>, %n: i32) {
  %x = tt.get_program_id x : i32
  %is = arith.cmpi slt, %x, %n : i32
  scf.if %is {
    tt.store %out, %x : !tt.ptr<i32>
  }
  tt.return
}

// A kernel that accesses nothing waits, too, since the launch after it waits only for this one.
// CHECK-LABEL: @nothing(
// CHECK-NEXT: tt.grid_dependency_wait
// CHECK-NEXT: tt.return
tt.func public @nothing() {
  tt.return
}

// A call may access global memory. Functions that are no kernels are not changed.
// CHECK-LABEL: @calls(
// CHECK-NEXT: tt.grid_dependency_wait
// CHECK-NEXT: tt.call
// CHECK-LABEL: @callee(
// CHECK-NOT: grid_dependency
tt.func public @calls(%out: !tt.ptr<i32>) {
  tt.call @callee(%out) : (!tt.ptr<i32>) -> ()
  tt.return
}
tt.func private @callee(%out: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  tt.store %out, %x : !tt.ptr<i32>
  tt.return
}

// The author decides when this kernel waits, and launches it accordingly.
// CHECK-LABEL: @already(
// CHECK-NOT: tt.waits
// CHECK: tt.store
// CHECK-NEXT: tt.grid_dependency_launch
// CHECK-NEXT: tt.return
tt.func public @already(%out: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  tt.store %out, %x : !tt.ptr<i32>
  tt.grid_dependency_launch
  tt.return
}

// The programs of this kernel may be launched in two parts. The first part, and a launch of all programs, wait at the
// beginning. Then, if there is a second part, it may begin. The second part waits at the end.
// CHECK-LABEL: @two_axes(
// CHECK-SAME: tt.waits
// CHECK: arith.addi
// CHECK-NEXT: tt.grid_dependency_wait {ttng.unless_second_part}
// CHECK-NEXT: tt.grid_dependency_launch {ttng.if_second_part_follows}
// CHECK-NEXT: tt.store
// CHECK-NEXT: tt.grid_dependency_wait{{$}}
// CHECK-NEXT: tt.return
tt.func public @two_axes(%out: !tt.ptr<i32>, %x: i32, %y: i32, %first: i32)
    attributes {ttng.numbered = 2 : i32, ttng.tensor_maps = []} {
  %sum = arith.addi %x, %y : i32
  tt.store %out, %sum : !tt.ptr<i32>
  tt.return
}

// A persistent kernel is never the second part.
// CHECK-LABEL: @persistent(
// CHECK: tt.grid_dependency_wait{{$}}
// CHECK-NEXT: tt.grid_dependency_launch {ttng.if_second_part_follows}
// CHECK-NEXT: scf.for
// CHECK: }
// CHECK-NEXT: tt.return
tt.func public @persistent(%out: !tt.ptr<i32>, %programs: i32, %end: i32)
    attributes {ttng.numbered = 1 : i32, ttng.persistent = 1 : i32, ttng.tensor_maps = []} {
  %block = tt.get_program_id x : i32
  %blocks = tt.get_num_programs x : i32
  scf.for %i = %block to %end step %blocks : i32 {
    tt.store %out, %i : !tt.ptr<i32>
  }
  tt.return
}
}

// -----

// Launches do not overlap before sm_90.
// CHECK-LABEL: @before(
// CHECK-NOT: tt.waits
// CHECK-NOT: grid_dependency
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @before(%out: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  tt.store %out, %x : !tt.ptr<i32>
  tt.return
}
}
