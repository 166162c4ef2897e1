// RUN: tcc-opt --split-input-file --verify-diagnostics --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm %s
// A block has named barriers for turns of four warp groups, so a program with more groups that take turns is an error.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @turns() {
  // expected-error @+2 {{is executed by 8 warp groups, and a block has barriers for turns of 4}}
  // expected-error @+1 {{failed to legalize}}
  ttng.take_turn
  tt.return
}
}
