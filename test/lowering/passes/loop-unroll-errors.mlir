// RUN: tcc-opt --triton-loop-unroll --split-input-file --verify-diagnostics %s

tt.func @zero(%n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  // expected-error@+1 {{a loop's tt.loop_unroll_factor is an integer from 1}}
  scf.for %i = %c0_i32 to %n step %c1_i32 : i32 {
  } {tt.loop_unroll_factor = 0 : i32}
  tt.return
}

// -----

tt.func @no_integer(%n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  // expected-error@+1 {{a loop's tt.loop_unroll_factor is an integer from 1}}
  scf.for %i = %c0_i32 to %n step %c1_i32 : i32 {
  } {tt.loop_unroll_factor = "two"}
  tt.return
}
