// RUN: tcc-opt %s --split-input-file --verify-diagnostics

tt.func @rank(%a: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{has 1 offsets in blocks of rank 2}}
  %p = tt.make_tensor_ptr %a, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<32x64xf16>>
  tt.return
}

// -----

tt.func @no_block(%a: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{makes pointers to blocks, not '!tt.ptr<f16>'}}
  %p = tt.make_tensor_ptr %a, [%n], [%n], [%i] {order = array<i32: 0>} : <f16>
  tt.return
}

// -----

tt.func @moved(%p: !tt.ptr<tensor<32x64xf16>>, %i: i32) {
  // expected-error @+1 {{has 1 offsets in blocks of rank 2}}
  %q = tt.advance %p, [%i] : <tensor<32x64xf16>>
  tt.return
}

// -----

tt.func @axis(%p: !tt.ptr<tensor<64xf16>>) {
  // expected-error @+1 {{checks axis 1 of a block of rank 1}}
  %x = tt.load %p {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<64xf16>>
  tt.return
}

// -----

tt.func @masked(%p: !tt.ptr<tensor<64xf16>>, %m: i1) {
  // expected-error @+1 {{has a mask for a block pointer, whose elements boundaryCheck is for}}
  %x = tt.load %p, %m : !tt.ptr<tensor<64xf16>>
  tt.return
}

// -----

tt.func @pointers(%p: tensor<64x!tt.ptr<f16>>, %x: tensor<64xf16>) {
  // expected-error @+1 {{has boundaryCheck or padding, which are of block pointers, for 'tensor<64x!tt.ptr<f16>>'}}
  tt.store %p, %x {boundaryCheck = array<i32: 0>} : tensor<64x!tt.ptr<f16>>
  tt.return
}

// -----

tt.func @shapes(%a: tensor<16x32xi8>, %b: tensor<32x16xf8E4M3FN>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{shapes do not fit: the right operand is 'tensor<32x16xf8E4M3FN>' for 16 rows or columns and a depth of 64}}
  %d = tt.dot_scaled %a, %b, %c lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<16x32xi8> * tensor<32x16xf8E4M3FN> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @types(%a: tensor<16x64xf8E5M2>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{cannot take 'f8E5M2' as numbers of type e4m3}}
  %d = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = bf16 {fastMath = false} : tensor<16x64xf8E5M2> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scales(%a: tensor<16x64xf8E5M2>, %s: tensor<16x4xi8>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{needs a scale for 32 neighbours of 16 rows of 64 numbers, and has 'tensor<16x4xi8>'}}
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e5m2 rhs = bf16 {fastMath = false} : tensor<16x64xf8E5M2>, tensor<16x4xi8> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @floats(%a: tensor<16x64xf8E5M2>, %s: tensor<16x4xf8E4M3FN>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{has scales of type 'f8E4M3FN'; powers of two (e8m0, as i8), and e4m3 for numbers of type e2m1, are supported}}
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e5m2 rhs = bf16 {fastMath = false} : tensor<16x64xf8E5M2>, tensor<16x4xf8E4M3FN> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @small_blocks(%a: tensor<16x32xi8>, %s: tensor<16x2xf8E4M3FN>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{needs a scale for 16 neighbours of 16 rows of 64 numbers, and has 'tensor<16x2xf8E4M3FN>'}}
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<16x32xi8>, tensor<16x2xf8E4M3FN> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return
}
