// RUN: tcc-opt --triton-split-loops --split-input-file %s | FileCheck %s
// RUN: tcc-opt --triton-split-loops --triton-split-loops --split-input-file %s | FileCheck %s

// Causal attention: scores on the diagonal are masked, those before it are not. Both loops keep the loop's attributes.
// CHECK-LABEL: @causal
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c32_i32
// CHECK: %[[END:.*]] = arith.addi %[[ROW]], %c32_i32
// CHECK: %[[FULL:.*]] = scf.for %{{.*}} = %c0_i32 to %[[ROW]] step %c32_i32
// CHECK-NOT: arith.select
// CHECK: tt.dot
// CHECK-NOT: arith.select
// CHECK: } {tt.num_stages = 4 : i32, tt.split = false}
// CHECK: %[[ALL:.*]] = scf.for %{{.*}} = %[[ROW]] to %[[END]] step %c32_i32 iter_args(%{{.*}} = %[[FULL]])
// CHECK: arith.cmpi sge
// CHECK: arith.select
// CHECK: } {tt.num_stages = 4 : i32, tt.split = false}
// CHECK-NOT: scf.for
// CHECK: tt.store %{{.*}}, %[[ALL]]
tt.func @causal(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %pid = tt.get_program_id x : i32
  %row = arith.muli %pid, %c32_i32 : i32
  %end = arith.addi %row, %c32_i32 : i32
  %rows = tt.splat %row : i32 -> tensor<32xi32>
  %m = arith.addi %rows, %range : tensor<32xi32>
  %m_column = tt.expand_dims %m {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %m_all = tt.broadcast %m_column : tensor<32x1xi32> -> tensor<32x32xi32>
  %sum = scf.for %i = %c0_i32 to %end step %c32_i32 iter_args(%a = %zeros) -> (tensor<32x32xf32>)  : i32 {
    %from = tt.splat %i : i32 -> tensor<32xi32>
    %n = arith.addi %from, %range : tensor<32xi32>
    %n_row = tt.expand_dims %n {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %n_all = tt.broadcast %n_row : tensor<1x32xi32> -> tensor<32x32xi32>
    %d = tt.dot %x, %x, %a : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %mask = arith.cmpi sge, %m_all, %n_all : tensor<32x32xi32>
    %b = arith.select %mask, %d, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  } {tt.num_stages = 4 : i32}
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// A bound that is unknown: the last iteration may need the mask. The split point is computed without overflow for any
// bound.
// CHECK-LABEL: @bound
// CHECK-SAME: %[[N:[^:]*]]: i32)
// CHECK: %[[LEAST:.*]] = arith.maxsi %[[N]], %c0_i32 : i32
// CHECK: %[[COUNT:.*]] = arith.divsi %[[LEAST]], %c32_i32 : i32
// CHECK: %[[CUT:.*]] = arith.muli %[[COUNT]], %c32_i32 : i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[CUT]] step
// CHECK-NOT: arith.select
// CHECK: scf.for %{{.*}} = %[[CUT]] to %[[N]] step
// CHECK: arith.select
// CHECK-NOT: scf.for
tt.func @bound(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>, %n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %limit = tt.splat %n : i32 -> tensor<32xi32>
  %sum = scf.for %i = %c0_i32 to %n step %c32_i32 iter_args(%a = %zeros) -> (tensor<32x32xf32>)  : i32 {
    %from = tt.splat %i : i32 -> tensor<32xi32>
    %index = arith.addi %from, %range : tensor<32xi32>
    %mask_line = arith.cmpi slt, %index, %limit : tensor<32xi32>
    %mask_row = tt.expand_dims %mask_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %mask_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %d = tt.dot %x, %x, %a : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %b = arith.select %mask, %d, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  }
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// An inverted mask: it is false in the first iterations.
// CHECK-LABEL: @hidden
// CHECK: scf.for
// CHECK-NOT: arith.select
// CHECK: scf.for
// CHECK: arith.cmpi sge
// CHECK: arith.select
// CHECK-NOT: scf.for
tt.func @hidden(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>, %n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %limit = tt.splat %n : i32 -> tensor<32xi32>
  %sum = scf.for %i = %c0_i32 to %n step %c32_i32 iter_args(%a = %zeros) -> (tensor<32x32xf32>)  : i32 {
    %from = tt.splat %i : i32 -> tensor<32xi32>
    %index = arith.addi %from, %range : tensor<32xi32>
    %mask_line = arith.cmpi sge, %index, %limit : tensor<32xi32>
    %mask_row = tt.expand_dims %mask_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %mask_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %d = tt.dot %x, %x, %a : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %b = arith.select %mask, %zeros, %d : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  }
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Both ends of a window, and an unknown lower bound: three loops, whose split points are computed in 64 bits. If fewer
// than four iterations are between both ends, the first loop runs all iterations.
// CHECK-LABEL: @window
// CHECK-SAME: %[[BEGIN:[^:]*]]: i32, %[[N:[^:]*]]: i32, %[[W:[^:]*]]: i32)
// CHECK-DAG: %[[LEAST:.*]] = arith.constant 128 : i64
// CHECK: arith.trunci %{{.*}} : i64 to i32
// CHECK: %[[IS_LONG:.*]] = arith.cmpi sge, %{{.*}}, %[[LEAST]] : i64
// CHECK: %[[IS_EMPTY:.*]] = arith.cmpi sle,
// CHECK: %[[ARE_SPLIT:.*]] = arith.ori %[[IS_LONG]], %[[IS_EMPTY]]
// CHECK: %[[FIRST:.*]] = arith.select %[[ARE_SPLIT]], %{{.*}}, %[[N]] : i32
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[FIRST]] step
// CHECK-COUNT-2: arith.cmpi
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[SECOND:.*]] step
// CHECK-NOT: arith.cmpi
// CHECK: %[[THIRD:.*]] = arith.maxsi %[[FIRST]], %[[SECOND]]
// CHECK: scf.for %{{.*}} = %[[THIRD]] to %[[N]] step
// CHECK-COUNT-2: arith.cmpi
// CHECK-NOT: scf.for
tt.func @window(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>, %begin: i32, %n: i32, %w: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %limit = tt.splat %n : i32 -> tensor<32xi32>
  %least = tt.splat %w : i32 -> tensor<32xi32>
  %sum = scf.for %i = %begin to %n step %c32_i32 iter_args(%a = %zeros) -> (tensor<32x32xf32>)  : i32 {
    %from = tt.splat %i : i32 -> tensor<32xi32>
    %index = arith.addi %from, %range : tensor<32xi32>
    %low_line = arith.cmpi slt, %index, %limit : tensor<32xi32>
    %low_row = tt.expand_dims %low_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %low = tt.broadcast %low_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %high_line = arith.cmpi sge, %index, %least : tensor<32xi32>
    %high_row = tt.expand_dims %high_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %high = tt.broadcast %high_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %mask = arith.andi %low, %high : tensor<32x32xi1>
    %d = tt.dot %x, %x, %a : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %b = arith.select %mask, %d, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  }
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// A mask that is true in all iterations is removed.
// CHECK-LABEL: @always
// CHECK: scf.for
// CHECK-NOT: arith.select
// CHECK-NOT: tt.split
// CHECK: tt.return
tt.func @always(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>, %n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %c1_i32 = arith.constant 1 : i32
  %more = arith.muli %n, %c32_i32 : i32
  %limit = tt.splat %more : i32 -> tensor<32xi32>
  %sum = scf.for %i = %c0_i32 to %n step %c1_i32 iter_args(%a = %zeros) -> (tensor<32x32xf32>)  : i32 {
    %scaled = arith.muli %i, %c32_i32 : i32
    %from = tt.splat %scaled : i32 -> tensor<32xi32>
    %index = arith.addi %from, %range : tensor<32xi32>
    %mask_line = arith.cmpi slt, %index, %limit : tensor<32xi32>
    %mask_row = tt.expand_dims %mask_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %mask_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %d = tt.dot %x, %x, %a : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %b = arith.select %mask, %d, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  }
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Only the diagonal: every iteration needs the mask.
// CHECK-LABEL: @never
// CHECK: scf.for
// CHECK: arith.select
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @never(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %pid = tt.get_program_id x : i32
  %row = arith.muli %pid, %c32_i32 : i32
  %end = arith.addi %row, %c32_i32 : i32
  %limit = tt.splat %row : i32 -> tensor<32xi32>
  %sum = scf.for %i = %row to %end step %c32_i32 iter_args(%a = %zeros) -> (tensor<32x32xf32>)  : i32 {
    %from = tt.splat %i : i32 -> tensor<32xi32>
    %index = arith.addi %from, %range : tensor<32xi32>
    %mask_line = arith.cmpi sle, %index, %limit : tensor<32xi32>
    %mask_row = tt.expand_dims %mask_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %mask_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %d = tt.dot %x, %x, %a : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %b = arith.select %mask, %d, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  }
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Masks of loads alone do not split a loop.
// CHECK-LABEL: @loads
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @loads(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>, %n: i32, %p: tensor<32x32x!tt.ptr<f32>>) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %limit = tt.splat %n : i32 -> tensor<32xi32>
  %sum = scf.for %i = %c0_i32 to %n step %c32_i32 iter_args(%a = %zeros) -> (tensor<32x32xf32>)  : i32 {
    %from = tt.splat %i : i32 -> tensor<32xi32>
    %index = arith.addi %from, %range : tensor<32xi32>
    %mask_line = arith.cmpi slt, %index, %limit : tensor<32xi32>
    %mask_row = tt.expand_dims %mask_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %mask_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %d = tt.dot %x, %x, %a : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %v = tt.load %p, %mask, %zeros : tensor<32x32x!tt.ptr<f32>>
    %b = arith.addf %v, %d : tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  }
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// The source forbids the split.
// CHECK-LABEL: @off
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @off(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>, %n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %limit = tt.splat %n : i32 -> tensor<32xi32>
  %sum = scf.for %i = %c0_i32 to %n step %c32_i32 iter_args(%a = %zeros) -> (tensor<32x32xf32>)  : i32 {
    %from = tt.splat %i : i32 -> tensor<32xi32>
    %index = arith.addi %from, %range : tensor<32xi32>
    %mask_line = arith.cmpi slt, %index, %limit : tensor<32xi32>
    %mask_row = tt.expand_dims %mask_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %mask_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %d = tt.dot %x, %x, %a : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %b = arith.select %mask, %d, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  } {tt.split = false}
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// No dots: the mask costs next to nothing.
// CHECK-LABEL: @small
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @small(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>, %n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %limit = tt.splat %n : i32 -> tensor<32xi32>
  %sum = scf.for %i = %c0_i32 to %n step %c32_i32 iter_args(%a = %zeros) -> (tensor<32x32xf32>)  : i32 {
    %from = tt.splat %i : i32 -> tensor<32xi32>
    %index = arith.addi %from, %range : tensor<32xi32>
    %mask_line = arith.cmpi slt, %index, %limit : tensor<32xi32>
    %mask_row = tt.expand_dims %mask_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %mask_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %d = arith.addf %a, %a : tensor<32x32xf32>
    %b = arith.select %mask, %d, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  }
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// The source requests the split.
// CHECK-LABEL: @asked
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @asked(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>, %n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %limit = tt.splat %n : i32 -> tensor<32xi32>
  %sum = scf.for %i = %c0_i32 to %n step %c32_i32 iter_args(%a = %zeros) -> (tensor<32x32xf32>)  : i32 {
    %from = tt.splat %i : i32 -> tensor<32xi32>
    %index = arith.addi %from, %range : tensor<32xi32>
    %mask_line = arith.cmpi slt, %index, %limit : tensor<32xi32>
    %mask_row = tt.expand_dims %mask_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %mask_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %d = arith.addf %a, %a : tensor<32x32xf32>
    %b = arith.select %mask, %d, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  } {tt.split = true}
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Unsigned numbers may wrap around.
// CHECK-LABEL: @without_sign
// CHECK: scf.for unsigned
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @without_sign(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>, %n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %limit = tt.splat %n : i32 -> tensor<32xi32>
  %sum = scf.for unsigned %i = %c0_i32 to %n step %c32_i32 iter_args(%a = %zeros) -> (tensor<32x32xf32>)  : i32 {
    %from = tt.splat %i : i32 -> tensor<32xi32>
    %index = arith.addi %from, %range : tensor<32xi32>
    %mask_line = arith.cmpi slt, %index, %limit : tensor<32xi32>
    %mask_row = tt.expand_dims %mask_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %mask_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %d = tt.dot %x, %x, %a : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %b = arith.select %mask, %d, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  }
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// The source has split the loop already.
// CHECK-LABEL: @cut_before
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @cut_before(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>, %cut: i32, %n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %limit = tt.splat %n : i32 -> tensor<32xi32>
  %before = scf.for %j = %c0_i32 to %cut step %c32_i32 iter_args(%c = %zeros) -> (tensor<32x32xf32>)  : i32 {
    %e = tt.dot %x, %x, %c : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %e : tensor<32x32xf32>
  }
  %sum = scf.for %i = %cut to %n step %c32_i32 iter_args(%a = %before) -> (tensor<32x32xf32>)  : i32 {
    %from = tt.splat %i : i32 -> tensor<32xi32>
    %index = arith.addi %from, %range : tensor<32xi32>
    %mask_line = arith.cmpi slt, %index, %limit : tensor<32xi32>
    %mask_row = tt.expand_dims %mask_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %mask_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %d = tt.dot %x, %x, %a : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %b = arith.select %mask, %d, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  }
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// A loop-carried tile of indices.
// CHECK-LABEL: @carried
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK: scf.for
// CHECK: arith.cmpi slt
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @carried(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>, %n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %limit = tt.splat %n : i32 -> tensor<32xi32>
  %by = arith.constant dense<32> : tensor<32xi32>
  %sum:2 = scf.for %i = %c0_i32 to %n step %c32_i32 iter_args(%a = %zeros, %j = %range) -> (tensor<32x32xf32>, tensor<32xi32>)  : i32 {
    %mask_line = arith.cmpi slt, %j, %limit : tensor<32xi32>
    %mask_row = tt.expand_dims %mask_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %mask_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %d = tt.dot %x, %x, %a : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %b = arith.select %mask, %d, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    %next = arith.addi %j, %by : tensor<32xi32>
    scf.yield %b, %next : tensor<32x32xf32>, tensor<32xi32>
  }
  tt.store %out, %sum#0 : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// The difference of two 64-bit numbers may overflow.
// CHECK-LABEL: @wide
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @wide(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>, %n: i64, %at: i64) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %c0_i64 = arith.constant 0 : i64
  %c32_i64 = arith.constant 32 : i64
  %limit = tt.splat %n : i64 -> tensor<32xi64>
  %at_all = tt.splat %at : i64 -> tensor<32xi64>
  %sum = scf.for %i = %c0_i64 to %n step %c32_i64 iter_args(%a = %zeros) -> (tensor<32x32xf32>)  : i64 {
    %from = tt.splat %i : i64 -> tensor<32xi64>
    %index = arith.addi %from, %at_all : tensor<32xi64>
    %mask_line = arith.cmpi slt, %index, %limit : tensor<32xi64>
    %mask_row = tt.expand_dims %mask_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %mask_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %d = tt.dot %x, %x, %a : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %b = arith.select %mask, %d, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  }
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// -----

// A number that is below an unsigned bound is not negative, and below the bound as a signed number.
// CHECK-LABEL: @without_a_sign
// CHECK: scf.for
// CHECK-NOT: arith.select
// CHECK: scf.for
// CHECK: arith.cmpi ult
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func @without_a_sign(%x: tensor<32x32xf16>, %out: tensor<32x32x!tt.ptr<f32>>, %n: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c32_i32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %limit = tt.splat %n : i32 -> tensor<32xi32>
  %sum = scf.for %i = %c0_i32 to %n step %c32_i32 iter_args(%a = %zeros) -> (tensor<32x32xf32>)  : i32 {
    %from = tt.splat %i : i32 -> tensor<32xi32>
    %index = arith.addi %from, %range : tensor<32xi32>
    %mask_line = arith.cmpi ult, %index, %limit : tensor<32xi32>
    %mask_row = tt.expand_dims %mask_line {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %mask = tt.broadcast %mask_row : tensor<1x32xi1> -> tensor<32x32xi1>
    %d = tt.dot %x, %x, %a : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %b = arith.select %mask, %d, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %b : tensor<32x32xf32>
  }
  tt.store %out, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}
