// RUN: tcc-opt %s --split-input-file --verify-diagnostics --tritongpu-plan-cta=num-ctas=2
// RUN: not tcc-opt %s --split-input-file --tritongpu-plan-cta=num-ctas=3 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: the thread blocks of a program must be a power of two up to 16, not 3

tt.func private @helper(i32) -> i32
tt.func public @f(%x: i32) {
  // expected-error @+1 {{a program of several thread blocks (num_ctas) cannot call functions that are not inlined}}
  %0 = tt.call @helper(%x) : (i32) -> i32
  tt.return
}

// -----

// expected-error @+1 {{a kernel takes no tiles; of several thread blocks (num_ctas) each would have a part}}
tt.func public @tiles(%p: !tt.ptr<f32>, %x: tensor<64xf32>) {
  tt.return
}
