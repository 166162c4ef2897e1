// The rows of attention's tiles are halved, and each half runs as a program of its own. Both dots, and the reductions
// between them, have half of the rows. All keys and values stay.
// RUN: tcc-opt %s --tritongpu-divide-tiles=chains --canonicalize --cse | FileCheck %s

// CHECK-LABEL: tt.func public @attention
// CHECK-DAG: %[[PROGRAM:.*]] = tt.get_program_id x
// CHECK-DAG: arith.andi %[[PROGRAM]], %c1_i32
// CHECK-DAG: arith.shrui %[[PROGRAM]], %c1_i32
// CHECK: tt.load {{.*}} : tensor<64x32x!tt.ptr<f16>>
// CHECK: scf.for {{.*}} -> (tensor<64x32xf32>, tensor<64xf32>)
// CHECK:   tt.load {{.*}} : tensor<32x128x!tt.ptr<f16>>
// CHECK:   tt.dot {{.*}} -> tensor<64x128xf32>
// CHECK:   (tensor<64x128xf32>) -> tensor<64xf32>
// CHECK:   tt.load {{.*}} : tensor<128x32x!tt.ptr<f16>>
// CHECK:   tt.dot {{.*}} -> tensor<64x32xf32>
// CHECK: tt.store {{.*}} : tensor<64x32x!tt.ptr<f32>>
// CHECK-NOT: ttng.
tt.func public @attention(%q: !tt.ptr<f16>, %k: !tt.ptr<f16>, %v: !tt.ptr<f16>, %out: !tt.ptr<f32>, %n: i32) {
  %zeroScores = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %zero = arith.constant dense<0.000000e+00> : tensor<128x32xf32>
  %zeroSums = arith.constant dense<0.000000e+00> : tensor<128xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %id = tt.get_program_id x : i32
  %first = arith.muli %id, %c128 : i32
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %d = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %firsts = tt.splat %first : i32 -> tensor<128xi32>
  %m = arith.addi %firsts, %r : tensor<128xi32>
  %width = tt.splat %c32 : i32 -> tensor<128x1xi32>
  %mColumn = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %mStarts = arith.muli %mColumn, %width : tensor<128x1xi32>
  %mAll = tt.broadcast %mStarts : tensor<128x1xi32> -> tensor<128x32xi32>
  %dRow = tt.expand_dims %d {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %dAll = tt.broadcast %dRow : tensor<1x32xi32> -> tensor<128x32xi32>
  %offsets = arith.addi %mAll, %dAll : tensor<128x32xi32>
  %qs = tt.splat %q : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>>
  %pq = tt.addptr %qs, %offsets : tensor<128x32x!tt.ptr<f16>>, tensor<128x32xi32>
  %queries = tt.load %pq : tensor<128x32x!tt.ptr<f16>>
  %rColumn = tt.expand_dims %r {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %rStarts = arith.muli %rColumn, %width : tensor<128x1xi32>
  %rAll = tt.broadcast %rStarts : tensor<128x1xi32> -> tensor<128x32xi32>
  %offsetsV = arith.addi %rAll, %dAll : tensor<128x32xi32>
  %result:2 = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero, %sums = %zeroSums) -> (tensor<128x32xf32>, tensor<128xf32>) : i32 {
    %start = arith.muli %i, %c32 : i32
    %ks = tt.addptr %k, %start : !tt.ptr<f16>, i32
    %kAll = tt.splat %ks : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>>
    %pk = tt.addptr %kAll, %offsetsV : tensor<128x32x!tt.ptr<f16>>, tensor<128x32xi32>
    %pkT = tt.trans %pk {order = array<i32: 1, 0>} : tensor<128x32x!tt.ptr<f16>> -> tensor<32x128x!tt.ptr<f16>>
    %keys = tt.load %pkT : tensor<32x128x!tt.ptr<f16>>
    %scores = tt.dot %queries, %keys, %zeroScores : tensor<128x32xf16> * tensor<32x128xf16> -> tensor<128x128xf32>
    %p = math.exp2 %scores : tensor<128x128xf32>
    %sum = "tt.reduce"(%p) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<128x128xf32>) -> tensor<128xf32>
    %next = arith.addf %sums, %sum : tensor<128xf32>
    %vs = tt.addptr %v, %start : !tt.ptr<f16>, i32
    %vAll = tt.splat %vs : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>>
    %pv = tt.addptr %vAll, %offsetsV : tensor<128x32x!tt.ptr<f16>>, tensor<128x32xi32>
    %values = tt.load %pv : tensor<128x32x!tt.ptr<f16>>
    %half = arith.truncf %p : tensor<128x128xf32> to tensor<128x128xf16>
    %dot = tt.dot %half, %values, %acc : tensor<128x128xf16> * tensor<128x32xf16> -> tensor<128x32xf32>
    scf.yield %dot, %next : tensor<128x32xf32>, tensor<128xf32>
  }
  %column = tt.expand_dims %result#1 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
  %columns = tt.broadcast %column : tensor<128x1xf32> -> tensor<128x32xf32>
  %quotient = arith.divf %result#0, %columns : tensor<128x32xf32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<128x32x!tt.ptr<f32>>
  %po = tt.addptr %outs, %offsets : tensor<128x32x!tt.ptr<f32>>, tensor<128x32xi32>
  tt.store %po, %quotient : tensor<128x32x!tt.ptr<f32>>
  tt.return
}
