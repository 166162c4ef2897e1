// RUN: tcc-opt %s --verify-diagnostics --tritongpu-lower-control-flow

// scf.forall has no lowering to branches; no kernel contains it.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{failed to legalize operation 'scf.forall' that was explicitly marked illegal}}
  %0 = scf.forall (%i) in (4) shared_outs(%o = %x) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  }
  tt.return
}
}
