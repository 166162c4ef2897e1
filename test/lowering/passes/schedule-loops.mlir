// RUN: tcc-opt %s --tritongpu-schedule-loops | FileCheck %s

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// A load is scheduled its latency before its user, which here is another load.
// CHECK-LABEL: @chain
// CHECK: tt.addptr {{.*}} {loop.cluster = 0 : i32, loop.stage = 3 : i32}
// CHECK: tt.load {{.*}} {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.ptr<i32>
// CHECK: tt.load {{.*}} {loop.cluster = 1 : i32, loop.stage = 1 : i32} : !tt.ptr<f32>
// CHECK: arith.addf {{.*}} {loop.cluster = 0 : i32, loop.stage = 3 : i32}
// CHECK: {tt.scheduled_max_stage = 3 : i32}
tt.func public @chain(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) : i32 {
    %qi = tt.addptr %q, %i : !tt.ptr<i32>, i32
    %j = tt.load %qi {tt.latency = 1 : i32} : !tt.ptr<i32>
    %pj = tt.addptr %p, %j : !tt.ptr<f32>, i32
    %x = tt.load %pj {tt.latency = 2 : i32} : !tt.ptr<f32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  tt.return
}

// CHECK-LABEL: @nothing_to_do
// CHECK-NOT: loop.stage
tt.func public @nothing_to_do(%p: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p : !tt.ptr<f32>
    tt.store %p, %x : !tt.ptr<f32>
  }
  tt.return
}
}
