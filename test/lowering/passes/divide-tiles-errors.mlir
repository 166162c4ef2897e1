// Kernels whose tiles cannot be divided, because parts of the result cannot be computed alone, are rejected.
// RUN: tcc-opt %s --split-input-file --verify-diagnostics --tritongpu-divide-tiles
// RUN: tcc-opt %s --split-input-file --verify-diagnostics --tritongpu-divide-tiles=first-rows=64

// expected-error @+1 {{a part of its dot's result cannot be computed alone}}
tt.func public @noDot(%p: !tt.ptr<f32>) {
  tt.return
}

// -----

// A maximum of the whole tile.
// expected-error @+1 {{a part of its dot's result cannot be computed alone}}
tt.func public @combined(%p: !tt.ptr<f32>) {
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tt.dot %x, %y, %zero : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
  %rows = "tt.reduce"(%d) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<128x128xf32>) -> tensor<128xf32>
  %all = "tt.reduce"(%rows) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<128xf32>) -> f32
  tt.store %p, %all : !tt.ptr<f32>
  tt.return
}

// -----

// Half a tile is too small, and there are no more rows than matrix instructions need.
// expected-error @+1 {{a part of its dot's result cannot be computed alone}}
tt.func public @small(%p: !tt.ptr<f32>) {
  %x = arith.constant dense<1.0> : tensor<64x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tt.dot %x, %y, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %indices = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %pointers = tt.addptr %ps, %indices : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %pointers, %d : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
