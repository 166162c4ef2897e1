// RUN: tcc-opt %s --triton-squeeze-unit-dims --canonicalize | FileCheck %s

// A tile of four dimensions is loaded as a matrix, because it is an operand of a dot.
// CHECK-LABEL: @load_for_a_product
// CHECK-NOT: reshape
// CHECK: %[[A:.*]] = tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x32x!tt.ptr<f16>>
// CHECK: %[[T:.*]] = tt.trans %[[A]] {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
// CHECK: tt.dot %[[A]], %[[T]], %{{.*}} : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
// CHECK-NOT: reshape
tt.func @load_for_a_product(%p: !tt.ptr<f16>, %n: i32, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x1x64x32xf16>
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %k = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %r0 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %r1 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<64x1xi32> -> tensor<1x64x1xi32>
  %r2 = tt.expand_dims %r1 {axis = 0 : i32} : tensor<1x64x1xi32> -> tensor<1x1x64x1xi32>
  %k0 = tt.expand_dims %k {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %k1 = tt.expand_dims %k0 {axis = 0 : i32} : tensor<1x32xi32> -> tensor<1x1x32xi32>
  %k2 = tt.expand_dims %k1 {axis = 0 : i32} : tensor<1x1x32xi32> -> tensor<1x1x1x32xi32>
  %n4 = tt.splat %n : i32 -> tensor<1x1x64x1xi32>
  %in = arith.cmpi slt, %r2, %n4 : tensor<1x1x64x1xi32>
  %mask = tt.broadcast %in : tensor<1x1x64x1xi1> -> tensor<1x1x64x32xi1>
  %rows = arith.muli %r2, %n4 : tensor<1x1x64x1xi32>
  %p4 = tt.splat %p : !tt.ptr<f16> -> tensor<1x1x64x1x!tt.ptr<f16>>
  %begin = tt.addptr %p4, %rows : tensor<1x1x64x1x!tt.ptr<f16>>, tensor<1x1x64x1xi32>
  %begins = tt.broadcast %begin : tensor<1x1x64x1x!tt.ptr<f16>> -> tensor<1x1x64x32x!tt.ptr<f16>>
  %columns = tt.broadcast %k2 : tensor<1x1x1x32xi32> -> tensor<1x1x64x32xi32>
  %all = tt.addptr %begins, %columns : tensor<1x1x64x32x!tt.ptr<f16>>, tensor<1x1x64x32xi32>
  %x = tt.load %all, %mask, %zero : tensor<1x1x64x32x!tt.ptr<f16>>
  %xt = tt.trans %x {order = array<i32: 1, 0, 3, 2>} : tensor<1x1x64x32xf16> -> tensor<1x1x32x64xf16>
  %a = tt.reshape %x : tensor<1x1x64x32xf16> -> tensor<64x32xf16>
  %b = tt.reshape %xt : tensor<1x1x32x64xf16> -> tensor<32x64xf16>
  %d = tt.dot %a, %b, %c : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  tt.return %d : tensor<64x64xf32>
}

// A batch of one is a dot of matrices, and the loop carries a matrix.
// CHECK-LABEL: @batch_of_one
// CHECK: scf.for {{.*}} -> (tensor<64x64xf32>)
// CHECK: tt.dot {{.*}} : tensor<64x16xf16> * tensor<16x64xf16> -> tensor<64x64xf32>
// CHECK: scf.yield {{.*}} : tensor<64x64xf32>
// CHECK: tt.expand_dims {{.*}} {axis = 0 : i32} : tensor<64x64xf32> -> tensor<1x64x64xf32>
tt.func @batch_of_one(%a: tensor<1x64x16xf16>, %b: tensor<1x16x64xf16>, %n: i32) -> tensor<1x64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<1x64x64xf32>
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<1x64x64xf32>) : i32 {
    %next = tt.dot %a, %b, %c : tensor<1x64x16xf16> * tensor<1x16x64xf16> -> tensor<1x64x64xf32>
    scf.yield %next : tensor<1x64x64xf32>
  }
  tt.return %d : tensor<1x64x64xf32>
}

// Along a dimension of size one there is nothing to combine.
// CHECK-LABEL: @combine
// CHECK: %[[X:.*]] = tt.reshape %arg0 : tensor<4x1x8xf32> -> tensor<4x8xf32>
// CHECK: %[[S:.*]] = "tt.reduce"(%[[X]]) <{axis = 1 : i32}>
// CHECK: (tensor<4x8xf32>) -> tensor<4xf32>
// CHECK: %[[COLUMN:.*]] = tt.expand_dims %[[S]] {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
// CHECK: %[[SCAN:.*]] = "tt.scan"(%[[X]]) <{axis = 1 : i32, reverse = true}>
// CHECK: %[[WHOLE:.*]] = tt.expand_dims %[[SCAN]] {axis = 1 : i32}
// CHECK: tt.return %[[COLUMN]], %[[X]], %[[WHOLE]]
tt.func @combine(%x: tensor<4x1x8xf32>) -> (tensor<4x1xf32>, tensor<4x8xf32>, tensor<4x1x8xf32>) {
  %sums = "tt.reduce"(%x) <{axis = 2 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tt.reduce.return %s : f32
  }) : (tensor<4x1x8xf32>) -> tensor<4x1xf32>
  %same = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tt.reduce.return %s : f32
  }) : (tensor<4x1x8xf32>) -> tensor<4x8xf32>
  %scan = "tt.scan"(%x) <{axis = 2 : i32, reverse = true}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tt.scan.return %s : f32
  }) : (tensor<4x1x8xf32>) -> tensor<4x1x8xf32>
  tt.return %sums, %same, %scan : tensor<4x1xf32>, tensor<4x8xf32>, tensor<4x1x8xf32>
}

// If all dimensions have size one, one is kept. Hints keep the values of the remaining dimensions.
// CHECK-LABEL: @one_element
// CHECK: tt.load %{{.*}} : tensor<1x!tt.ptr<f32>>
// CHECK: tt.bitcast %{{.*}} {tt.divisibility = dense<[4, 16]> : tensor<2xi32>} : tensor<4x8xi32> -> tensor<4x8xi32>
tt.func @one_element(%p: !tt.ptr<f32>, %i: tensor<4x1x8xi32>) -> (tensor<1x1x1xf32>, tensor<4x1x8xi32>) {
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1x1x1x!tt.ptr<f32>>
  %x = tt.load %ps : tensor<1x1x1x!tt.ptr<f32>>
  %hint = tt.bitcast %i {tt.divisibility = dense<[4, 1, 16]> : tensor<3xi32>} : tensor<4x1x8xi32> -> tensor<4x1x8xi32>
  tt.return %x, %hint : tensor<1x1x1xf32>, tensor<4x1x8xi32>
}

// Operations without a one-to-one mapping of elements keep their shapes; columns and rows of two dimensions are not
// changed either.
// CHECK-LABEL: @others
// CHECK: %[[S:.*]] = math.exp %{{.*}} : tensor<4x8xf32>
// CHECK: %[[W:.*]] = tt.expand_dims %[[S]] {axis = 1 : i32} : tensor<4x8xf32> -> tensor<4x1x8xf32>
// CHECK: tt.gather %[[W]]
// CHECK: math.exp %{{.*}} : tensor<4x1xf32>
tt.func @others(%x: tensor<4x1x8xf32>, %i: tensor<4x1x8xi32>, %y: tensor<4x1xf32>) -> (tensor<4x1x8xf32>, tensor<4x1xf32>) {
  %e = math.exp %x : tensor<4x1x8xf32>
  %g = tt.gather %e[%i] {axis = 2 : i32} : (tensor<4x1x8xf32>, tensor<4x1x8xi32>) -> tensor<4x1x8xf32>
  %z = math.exp %y : tensor<4x1xf32>
  tt.return %g, %z : tensor<4x1x8xf32>, tensor<4x1xf32>
}

// CHECK-LABEL: @filled_up
// CHECK: %[[W:.*]] = tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<4x8xf32> -> tensor<4x1x8xf32>
// CHECK: tt.broadcast %[[W]] : tensor<4x1x8xf32> -> tensor<4x2x8xf32>
tt.func @filled_up(%x: tensor<4x1x8xf32>) -> tensor<4x2x8xf32> {
  %e = math.exp %x : tensor<4x1x8xf32>
  %y = tt.broadcast %e : tensor<4x1x8xf32> -> tensor<4x2x8xf32>
  tt.return %y : tensor<4x2x8xf32>
}
