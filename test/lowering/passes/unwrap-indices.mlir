// RUN: tcc-opt %s --triton-unwrap-indices --cse | FileCheck %s

// Rows of a and columns of b wrap around at the end of the matrix, and no values computed from wrapped elements are
// stored. So a mask replaces the remainder.
// CHECK-LABEL: @product
// CHECK-NOT: arith.remsi
// CHECK: %[[M:.*]] = tt.splat %arg3 : i32 -> tensor<64xi32>
// CHECK: %[[ROWS:.*]] = arith.addi
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[ROWS]], %[[M]]
// CHECK: scf.for
// CHECK:   %[[K:.*]] = tt.broadcast %{{.*}} : tensor<1x32xi1> -> tensor<64x32xi1>
// CHECK:   %[[COLUMN:.*]] = tt.expand_dims %[[BELOW]] {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
// CHECK:   %[[MASK:.*]] = tt.broadcast %[[COLUMN]]
// CHECK:   %[[BOTH:.*]] = arith.andi %[[K]], %[[MASK]]
// CHECK:   tt.load %{{.*}}, %[[BOTH]], %{{.*}} : tensor<64x32x!tt.ptr<f16>>
// CHECK:   %[[ROW:.*]] = tt.expand_dims %{{.*}} {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
// CHECK:   %[[OTHER:.*]] = tt.broadcast %[[ROW]] : tensor<1x64xi1> -> tensor<32x64xi1>
// CHECK:   tt.load %{{.*}}, %[[OTHER]], %{{.*}} : tensor<32x64x!tt.ptr<f16>>
tt.func @product(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %m: i32, %n: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x32xf16>
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %steps = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %x0 = arith.muli %x, %c64 : i32
  %y0 = arith.muli %y, %c64 : i32
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %xs = tt.splat %x0 : i32 -> tensor<64xi32>
  %ys = tt.splat %y0 : i32 -> tensor<64xi32>
  %rows = arith.addi %xs, %range : tensor<64xi32>
  %columns = arith.addi %ys, %range : tensor<64xi32>
  %rows_in = arith.remsi %rows, %ms : tensor<64xi32>
  %columns_in = arith.remsi %columns, %ns : tensor<64xi32>
  %rows2 = tt.expand_dims %rows_in {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %rows3 = tt.broadcast %rows2 : tensor<64x1xi32> -> tensor<64x32xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
  %pa = tt.addptr %as, %rows3 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
  %columns2 = tt.expand_dims %columns_in {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %columns3 = tt.broadcast %columns2 : tensor<1x64xi32> -> tensor<32x64xi32>
  %bs = tt.splat %b : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
  %pb = tt.addptr %bs, %columns3 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
  %move = arith.constant dense<32> : tensor<64x32xi32>
  %ks = tt.splat %k : i32 -> tensor<32xi32>
  %in = arith.cmpi slt, %steps, %ks : tensor<32xi32>
  %in2 = tt.expand_dims %in {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%acc = %zero, %p = %pa) -> (tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>) : i32 {
    %in3 = tt.broadcast %in2 : tensor<1x32xi1> -> tensor<64x32xi1>
    %u = tt.load %p, %in3, %none : tensor<64x32x!tt.ptr<f16>>
    %v = tt.load %pb : tensor<32x64x!tt.ptr<f16>>
    %d = tt.dot %u, %v, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %next = tt.addptr %p, %move : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    scf.yield %d, %next : tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>
  }
  %below_m = arith.cmpi slt, %rows, %ms : tensor<64xi32>
  %below_n = arith.cmpi slt, %columns, %ns : tensor<64xi32>
  %bm = tt.expand_dims %below_m {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
  %bn = tt.expand_dims %below_n {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
  %bm2 = tt.broadcast %bm : tensor<64x1xi1> -> tensor<64x64xi1>
  %bn2 = tt.broadcast %bn : tensor<1x64xi1> -> tensor<64x64xi1>
  %mask = arith.andi %bm2, %bn2 : tensor<64x64xi1>
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %cs, %r#0, %mask : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// Other uses of the rows at the end keep the remainder: a store that lets them through (here because of another size),
// a sum over rows, an operand's other axis.
// CHECK-LABEL: @stored
// CHECK: arith.remsi
tt.func @stored(%x: tensor<64x!tt.ptr<f16>>, %b: tensor<64x64xf16>, %c: tensor<64x64x!tt.ptr<f32>>, %at: i32, %m: i32, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %ats = tt.splat %at : i32 -> tensor<64xi32>
  %rows = arith.addi %ats, %range : tensor<64xi32>
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  %in = arith.remsi %rows, %ms : tensor<64xi32>
  %p = tt.addptr %x, %in : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  %p2 = tt.expand_dims %p {axis = 1 : i32} : tensor<64x!tt.ptr<f16>> -> tensor<64x1x!tt.ptr<f16>>
  %p3 = tt.broadcast %p2 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  %a = tt.load %p3 : tensor<64x64x!tt.ptr<f16>>
  %d = tt.dot %a, %b, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %below = arith.cmpi slt, %rows, %ns : tensor<64xi32>
  %bm = tt.expand_dims %below {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
  %mask = tt.broadcast %bm : tensor<64x1xi1> -> tensor<64x64xi1>
  tt.store %c, %d, %mask : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
// CHECK-LABEL: @summed
// CHECK: arith.remsi
tt.func @summed(%x: tensor<64x!tt.ptr<f16>>, %b: tensor<64x64xf16>, %c: tensor<64x!tt.ptr<f32>>, %at: i32, %m: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %ats = tt.splat %at : i32 -> tensor<64xi32>
  %rows = arith.addi %ats, %range : tensor<64xi32>
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  %in = arith.remsi %rows, %ms : tensor<64xi32>
  %p = tt.addptr %x, %in : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  %p2 = tt.expand_dims %p {axis = 1 : i32} : tensor<64x!tt.ptr<f16>> -> tensor<64x1x!tt.ptr<f16>>
  %p3 = tt.broadcast %p2 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  %a = tt.load %p3 : tensor<64x64x!tt.ptr<f16>>
  %d = tt.dot %a, %b, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %s = "tt.reduce"(%d) <{axis = 0 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<64x64xf32>) -> tensor<64xf32>
  %below = arith.cmpi slt, %rows, %ms : tensor<64xi32>
  tt.store %c, %s, %below : tensor<64x!tt.ptr<f32>>
  tt.return
}
// CHECK-LABEL: @contracted
// CHECK: arith.remsi
tt.func @contracted(%x: tensor<64x!tt.ptr<f16>>, %a: tensor<64x64xf16>, %c: tensor<64x64x!tt.ptr<f32>>, %at: i32, %m: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %ats = tt.splat %at : i32 -> tensor<64xi32>
  %rows = arith.addi %ats, %range : tensor<64xi32>
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  %in = arith.remsi %rows, %ms : tensor<64xi32>
  %p = tt.addptr %x, %in : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  %p2 = tt.expand_dims %p {axis = 1 : i32} : tensor<64x!tt.ptr<f16>> -> tensor<64x1x!tt.ptr<f16>>
  %p3 = tt.broadcast %p2 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  %b = tt.load %p3 : tensor<64x64x!tt.ptr<f16>>
  %d = tt.dot %a, %b, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %below = arith.cmpi slt, %rows, %ms : tensor<64xi32>
  %bm = tt.expand_dims %below {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
  %mask = tt.broadcast %bm : tensor<64x1xi1> -> tensor<64x64xi1>
  tt.store %c, %d, %mask : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
