// RUN: tcc-opt %s --split-input-file --tritongpu-plan-cta=num-ctas=2 | FileCheck %s
// RUN: tcc-opt %s --split-input-file --tritongpu-plan-cta=num-ctas=4 | FileCheck %s --check-prefix=FOUR
// RUN: tcc-opt %s --split-input-file --tritongpu-plan-cta=num-ctas=1 | FileCheck %s --check-prefix=ALONE
// ALONE: tensor<1024xf32>
// ALONE-NOT: ttng.

// A range begins at the first index of the part. A row is reduced within each part first, and then across blocks.
// CHECK-LABEL: @row
// CHECK: %[[RANK:.*]] = ttng.block_rank
// CHECK: tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
// CHECK: %[[PART:.*]] = arith.andi %[[RANK]], %c1_i32
// CHECK: %[[BEGIN:.*]] = arith.muli %[[PART]], %c512_i32
// CHECK: tt.splat %[[BEGIN]]
// CHECK: tt.load {{.*}} {tt.contiguity = dense<512> : tensor<1xi32>} : tensor<512x!tt.ptr<f32>>
// CHECK: %[[MINE:.*]] = "tt.reduce"
// CHECK: (tensor<512xf32>) -> f32
// CHECK: %[[ONE:.*]] = tt.splat %[[MINE]] : f32 -> tensor<1xf32>
// CHECK: %[[ALL:.*]] = ttng.redistribute %[[ONE]] [0] to [-1] : tensor<1xf32> -> tensor<2xf32>
// CHECK: "tt.reduce"(%[[ALL]])
// CHECK: tt.store {{.*}} : tensor<512x!tt.ptr<f32>>
// FOUR-LABEL: @row
// FOUR: ttng.redistribute {{.*}} [0, 0] to [-1, -1] : tensor<1xf32> -> tensor<4xf32>
tt.func public @row(%x: !tt.ptr<f32>) {
  %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %s = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %p = tt.addptr %s, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %p {tt.contiguity = dense<1024> : tensor<1xi32>} : tensor<1024x!tt.ptr<f32>>
  %m = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<1024xf32>) -> f32
  %sm = tt.splat %m : f32 -> tensor<1024xf32>
  %r = arith.subf %v, %sm : tensor<1024xf32>
  tt.store %p, %r : tensor<1024x!tt.ptr<f32>>
  tt.return
}

// -----

// The rows of a dot's result are divided first, and its columns when few rows are left. Each operand is divided along
// its axis, and loop-carried values like the values that are passed to them. Blocks with the same rows read the same
// part of the left operand, which is marked.
// CHECK-LABEL: @product
// CHECK: scf.for {{.*}} -> (tensor<128x64xf32>, tensor<128x32x!tt.ptr<f16>>)
// CHECK: tt.load %{{.*}} : tensor<128x32x!tt.ptr<f16>>
// CHECK: tt.load %{{.*}} {ttg.shared_by_blocks} : tensor<32x64x!tt.ptr<f16>>
// CHECK: tt.dot {{.*}} : tensor<128x32xf16> * tensor<32x64xf16> -> tensor<128x64xf32>
// CHECK: tt.store {{.*}} : tensor<128x64x!tt.ptr<f32>>
// CHECK-NOT: ttng.redistribute
// FOUR-LABEL: @product
// FOUR: tt.load %{{.*}} : tensor<64x32x!tt.ptr<f16>>
// FOUR: tt.load %{{.*}} {ttg.shared_by_blocks} : tensor<32x64x!tt.ptr<f16>>
// FOUR: tt.dot {{.*}} -> tensor<64x64xf32>
tt.func public @product(%x: !tt.ptr<f16>, %y: !tt.ptr<f16>, %z: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<256x64xf32>
  %rows = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %inner = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r1 = tt.expand_dims %rows {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
  %i0 = tt.expand_dims %inner {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %i1 = tt.expand_dims %inner {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %c2 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<256x32x!tt.ptr<f16>>
  %rb = tt.broadcast %r1 : tensor<256x1xi32> -> tensor<256x32xi32>
  %ib = tt.broadcast %i0 : tensor<1x32xi32> -> tensor<256x32xi32>
  %xp0 = tt.addptr %xs, %rb : tensor<256x32x!tt.ptr<f16>>, tensor<256x32xi32>
  %xp = tt.addptr %xp0, %ib : tensor<256x32x!tt.ptr<f16>>, tensor<256x32xi32>
  %ys = tt.splat %y : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
  %ib1 = tt.broadcast %i1 : tensor<32x1xi32> -> tensor<32x64xi32>
  %cb = tt.broadcast %c2 : tensor<1x64xi32> -> tensor<32x64xi32>
  %yp0 = tt.addptr %ys, %ib1 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
  %yp = tt.addptr %yp0, %cb : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
  %sums:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %xp) -> (tensor<256x64xf32>, tensor<256x32x!tt.ptr<f16>>) : i32 {
    %a = tt.load %p : tensor<256x32x!tt.ptr<f16>>
    %b = tt.load %yp : tensor<32x64x!tt.ptr<f16>>
    %d = tt.dot %a, %b, %acc : tensor<256x32xf16> * tensor<32x64xf16> -> tensor<256x64xf32>
    %next = tt.addptr %p, %ib : tensor<256x32x!tt.ptr<f16>>, tensor<256x32xi32>
    scf.yield %d, %next : tensor<256x64xf32>, tensor<256x32x!tt.ptr<f16>>
  }
  %zs = tt.splat %z : !tt.ptr<f32> -> tensor<256x64x!tt.ptr<f32>>
  %rz = tt.broadcast %r1 : tensor<256x1xi32> -> tensor<256x64xi32>
  %cz = tt.broadcast %c2 : tensor<1x64xi32> -> tensor<256x64xi32>
  %zp0 = tt.addptr %zs, %rz : tensor<256x64x!tt.ptr<f32>>, tensor<256x64xi32>
  %zp = tt.addptr %zp0, %cz : tensor<256x64x!tt.ptr<f32>>, tensor<256x64xi32>
  tt.store %zp, %sums#0 : tensor<256x64x!tt.ptr<f32>>
  tt.return
}

// -----

// One block stores a tile that exists once, and one block executes operations that a program executes once; all blocks
// get the result.
// CHECK-LABEL: @once
// CHECK: tt.load %{{.*}} {ttg.shared_by_blocks} : !tt.ptr<i32>
// CHECK: %[[FIRST:.*]] = arith.cmpi eq
// CHECK: tt.store {{.*}}, %[[FIRST]] {ttg.shared_by_blocks} : !tt.ptr<i32>
// CHECK: ttng.cluster_arrive {relaxed = false}
// CHECK: ttng.cluster_wait
// CHECK: scf.if {{.*}} -> (i32) {
// CHECK:   tt.atomic_rmw add, acq_rel
// CHECK: ttng.redistribute {{.*}} [-2] to [-1] : tensor<1xi32> -> tensor<1xi32>
// CHECK: ttng.cluster_arrive {relaxed = false}
// CHECK: ttng.cluster_wait
// CHECK: scf.if
// CHECK-NEXT: tt.print
tt.func public @once(%p: !tt.ptr<i32>) {
  %true = arith.constant true
  %v = tt.load %p : !tt.ptr<i32>
  tt.store %p, %v : !tt.ptr<i32>
  %old = tt.atomic_rmw add, acq_rel, gpu, %p, %v, %true : (!tt.ptr<i32>, i32, i1) -> i32
  gpu.barrier
  tt.print "v" {hex = false, isSigned = array<i32: 1>} : %old : i32
  tt.return
}

// -----

// A scan's rows stay whole, which requires an exchange behind a dot that has divided them; a reshape keeps as much of
// the distribution as it can.
// CHECK-LABEL: @whole_rows
// CHECK: tt.load {{.*}} : tensor<1024x!tt.ptr<f32>>
// CHECK: tt.reshape {{.*}} : tensor<1024xf32> -> tensor<32x32xf32>
// CHECK: "tt.scan"
// CHECK: (tensor<32x32xf32>) -> tensor<32x32xf32>
// CHECK: tt.reshape {{.*}} : tensor<32x32xf32> -> tensor<1024xf32>
// CHECK-NOT: ttng.redistribute
// CHECK: tt.store
tt.func public @whole_rows(%x: !tt.ptr<f32>) {
  %i = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
  %s = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>>
  %p = tt.addptr %s, %i : tensor<2048x!tt.ptr<f32>>, tensor<2048xi32>
  %v = tt.load %p : tensor<2048x!tt.ptr<f32>>
  %m = tt.reshape %v : tensor<2048xf32> -> tensor<64x32xf32>
  %t = "tt.scan"(%m) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %f = tt.reshape %t : tensor<64x32xf32> -> tensor<2048xf32>
  tt.store %p, %f : tensor<2048x!tt.ptr<f32>>
  tt.return
}

// -----

// A single row is whole in every block: each block loads all of it.
// CHECK-LABEL: @one_row
// CHECK: tt.load %{{.*}} {ttg.shared_by_blocks} : tensor<2048x!tt.ptr<f32>>
// CHECK: "tt.scan"
// CHECK: tt.store {{.*}} {ttg.shared_by_blocks} : tensor<2048x!tt.ptr<f32>>
tt.func public @one_row(%x: !tt.ptr<f32>) {
  %i = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
  %s = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>>
  %p = tt.addptr %s, %i : tensor<2048x!tt.ptr<f32>>, tensor<2048xi32>
  %v = tt.load %p : tensor<2048x!tt.ptr<f32>>
  %t = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<2048xf32>) -> tensor<2048xf32>
  tt.store %p, %t : tensor<2048x!tt.ptr<f32>>
  tt.return
}

// -----

// A descriptor accesses parts.
// CHECK-LABEL: @descriptor
// CHECK: tt.make_tensor_descriptor {{.*}} <tensor<32x64xf16>>
// CHECK: arith.addi %arg2, %{{.*}} : i32
// CHECK: tt.descriptor_load {{.*}} -> tensor<32x64xf16>
// CHECK: tt.descriptor_store
tt.func public @descriptor(%x: !tt.ptr<f16>, %n: i32, %i: i32) {
  %c1 = arith.constant 1 : i64
  %s = arith.extsi %n : i32 to i64
  %d = tt.make_tensor_descriptor %x, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<64x64xf16>>
  %v = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
  tt.descriptor_store %d[%i, %n], %v : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// A constant with listed elements is whole in every block, and a part is extracted from it.
// CHECK-LABEL: @listed
// CHECK: %[[ALL:.*]] = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
// CHECK: %[[PART:.*]] = ttng.redistribute %[[ALL]] [-1] to [0] : tensor<4xi32> -> tensor<2xi32>
// CHECK: arith.addi %{{.*}}, %[[PART]] : tensor<2xi32>
// CHECK: tt.store {{.*}} : tensor<2x!tt.ptr<i32>>
tt.func public @listed(%x: !tt.ptr<i32>) {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %s = tt.splat %x : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
  %p = tt.addptr %s, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
  %v = tt.load %p : tensor<4x!tt.ptr<i32>>
  %r = arith.addi %v, %c : tensor<4xi32>
  tt.store %p, %r : tensor<4x!tt.ptr<i32>>
  tt.return
}

// -----

// The result of a broadcast of copies determines the needed distribution: the blocks have combined the maximum of a
// column, and need their own rows of it.
// CHECK-LABEL: @broadcast
// CHECK: ttng.redistribute {{.*}} [0] to [-1] : tensor<1x64xf32> -> tensor<2x64xf32>
// CHECK: tt.broadcast {{.*}} : tensor<1x64xf32> -> tensor<128x64xf32>
// CHECK-NOT: ttng.redistribute
tt.func public @broadcast(%x: !tt.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<256x64xf16>
  %b = arith.constant dense<2.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<256x64xf32>
  %d = tt.dot %a, %b, %zero : tensor<256x64xf16> * tensor<64x64xf16> -> tensor<256x64xf32>
  %m = "tt.reduce"(%d) <{axis = 0 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %c = arith.maxnumf %u, %v : f32
    tt.reduce.return %c : f32
  }) : (tensor<256x64xf32>) -> tensor<64xf32>
  %e = tt.expand_dims %m {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
  %w = tt.broadcast %e : tensor<1x64xf32> -> tensor<256x64xf32>
  %r = arith.subf %d, %w : tensor<256x64xf32>
  %s = tt.splat %x : !tt.ptr<f32> -> tensor<256x64x!tt.ptr<f32>>
  tt.store %s, %r : tensor<256x64x!tt.ptr<f32>>
  tt.return
}
