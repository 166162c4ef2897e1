// RUN: tcc-opt %s --triton-decompose-scaled-dot --verify-diagnostics

tt.func @six_bits(%a: tensor<16x64xi8>, %b: tensor<64x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{has numbers of type e2m3, which is not supported}}
  %d = tt.dot_scaled %a, %b, %c lhs = e2m3 rhs = fp16 {fastMath = true} : tensor<16x64xi8> * tensor<64x16xf16> -> tensor<16x16xf32>
  tt.return
}
