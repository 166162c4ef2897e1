// RUN: tcc-opt %s --triton-rewrite-tensor-pointer --split-input-file --verify-diagnostics

// expected-error @+1 {{a block pointer cannot be a parameter of a kernel: pass the address, sizes and strides, and make it in the kernel (tt.make_tensor_ptr)}}
tt.func @given(%p: !tt.ptr<tensor<8xf32>>) {
  tt.return
}

// -----

tt.func @moved(%a: !tt.ptr<f32>, %n: i64, %i: i32) {
  %p = tt.make_tensor_ptr %a, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<8xf32>>
  // expected-error @+1 {{failed to legalize operation 'tt.ptr_to_int' that was explicitly marked illegal}}
  %q = tt.ptr_to_int %p : !tt.ptr<tensor<8xf32>> -> i64
  tt.return
}
