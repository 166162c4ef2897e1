// RUN: tcc-opt %s --triton-rewrite-tensor-descriptor-to-pointer --split-input-file --verify-diagnostics

// expected-error @+1 {{a descriptor that is a parameter is a tensor map, for GPUs that copy tensors, sm_90 and later; compiled for other targets alone, the kernel takes the pointer, sizes, strides and padding in its place}}
tt.func @given(%d: !tt.tensordesc<tensor<8xf32>>) {
  tt.return
}

// -----

tt.func @smallest(%base: !tt.ptr<f16>, %n: i32, %v: tensor<8xf16>) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %base, [%n], [%one] : <f16>, <tensor<8xf16>>
  // expected-error @+2 {{has no counterpart through pointers for 'min' of elements of type 'f16'}}
  // expected-error @+1 {{failed to legalize operation 'tt.descriptor_reduce'}}
  tt.descriptor_reduce min, %d[%n], %v : !tt.tensordesc<tensor<8xf16>>, tensor<8xf16>
  tt.return
}
