// RUN: tcc-opt %s --split-input-file --verify-diagnostics --convert-triton-to-tritongpu
// RUN: not tcc-opt %s --convert-triton-to-tritongpu=num-warps=3 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: not tcc-opt %s --convert-triton-to-tritongpu=num-ctas=2 2>&1 | FileCheck %s --check-prefix=CTAS

// WARPS: error: the number of warps and of threads per warp must be powers of two, not 3 and 32
// CTAS: error: programs of several thread blocks (num_ctas = 2) are not supported yet

tt.func public @f(%x: i32) {
  // expected-error @+1 {{a tile's dimensions must be powers of two, and one is 48}}
  %0 = tt.splat %x : i32 -> tensor<48xi32>
  tt.return
}
