// RUN: tcc-opt %s --triton-rewrite-newer-operations --verify-diagnostics --split-input-file

tt.func @narrow(%p: !tt.ptr<f16>) -> f16 {
  // expected-error @+1 {{of 'f16' is not supported; it is for 32 and 64 bits}}
  %v = tt.atomic_load acquire, gpu, %p : (!tt.ptr<f16>) -> f16
  tt.return %v : f16
}

// -----

tt.func @timeout(%p: !tt.ptr<i32>, %x: i32, %t: i64) -> i1 {
  // expected-error @+1 {{with a timeout is not supported}}
  %v = tt.atomic_poll acquire, gpu, %p, %x timeout %t : !tt.ptr<i32>, i32 -> i1
  tt.return %v : i1
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @tile_with_layout(%p: tensor<128x!tt.ptr<i32>, #blocked>, %x: tensor<128xi32, #blocked>) -> tensor<128xi1, #blocked> {
  // expected-error @+1 {{of a tile is supported in TTIR, not in TTGIR}}
  %v = tt.atomic_poll acquire, gpu, %p, %x : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked> -> tensor<128xi1, #blocked>
  tt.return %v : tensor<128xi1, #blocked>
}

// -----

tt.func @toward_zero(%x: f32) -> f8E5M2 {
  // expected-error @+1 {{with an 8-bit float rounds to nearest even only}}
  %y = tt.fp_to_fp %x, rounding = rtz : f32 -> f8E5M2
  tt.return %y : f8E5M2
}
