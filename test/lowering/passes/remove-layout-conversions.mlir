// RUN: tcc-opt %s --tritongpu-remove-layout-conversions --canonicalize | FileCheck %s

#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#row = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#boxes = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#col = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>

// CHECK-DAG: [[WIDE:#.*]] = #ttg.blocked<{sizePerThread = [4],
// CHECK-DAG: [[COL:#.*]] = #ttg.blocked<{sizePerThread = [4, 1],
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Forward: values computed from a load take its layout, through arithmetic and reductions. Backward: pointers and masks
// are computed in the layout of the access.
// CHECK-LABEL: @straight
// CHECK-NOT: convert_layout
// CHECK: "tt.reduce"
// CHECK: (tensor<1024xf32, [[WIDE]]>) -> f32
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func public @straight(%p: !tt.ptr<f32>) {
  %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #one>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #one>
  %a = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>, #one>, tensor<1024xi32, #one>
  %aw = ttg.convert_layout %a : tensor<1024x!tt.ptr<f32>, #one> -> tensor<1024x!tt.ptr<f32>, #wide>
  %vw = tt.load %aw : tensor<1024x!tt.ptr<f32>, #wide>
  %v = ttg.convert_layout %vw : tensor<1024xf32, #wide> -> tensor<1024xf32, #one>
  %e = math.exp %v : tensor<1024xf32, #one>
  %m = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tt.reduce.return %z : f32
  }) : (tensor<1024xf32, #one>) -> f32
  %ms = tt.splat %m : f32 -> tensor<1024xf32, #one>
  %d = arith.divf %e, %ms : tensor<1024xf32, #one>
  %dw = ttg.convert_layout %d : tensor<1024xf32, #one> -> tensor<1024xf32, #wide>
  tt.store %aw, %dw : tensor<1024x!tt.ptr<f32>, #wide>
  tt.return
}

// A loop-carried pointer changes its layout permanently.
// CHECK-LABEL: @loop
// CHECK: scf.for {{.*}} -> (tensor<1024x!tt.ptr<f32>, [[WIDE]]>, tensor<1024xf32, [[WIDE]]>)
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func public @loop(%p: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %step = arith.constant dense<1024> : tensor<1024xi32, #one>
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #one>
  %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #one>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #one>
  %a = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>, #one>, tensor<1024xi32, #one>
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %a, %t = %zero) -> (tensor<1024x!tt.ptr<f32>, #one>, tensor<1024xf32, #one>) : i32 {
    %qw = ttg.convert_layout %q : tensor<1024x!tt.ptr<f32>, #one> -> tensor<1024x!tt.ptr<f32>, #wide>
    %vw = tt.load %qw : tensor<1024x!tt.ptr<f32>, #wide>
    %v = ttg.convert_layout %vw : tensor<1024xf32, #wide> -> tensor<1024xf32, #one>
    %u = arith.addf %t, %v : tensor<1024xf32, #one>
    %next = tt.addptr %q, %step : tensor<1024x!tt.ptr<f32>, #one>, tensor<1024xi32, #one>
    scf.yield %next, %u : tensor<1024x!tt.ptr<f32>, #one>, tensor<1024xf32, #one>
  }
  %aw = ttg.convert_layout %a : tensor<1024x!tt.ptr<f32>, #one> -> tensor<1024x!tt.ptr<f32>, #wide>
  %tw = ttg.convert_layout %l#1 : tensor<1024xf32, #one> -> tensor<1024xf32, #wide>
  tt.store %aw, %tw : tensor<1024x!tt.ptr<f32>, #wide>
  tt.return
}

// So do the results of an scf.if and the loop-carried values of a while loop.
// CHECK-LABEL: @branches
// CHECK: scf.if %{{.*}} -> (tensor<1024xf32, [[WIDE]]>)
// CHECK: scf.while {{.*}} : (tensor<1024xf32, [[WIDE]]>) -> tensor<1024xf32, [[WIDE]]>
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func public @branches(%p: !tt.ptr<f32>, %c: i1) {
  %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #wide>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #wide>
  %a = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>, #wide>, tensor<1024xi32, #wide>
  %vw = tt.load %a : tensor<1024x!tt.ptr<f32>, #wide>
  %v = ttg.convert_layout %vw : tensor<1024xf32, #wide> -> tensor<1024xf32, #one>
  %b = scf.if %c -> (tensor<1024xf32, #one>) {
    %n = arith.negf %v : tensor<1024xf32, #one>
    scf.yield %n : tensor<1024xf32, #one>
  } else {
    scf.yield %v : tensor<1024xf32, #one>
  }
  %w = scf.while (%t = %b) : (tensor<1024xf32, #one>) -> (tensor<1024xf32, #one>) {
    scf.condition(%c) %t : tensor<1024xf32, #one>
  } do {
  ^bb0(%t: tensor<1024xf32, #one>):
    %d = arith.addf %t, %t : tensor<1024xf32, #one>
    scf.yield %d : tensor<1024xf32, #one>
  }
  %ww = ttg.convert_layout %w : tensor<1024xf32, #one> -> tensor<1024xf32, #wide>
  tt.store %a, %ww : tensor<1024x!tt.ptr<f32>, #wide>
  tt.return
}

// Indices are computed in slices of the layouts that need them, which costs less than converting them.
// CHECK-LABEL: @slices
// CHECK: tt.make_range {{.*}} : tensor<64xi32, #ttg.slice<{dim = 1, parent = [[COL]]}>>
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func public @slices(%p: !tt.ptr<f32>, %n: i32) {
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #one>
  %ns = tt.splat %n : i32 -> tensor<64xi32, #one>
  %rem = arith.remsi %r, %ns : tensor<64xi32, #one>
  %rs = ttg.convert_layout %rem : tensor<64xi32, #one> -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #row}>>
  %e = tt.expand_dims %rs {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<64x1xi32, #row>
  %b = tt.broadcast %e : tensor<64x1xi32, #row> -> tensor<64x64xi32, #row>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #row>
  %a = tt.addptr %s, %b : tensor<64x64x!tt.ptr<f32>, #row>, tensor<64x64xi32, #row>
  %ac = ttg.convert_layout %a : tensor<64x64x!tt.ptr<f32>, #row> -> tensor<64x64x!tt.ptr<f32>, #col>
  %v = tt.load %ac : tensor<64x64x!tt.ptr<f32>, #col>
  tt.store %ac, %v : tensor<64x64x!tt.ptr<f32>, #col>
  tt.return
}

// Data that is loaded in one layout and stored in another must move, once.
// CHECK-LABEL: @unavoidable
// CHECK: math.exp %{{.*}} : tensor<1024xf32, [[WIDE]]>
// CHECK-NEXT: ttg.convert_layout
// CHECK-NOT: convert_layout
// CHECK: tt.return
tt.func public @unavoidable(%p: tensor<1024x!tt.ptr<f32>, #wide>, %q: tensor<1024x!tt.ptr<f32>, #one>) {
  %vw = tt.load %p : tensor<1024x!tt.ptr<f32>, #wide>
  %v = ttg.convert_layout %vw : tensor<1024xf32, #wide> -> tensor<1024xf32, #one>
  %e = math.exp %v : tensor<1024xf32, #one>
  tt.store %q, %e : tensor<1024x!tt.ptr<f32>, #one>
  tt.return
}

// A histogram accepts its elements and mask in any layout, if both have the same: the mask takes the layout of the
// elements.
// CHECK-LABEL: @masked_histogram
// CHECK: %[[X:.*]] = tt.load
// CHECK: tt.histogram %[[X]], %{{.*}} : tensor<1024xi32, [[L:#.*]]> -> tensor<256xi32
tt.func public @masked_histogram(%p: tensor<1024x!tt.ptr<i32>, #wide>, %m: tensor<1024xi1, #one>) -> tensor<256xi32, #one> {
  %x = tt.load %p : tensor<1024x!tt.ptr<i32>, #wide>
  %c = ttg.convert_layout %x : tensor<1024xi32, #wide> -> tensor<1024xi32, #one>
  %h = tt.histogram %c, %m : tensor<1024xi32, #one> -> tensor<256xi32, #one>
  tt.return %h : tensor<256xi32, #one>
}

// A tile can be written to shared memory from any layout.
// CHECK-LABEL: @to_memory
// CHECK-SAME: %[[X:[^ ]*]]: tensor<64x64xf16
// CHECK-NEXT: ttg.local_alloc %[[X]]
tt.func public @to_memory(%x: tensor<64x64xf16, #col>) -> !ttg.memdesc<64x64xf16, #boxes, #ttg.shared_memory> {
  %c = ttg.convert_layout %x : tensor<64x64xf16, #col> -> tensor<64x64xf16, #row>
  %m = ttg.local_alloc %c : (tensor<64x64xf16, #row>) -> !ttg.memdesc<64x64xf16, #boxes, #ttg.shared_memory>
  tt.return %m : !ttg.memdesc<64x64xf16, #boxes, #ttg.shared_memory>
}
}
