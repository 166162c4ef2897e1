// RUN: tcc-opt %s --split-input-file --verify-diagnostics --tritongpu-pipeline

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @f(%p: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{is scheduled in stage 0 of a pipelined loop; only loads and what has no effects can be, up to stage 1}}
    tt.store %p, %z {loop.cluster = 0 : i32, loop.stage = 0 : i32} : !tt.ptr<f32>
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return
}
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{is needed ahead of its iteration by a load of a pipelined loop, which its effects prevent}}
    %j = tt.load %p : !tt.ptr<i32>
    %q = tt.addptr %p, %j : !tt.ptr<i32>, i32
    %x = tt.load %q {loop.cluster = 0 : i32, loop.stage = 0 : i32} : !tt.ptr<i32>
    tt.store %p, %x : !tt.ptr<i32>
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return
}
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @f(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{is scheduled after a load that needs it}}
    %j = tt.load %p {loop.cluster = 0 : i32, loop.stage = 1 : i32} : !tt.ptr<i32>
    %q = tt.addptr %p, %j : !tt.ptr<i32>, i32
    %x = tt.load %q {loop.cluster = 0 : i32, loop.stage = 0 : i32} : !tt.ptr<i32>
    tt.store %p, %x : !tt.ptr<i32>
  } {tt.scheduled_max_stage = 2 : i32}
  tt.return
}
}
