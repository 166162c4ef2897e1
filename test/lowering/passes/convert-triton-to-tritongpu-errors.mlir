// RUN: tcc-opt %s --split-input-file --verify-diagnostics --convert-triton-to-tritongpu
// RUN: not tcc-opt %s --split-input-file --convert-triton-to-tritongpu=num-warps=3 2>&1 | FileCheck %s --check-prefix=WARPS

// WARPS: error: the number of warps and of threads per warp must be powers of two, not 3 and 32

tt.func public @f(%x: i32) {
  // expected-error @+1 {{a tile's dimensions must be powers of two, and one is 48}}
  %0 = tt.splat %x : i32 -> tensor<48xi32>
  tt.return
}

// -----

tt.func public @f(%x: i32) {
  // expected-error @+1 {{a tile of rank 0 has no layout}}
  %0 = tt.splat %x : i32 -> tensor<i32>
  tt.return
}

// -----

tt.func public @f(%x: tensor<256xi32>) {
  // expected-error @+1 {{this call is for 64 threads, and the kernel has 128: give it [[tt::num_warps(2)]]}}
  %0 = tt.call_threads items "f"(%x) {threads = 64 : i32} : (tensor<256xi32>) -> tensor<256xi32>
  tt.return
}

// -----

tt.func public @f() {
  // expected-error @+1 {{is a tile whose elements are not listed}}
  %0 = arith.constant dense_resource<elements> : tensor<32xi32>
  tt.return
}

{-#
  dialect_resources: {
    builtin: {
      elements: "0x0400000001000000"
    }
  }
#-}
