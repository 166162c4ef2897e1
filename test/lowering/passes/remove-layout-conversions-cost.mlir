// A conversion is placed where it is cheapest, and computations are duplicated where that avoids a conversion.
// RUN: tcc-opt %s --tritongpu-remove-layout-conversions --canonicalize --cse | FileCheck %s

#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#col = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>

// CHECK-DAG: [[ONE:#.*]] = #ttg.blocked<{sizePerThread = [1],
// CHECK-DAG: [[WIDE:#.*]] = #ttg.blocked<{sizePerThread = [8],
// CHECK-DAG: [[ROW:#.*]] = #ttg.blocked<{sizePerThread = [1, 4],
// CHECK-DAG: [[COL:#.*]] = #ttg.blocked<{sizePerThread = [4, 1],
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Before an extension, the conversion moves half as many bytes. The scale is computed in the new layout.
// CHECK-LABEL: @extension
// CHECK: %[[L:.*]] = tt.load
// CHECK: %[[C:.*]] = ttg.convert_layout %[[L]] : tensor<4096xf16, [[WIDE]]> -> tensor<4096xf16, [[ONE]]>
// CHECK: %[[E:.*]] = arith.extf %[[C]] : tensor<4096xf16, [[ONE]]> to tensor<4096xf32, [[ONE]]>
// CHECK: %[[M:.*]] = arith.mulf %[[E]], %{{.*}} : tensor<4096xf32, [[ONE]]>
// CHECK-NEXT: tt.store %{{.*}}, %[[M]]
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @extension(%p: tensor<4096x!tt.ptr<f16>, #wide>, %q: tensor<4096x!tt.ptr<f32>, #one>, %s: f32) {
  %scale = tt.splat %s : f32 -> tensor<4096xf32, #wide>
  %l = tt.load %p : tensor<4096x!tt.ptr<f16>, #wide>
  %e = arith.extf %l : tensor<4096xf16, #wide> to tensor<4096xf32, #wide>
  %m = arith.mulf %e, %scale : tensor<4096xf32, #wide>
  %c = ttg.convert_layout %m : tensor<4096xf32, #wide> -> tensor<4096xf32, #one>
  tt.store %q, %c : tensor<4096x!tt.ptr<f32>, #one>
  tt.return
}

// Two such operands together have as many bytes as their sum: one conversion is better than two.
// CHECK-LABEL: @two_extensions
// CHECK: %[[A:.*]] = arith.addf
// CHECK-NEXT: ttg.convert_layout %[[A]] : tensor<4096xf32, [[WIDE]]>
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @two_extensions(%p: tensor<4096x!tt.ptr<f16>, #wide>, %r: tensor<4096x!tt.ptr<f16>, #wide>, %q: tensor<4096x!tt.ptr<f32>, #one>) {
  %l = tt.load %p : tensor<4096x!tt.ptr<f16>, #wide>
  %k = tt.load %r : tensor<4096x!tt.ptr<f16>, #wide>
  %e = arith.extf %l : tensor<4096xf16, #wide> to tensor<4096xf32, #wide>
  %f = arith.extf %k : tensor<4096xf16, #wide> to tensor<4096xf32, #wide>
  %a = arith.addf %e, %f : tensor<4096xf32, #wide>
  %c = ttg.convert_layout %a : tensor<4096xf32, #wide> -> tensor<4096xf32, #one>
  tt.store %q, %c : tensor<4096x!tt.ptr<f32>, #one>
  tt.return
}

// The sum of a row is converted, not its broadcast.
// CHECK-LABEL: @broadcast
// CHECK: "tt.reduce"
// CHECK: ttg.convert_layout %{{.*}} : tensor<64x{{(1x)?}}f32, {{.*}}[[ROW]]{{.*}}[[COL]]
// CHECK: tt.broadcast %{{.*}} -> tensor<64x64xf32, [[COL]]>
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @broadcast(%p: tensor<64x64x!tt.ptr<f32>, #row>, %q: tensor<64x64x!tt.ptr<f32>, #col>) {
  %x = tt.load %p : tensor<64x64x!tt.ptr<f32>, #row>
  %m = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %z = arith.addf %a, %b : f32
    tt.reduce.return %z : f32
  }) : (tensor<64x64xf32, #row>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #row}>>
  %e = tt.expand_dims %m {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<64x1xf32, #row>
  %b = tt.broadcast %e : tensor<64x1xf32, #row> -> tensor<64x64xf32, #row>
  %c = ttg.convert_layout %b : tensor<64x64xf32, #row> -> tensor<64x64xf32, #col>
  tt.store %q, %c : tensor<64x64x!tt.ptr<f32>, #col>
  tt.return
}

// Only one of two branches converts; the other creates its constant in the wanted layout.
// CHECK-LABEL: @branch
// CHECK: scf.if %{{.*}} -> (tensor<4096xf32, [[ONE]]>) {
// CHECK:   %[[L:.*]] = tt.load
// CHECK:   %[[C:.*]] = ttg.convert_layout %[[L]]
// CHECK:   scf.yield %[[C]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %cst
// CHECK: }
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @branch(%p: tensor<4096x!tt.ptr<f32>, #wide>, %q: tensor<4096x!tt.ptr<f32>, #one>, %c: i1) {
  %zero = arith.constant dense<0.0> : tensor<4096xf32, #wide>
  %b = scf.if %c -> (tensor<4096xf32, #wide>) {
    %l = tt.load %p : tensor<4096x!tt.ptr<f32>, #wide>
    scf.yield %l : tensor<4096xf32, #wide>
  } else {
    scf.yield %zero : tensor<4096xf32, #wide>
  }
  %o = ttg.convert_layout %b : tensor<4096xf32, #wide> -> tensor<4096xf32, #one>
  tt.store %q, %o : tensor<4096x!tt.ptr<f32>, #one>
  tt.return
}

// If both load, nothing is gained.
// CHECK-LABEL: @both_branches
// CHECK: %[[B:.*]] = scf.if %{{.*}} -> (tensor<4096xf32, [[WIDE]]>) {
// CHECK: ttg.convert_layout %[[B]]
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @both_branches(%p: tensor<4096x!tt.ptr<f32>, #wide>, %r: tensor<4096x!tt.ptr<f32>, #wide>, %q: tensor<4096x!tt.ptr<f32>, #one>, %c: i1) {
  %b = scf.if %c -> (tensor<4096xf32, #wide>) {
    %l = tt.load %p : tensor<4096x!tt.ptr<f32>, #wide>
    scf.yield %l : tensor<4096xf32, #wide>
  } else {
    %l = tt.load %r : tensor<4096x!tt.ptr<f32>, #wide>
    scf.yield %l : tensor<4096xf32, #wide>
  }
  %o = ttg.convert_layout %b : tensor<4096xf32, #wide> -> tensor<4096xf32, #one>
  tt.store %q, %o : tensor<4096x!tt.ptr<f32>, #one>
  tt.return
}

// A tile that a loop stores in each iteration is converted once, before the loop.
// CHECK-LABEL: @loop
// CHECK: %[[L:.*]] = tt.load
// CHECK: %[[C:.*]] = ttg.convert_layout %[[L]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[C]]) -> (tensor<4096xf32, [[ONE]]>)
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @loop(%p: tensor<4096x!tt.ptr<f32>, #wide>, %q: tensor<4096x!tt.ptr<f32>, #one>, %s: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = tt.splat %s : f32 -> tensor<4096xf32, #wide>
  %l = tt.load %p : tensor<4096x!tt.ptr<f32>, #wide>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %l) -> (tensor<4096xf32, #wide>) : i32 {
    %o = ttg.convert_layout %t : tensor<4096xf32, #wide> -> tensor<4096xf32, #one>
    tt.store %q, %o : tensor<4096x!tt.ptr<f32>, #one>
    %u = arith.addf %t, %step : tensor<4096xf32, #wide>
    scf.yield %u : tensor<4096xf32, #wide>
  }
  tt.return
}

// This is not done if the loop would have to carry it in both layouts.
// CHECK-LABEL: @kept
// CHECK: scf.for {{.*}} -> (tensor<4096xf32, [[WIDE]]>)
// CHECK:   ttg.convert_layout
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @kept(%p: tensor<4096x!tt.ptr<f32>, #wide>, %q: tensor<4096x!tt.ptr<f32>, #one>, %s: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = tt.splat %s : f32 -> tensor<4096xf32, #wide>
  %l = tt.load %p : tensor<4096x!tt.ptr<f32>, #wide>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %l) -> (tensor<4096xf32, #wide>) : i32 {
    %o = ttg.convert_layout %t : tensor<4096xf32, #wide> -> tensor<4096xf32, #one>
    tt.store %q, %o : tensor<4096x!tt.ptr<f32>, #one>
    tt.store %p, %t : tensor<4096x!tt.ptr<f32>, #wide>
    %u = arith.addf %t, %step : tensor<4096xf32, #wide>
    scf.yield %u : tensor<4096xf32, #wide>
  }
  tt.return
}

// Transcendental functions of indices: computed in the wanted layout if that replaces the other ...
// CHECK-LABEL: @once
// CHECK: tt.make_range {{.*}} tensor<4096xi32, [[ONE]]>
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @once(%q: tensor<4096x!tt.ptr<f32>, #one>) {
  %r = tt.make_range {start = 0 : i32, end = 4096 : i32} : tensor<4096xi32, #wide>
  %f = arith.sitofp %r : tensor<4096xi32, #wide> to tensor<4096xf32, #wide>
  %s = math.sin %f : tensor<4096xf32, #wide>
  %e = math.exp %s : tensor<4096xf32, #wide>
  %c = ttg.convert_layout %e : tensor<4096xf32, #wide> -> tensor<4096xf32, #one>
  tt.store %q, %c : tensor<4096x!tt.ptr<f32>, #one>
  tt.return
}

// ... but not twice. Cheap functions are.
// CHECK-LABEL: @twice
// CHECK: math.exp %{{.*}} : tensor<4096xf32, [[WIDE]]>
// CHECK: ttg.convert_layout %{{.*}} : tensor<4096xf32, [[WIDE]]>
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @twice(%p: tensor<4096x!tt.ptr<f32>, #wide>, %q: tensor<4096x!tt.ptr<f32>, #one>, %i: tensor<4096x!tt.ptr<i32>, #one>) {
  %one = arith.constant dense<1> : tensor<4096xi32, #wide>
  %r = tt.make_range {start = 0 : i32, end = 4096 : i32} : tensor<4096xi32, #wide>
  %x = arith.xori %r, %one : tensor<4096xi32, #wide>
  %f = arith.sitofp %x : tensor<4096xi32, #wide> to tensor<4096xf32, #wide>
  %s = math.sin %f : tensor<4096xf32, #wide>
  %e = math.exp %s : tensor<4096xf32, #wide>
  tt.store %p, %e : tensor<4096x!tt.ptr<f32>, #wide>
  %c = ttg.convert_layout %e : tensor<4096xf32, #wide> -> tensor<4096xf32, #one>
  tt.store %q, %c : tensor<4096x!tt.ptr<f32>, #one>
  %d = ttg.convert_layout %x : tensor<4096xi32, #wide> -> tensor<4096xi32, #one>
  tt.store %i, %d : tensor<4096x!tt.ptr<i32>, #one>
  tt.return
}

// A load of few elements costs no more than a shuffle, so it is repeated in the wanted layout; a volatile load is not.
// CHECK-LABEL: @small
// CHECK: tt.load %{{.*}} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = [[COL]]}>>
// CHECK: %[[V:.*]] = tt.load %{{.*}} {isVolatile = true} : tensor<64x!tt.ptr<f32>, [[ONE]]>
// CHECK-NEXT: ttg.convert_layout %[[V]]
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func @small(%p: !tt.ptr<f32>, %q: tensor<64x64x!tt.ptr<f32>, #col>) {
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #one>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #one>
  %a = tt.addptr %s, %r : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
  %l = tt.load %a : tensor<64x!tt.ptr<f32>, #one>
  %v = tt.load %a {isVolatile = true} : tensor<64x!tt.ptr<f32>, #one>
  %lc = ttg.convert_layout %l : tensor<64xf32, #one> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #col}>>
  %vc = ttg.convert_layout %v : tensor<64xf32, #one> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #col}>>
  %sum = arith.addf %lc, %vc : tensor<64xf32, #ttg.slice<{dim = 1, parent = #col}>>
  %e = tt.expand_dims %sum {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #col}>> -> tensor<64x1xf32, #col>
  %b = tt.broadcast %e : tensor<64x1xf32, #col> -> tensor<64x64xf32, #col>
  tt.store %q, %b : tensor<64x64x!tt.ptr<f32>, #col>
  tt.return
}

// The loop adds up scaled products. Its own conversions come before the one behind it: the scales are converted before
// they are extended, and then the accumulator keeps the layout of the products.
// CHECK-LABEL: @scaled_products
// CHECK: scf.for {{.*}} -> (tensor<64x64xf32, [[COL]]>)
// CHECK-NOT: ttg.convert_layout {{.*}} tensor<64x64xf32
// CHECK: scf.yield
// CHECK: ttg.convert_layout %{{.*}} : tensor<64x64xf32, [[COL]]> -> tensor<64x64xf32, [[ROW]]>
// CHECK: tt.return
tt.func @scaled_products(%x: tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #col}>>, %y: tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #col}>>, %s: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #row}>>, %t: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #row}>>, %q: tensor<64x64x!tt.ptr<f32>, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32, #col>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #row>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #row>) : i32 {
    %d = tt.dot %x, %y, %none : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #col}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #col}>> -> tensor<64x64xf32, #col>
    %dc = ttg.convert_layout %d : tensor<64x64xf32, #col> -> tensor<64x64xf32, #row>
    %sl = tt.load %s : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #row}>>
    %se = tt.expand_dims %sl {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<64x1xf32, #row>
    %sb = tt.broadcast %se : tensor<64x1xf32, #row> -> tensor<64x64xf32, #row>
    %m = arith.mulf %dc, %sb : tensor<64x64xf32, #row>
    %tl = tt.load %t : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #row}>>
    %te = tt.expand_dims %tl {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x64xf32, #row>
    %tb = tt.broadcast %te : tensor<1x64xf32, #row> -> tensor<64x64xf32, #row>
    %u = arith.mulf %m, %tb : tensor<64x64xf32, #row>
    %next = arith.addf %acc, %u : tensor<64x64xf32, #row>
    scf.yield %next : tensor<64x64xf32, #row>
  }
  tt.store %q, %sum : tensor<64x64x!tt.ptr<f32>, #row>
  tt.return
}

}
