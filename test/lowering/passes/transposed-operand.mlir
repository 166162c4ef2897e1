// x @ w.T, where both are stored by rows: w is copied to its slot unchanged, and read from there as the transposed
// operand. It must be written to shared memory only once.
// RUN: tcc-opt %s --tcc-ttir --tcc-ttgir=arch=80 | FileCheck %s

// CHECK-LABEL: @linear
// CHECK: scf.for
// CHECK-NOT: local_alloc
// CHECK-DAG: ttg.local_load {{.*}} -> tensor<64x32xf16, #linear>
// CHECK-DAG: ttg.local_load {{.*}} -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0
// CHECK-DAG: tt.trans {{.*}} : tensor<64x32xf16, #linear> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1
// CHECK-NOT: local_alloc
// CHECK: tt.dot
// CHECK: ttg.async_copy_global_to_local
// CHECK: ttg.async_copy_global_to_local
// CHECK: scf.yield
tt.func public @linear(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %w: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: tensor<64x64x!tt.ptr<f32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %width = arith.constant dense<1024> : tensor<64x1xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %rows = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %columns = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %r0 = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %r1 = arith.muli %r0, %width : tensor<64x1xi32>
  %r2 = tt.broadcast %r1 : tensor<64x1xi32> -> tensor<64x32xi32>
  %d = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %ks = tt.splat %k : i32 -> tensor<32xi32>
    %k1 = arith.addi %ks, %columns : tensor<32xi32>
    %k2 = tt.expand_dims %k1 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %k3 = tt.broadcast %k2 : tensor<1x32xi32> -> tensor<64x32xi32>
    %at = arith.addi %r2, %k3 : tensor<64x32xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
    %xp = tt.addptr %xs, %at : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %a = tt.load %xp : tensor<64x32x!tt.ptr<f16>>
    %ws = tt.splat %w : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
    %wp = tt.addptr %ws, %at : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %b = tt.load %wp : tensor<64x32x!tt.ptr<f16>>
    %t = tt.trans %b {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
    %s = tt.dot %a, %t, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  tt.store %out, %d : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
