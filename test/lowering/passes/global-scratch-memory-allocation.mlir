// The scratch memory of all programs is an additional argument after all others. Each program computes the address of
// its part from its number.
// RUN: tcc-opt %s --tritongpu-global-scratch-memory-allocation --split-input-file | FileCheck %s

// CHECK: module attributes {{.*}}ttg.global_scratch_memory_alignment = 128 : i32, ttg.global_scratch_memory_size = 256 : i32
// CHECK: tt.func public @k(%{{.*}}: i32, %[[ALL:.*]]: !tt.ptr<i8> {tt.divisibility = 128 : i32})
// CHECK: tt.get_program_id z
// CHECK: tt.get_num_programs y
// CHECK: tt.get_program_id y
// CHECK: tt.get_num_programs x
// CHECK: tt.get_program_id x
// CHECK: %[[SIZE:.*]] = arith.constant 256 : i64
// CHECK: %[[OFFSET:.*]] = arith.muli %{{.*}}, %[[SIZE]] : i64
// CHECK: %[[MINE:.*]] = tt.addptr %[[ALL]], %[[OFFSET]] : !tt.ptr<i8>, i64
// CHECK: %[[FIRST:.*]] = arith.constant 0 : i64
// CHECK: tt.addptr %[[MINE]], %[[FIRST]]
// CHECK: tt.store
// CHECK: %[[SECOND:.*]] = arith.constant 128 : i64
// CHECK: %[[BYTES:.*]] = tt.addptr %[[MINE]], %[[SECOND]]
// CHECK: %[[FLOATS:.*]] = tt.bitcast %[[BYTES]] : !tt.ptr<i8> -> !tt.ptr<f32>
// CHECK: tt.store %[[FLOATS]]
tt.func public @k(%n: i32) {
  %x = arith.constant 1.0 : f32
  %b = arith.constant 1 : i8
  %0 = ttg.global_scratch_alloc {alignment = 8 : i32, nbytes = 100 : i32} : !tt.ptr<i8>
  tt.store %0, %b : !tt.ptr<i8>
  %1 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<f32>
  tt.store %1, %x : !tt.ptr<f32>
  tt.return
}

// -----

// CHECK-NOT: global_scratch
// CHECK: @none(%{{[^,]*}}: i32)
tt.func public @none(%n: i32) {
  tt.return
}
