// RUN: tcc-opt %s --split-input-file --verify-diagnostics

tt.func @f(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{cannot reshape 'tensor<64x32xf32>' to 'tensor<16x16xf32>': 2048 elements and 256}}
  %0 = tt.reshape %x : tensor<64x32xf32> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{names each dimension of 'tensor<64x32xf32>' once, and [0, 0] does not}}
  %0 = tt.trans %x {order = array<i32: 0, 0>} : tensor<64x32xf32> -> tensor<64x64xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<64x32xf32>) {
  // expected-error @+1 {{of 'tensor<64x32xf32>' in the order [1, 0] is not 'tensor<64x32xf32>'}}
  %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x32xf32> -> tensor<64x32xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<64xf32>) {
  // expected-error @+1 {{of two 'tensor<64xf32>' has that shape and a last dimension of 2, unlike 'tensor<2x64xf32>'}}
  %0 = tt.join %x, %x : tensor<64xf32> -> tensor<2x64xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<64x4xf32>) {
  // expected-error @+1 {{needs a last dimension of 2 beside others, which 'tensor<64x4xf32>' has not}}
  %0, %1 = tt.split %x : tensor<64x4xf32> -> tensor<64xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{needs a last dimension of 2 beside others, which 'tensor<2xf32>' has not}}
  %0, %1 = tt.split %x : tensor<2xf32> -> tensor<1xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<64x2xf32>) {
  // expected-error @+1 {{of 'tensor<64x2xf32>' has results without its last dimension, not 'tensor<32xf32>'}}
  %0, %1 = tt.split %x : tensor<64x2xf32> -> tensor<32xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<64xf32>) {
  // expected-error @+1 {{makes a one-dimensional tile of all elements of two: not 'tensor<64xf32>' of 'tensor<64xf32>' and 'tensor<64xf32>'}}
  %0 = tt.cat %x, %x : tensor<64xf32> -> tensor<64xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<64xf32>, %i: tensor<32xi32>) {
  // expected-error @+1 {{of 'tensor<64xf32>' has the indices' shape and layout, which are 'tensor<32xi32>', not 'tensor<64xf32>'}}
  %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<64xf32>, tensor<32xi32>) -> tensor<64xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<64xf32>, %i: tensor<32xi32>) {
  // expected-error @+1 {{along axis 1 cannot take 'tensor<32xi32>' as indices of 'tensor<64xf32>'}}
  %0 = tt.gather %x[%i] {axis = 1 : i32} : (tensor<64xf32>, tensor<32xi32>) -> tensor<32xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<64x8xf32>, %i: tensor<32x4xi32>) {
  // expected-error @+1 {{along axis 0 needs other dimensions to be equal: dimension 1 is 8 and 4}}
  %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<64x8xf32>, tensor<32x4xi32>) -> tensor<32x4xf32>
  tt.return
}

// -----

tt.func @f(%x: tensor<64x8xi32>) {
  // expected-error @+1 {{counts a one-dimensional tile in bins of 32 bits, not 'tensor<64x8xi32>' in 'tensor<16xi32>'}}
  %0 = tt.histogram %x : tensor<64x8xi32> -> tensor<16xi32>
  tt.return
}

// -----

tt.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{needs a tile of one element, not 'tensor<2xf32>'}}
  %0 = tt.unsplat %x : tensor<2xf32>
  tt.return
}
