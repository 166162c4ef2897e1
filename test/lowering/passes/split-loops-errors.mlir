// RUN: tcc-opt --triton-split-loops --verify-diagnostics %s

tt.func @no_truth(%n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  // expected-error@+1 {{a loop's tt.split is true or false}}
  scf.for %i = %c0_i32 to %n step %c1_i32 : i32 {
  } {tt.split = 1 : i32}
  tt.return
}
