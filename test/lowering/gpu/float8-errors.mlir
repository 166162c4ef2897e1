// RUN: tcc-opt --convert-triton-gpu-to-llvm --split-input-file --verify-diagnostics %s

module attributes {"ttg.num-warps" = 1 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90"} {
  tt.func public @towards_zero(%x: f32, %p: !tt.ptr<f8E5M2>) {
    // expected-error@+1 {{is not supported but for 8-bit floats, rounded to nearest even}}
    %b = tt.fp_to_fp %x, rounding = rtz : f32 -> f8E5M2
    tt.store %p, %b : !tt.ptr<f8E5M2>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90"} {
  tt.func public @wider(%x: f32, %p: !tt.ptr<f16>) {
    // expected-error@+1 {{is not supported but for 8-bit floats, rounded to nearest even}}
    %b = tt.fp_to_fp %x, rounding = rtne : f32 -> f16
    tt.store %p, %b : !tt.ptr<f16>
    tt.return
  }
}
