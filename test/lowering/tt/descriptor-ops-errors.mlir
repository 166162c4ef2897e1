// RUN: tcc-opt %s --split-input-file --verify-diagnostics

tt.func @f(%a: !tt.ptr<f32>, %n: i32, %s: i64) {
  // expected-error @+1 {{describes elements of type 'f16' at a pointer to 'f32'}}
  %d = tt.make_tensor_descriptor %a, [%n, %n], [%s, %s] : <f32>, <tensor<64x64xf16>>
  tt.return
}

// -----

tt.func @f(%a: !tt.ptr<f32>, %n: i32, %s: i64) {
  // expected-error @+1 {{has 1 sizes and strides for blocks of rank 2}}
  %d = tt.make_tensor_descriptor %a, [%n], [%s] : <f32>, <tensor<64x64xf32>>
  tt.return
}

// -----

tt.func @f(%a: !tt.ptr<i32>, %n: i32, %s: i64) {
  // expected-error @+1 {{pads with NaNs, which 'i32' has none of}}
  %d = tt.make_tensor_descriptor %a, [%n], [%s] {padding = 2 : i32} : <i32>, <tensor<64xi32>>
  tt.return
}

// -----

tt.func @f(%d: !tt.tensordesc<tensor<64x64xf32>>, %n: i32) {
  // expected-error @+1 {{has 1 indices of blocks of rank 2}}
  %x = tt.descriptor_load %d[%n] : !tt.tensordesc<tensor<64x64xf32>> -> tensor<64x64xf32>
  tt.return
}

// -----

// Offsets of an image's pixels are only for blocks in shared memory.
tt.func @f(%d: !tt.tensordesc<tensor<1x64x64xf32>>, %n: i32) {
  // expected-error @+1 {{has 4 indices of blocks of rank 3}}
  %x = tt.descriptor_load %d[%n, %n, %n, %n] : !tt.tensordesc<tensor<1x64x64xf32>> -> tensor<64x64xf32>
  tt.return
}

// -----

tt.func @f(%d: !tt.tensordesc<tensor<64x64xf32>>, %n: i32, %x: tensor<64x32xf32>) {
  // expected-error @+1 {{has the tile 'tensor<64x32xf32>' for a block 'tensor<64x64xf32>'}}
  tt.descriptor_store %d[%n, %n], %x : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x32xf32>
  tt.return
}

// -----

tt.func @f(%d: !tt.tensordesc<tensor<64x64xf32>>, %n: i32, %x: tensor<64x64xf32>) {
  // expected-error @+1 {{cannot combine elements of type 'f32' by 'max'}}
  tt.descriptor_reduce max, %d[%n, %n], %x : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  tt.return
}

// -----

tt.func @f(%d: !tt.tensordesc<tensor<2x64xf32>>, %n: i32, %rows: tensor<32xi32>) {
  // expected-error @+1 {{needs a descriptor of single rows, not of 'tensor<2x64xf32>'}}
  %x = tt.descriptor_gather %d[%rows, %n] : (!tt.tensordesc<tensor<2x64xf32>>, tensor<32xi32>, i32) -> tensor<32x64xf32>
  tt.return
}
