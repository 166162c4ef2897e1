// RUN: tcc-opt %s --tritongpu-assign-latencies=num-stages=4 | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#n = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#x = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#y = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// The load that the dot needs has all three iterations to arrive; the load that only the store needs stays where it is.
// CHECK-LABEL: @product
// CHECK: tt.load {{.*}} {tt.latency = 3 : i32}
// CHECK: tt.load {{.*}} {tt.latency = 3 : i32}
// CHECK: tt.load
// CHECK-NOT: tt.latency
// CHECK-NOT: tt.not_pipelined
tt.func public @product(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x32xf32, #mma>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %e = tt.expand_dims %r {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
  %ax = tt.broadcast %e : tensor<1x32xi32, #b> -> tensor<64x32xi32, #b>
  %bx = tt.broadcast %e : tensor<1x32xi32, #b> -> tensor<32x32xi32, #b>
  %sa = tt.splat %p : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #b>
  %sb = tt.splat %p : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #b>
  %pa = tt.addptr %sa, %ax : tensor<64x32x!tt.ptr<f16>, #b>, tensor<64x32xi32, #b>
  %pb = tt.addptr %sb, %bx : tensor<32x32x!tt.ptr<f16>, #b>, tensor<32x32xi32, #b>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x32xf32, #mma>) : i32 {
    %a = tt.load %pa : tensor<64x32x!tt.ptr<f16>, #b>
    %b = tt.load %pb : tensor<32x32x!tt.ptr<f16>, #b>
    %z = tt.load %q : !tt.ptr<f32>
    tt.store %q, %z : !tt.ptr<f32>
    %ac = ttg.convert_layout %a : tensor<64x32xf16, #b> -> tensor<64x32xf16, #x>
    %bc = ttg.convert_layout %b : tensor<32x32xf16, #b> -> tensor<32x32xf16, #y>
    %d = tt.dot %ac, %bc, %acc : tensor<64x32xf16, #x> * tensor<32x32xf16, #y> -> tensor<64x32xf32, #mma>
    scf.yield %d : tensor<64x32xf32, #mma>
  }
  tt.return
}

// A load whose address is loaded: each of the two loads has half of the stages.
// CHECK-LABEL: @indirect
// CHECK: tt.load {{.*}} {tt.latency = 1 : i32} : !tt.ptr<i32>
// CHECK: tt.load {{.*}} {tt.latency = 1 : i32} : tensor<64x32x
// CHECK: tt.load {{.*}} {tt.latency = 1 : i32} : tensor<32x32x
tt.func public @indirect(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x32xf32, #mma>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %e = tt.expand_dims %r {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
  %ax = tt.broadcast %e : tensor<1x32xi32, #b> -> tensor<64x32xi32, #b>
  %bx = tt.broadcast %e : tensor<1x32xi32, #b> -> tensor<32x32xi32, #b>
  %sb = tt.splat %p : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #b>
  %pb = tt.addptr %sb, %bx : tensor<32x32x!tt.ptr<f16>, #b>, tensor<32x32xi32, #b>
  %c32 = arith.constant 32 : i32
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x32xf32, #mma>) : i32 {
    %qi = tt.addptr %q, %i : !tt.ptr<i32>, i32
    %number = tt.load %qi : !tt.ptr<i32>
    %offset = arith.muli %number, %c32 : i32
    %at = tt.addptr %p, %offset : !tt.ptr<f16>, i32
    %sa = tt.splat %at : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #b>
    %pa = tt.addptr %sa, %ax : tensor<64x32x!tt.ptr<f16>, #b>, tensor<64x32xi32, #b>
    %a = tt.load %pa : tensor<64x32x!tt.ptr<f16>, #b>
    %b = tt.load %pb : tensor<32x32x!tt.ptr<f16>, #b>
    %ac = ttg.convert_layout %a : tensor<64x32xf16, #b> -> tensor<64x32xf16, #x>
    %bc = ttg.convert_layout %b : tensor<32x32xf16, #b> -> tensor<32x32xf16, #y>
    %d = tt.dot %ac, %bc, %acc : tensor<64x32xf16, #x> * tensor<32x32xf16, #y> -> tensor<64x32xf32, #mma>
    scf.yield %d : tensor<64x32xf32, #mma>
  }
  tt.return
}

// Loads that do not start early: single elements are too narrow to be copied, and a store to the same argument orders
// the other load.
// CHECK-LABEL: @not_ahead
// CHECK-NOT: tt.latency
// CHECK: tt.not_pipelined = "its loads are narrower than the 4 bytes that an asynchronous copy takes at least"
tt.func public @not_ahead(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %w: !tt.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x32xf32, #mma>
  %h = arith.constant 0.0 : f16
  %sa = tt.splat %p : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #b>
  %sb = tt.splat %w : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #n>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x32xf32, #mma>) : i32 {
    %a = tt.load %sa : tensor<64x32x!tt.ptr<f16>, #b>
    %b = tt.load %sb : tensor<32x32x!tt.ptr<f16>, #n>
    tt.store %p, %h : !tt.ptr<f16>
    %ac = ttg.convert_layout %a : tensor<64x32xf16, #b> -> tensor<64x32xf16, #x>
    %bc = ttg.convert_layout %b : tensor<32x32xf16, #n> -> tensor<32x32xf16, #y>
    %d = tt.dot %ac, %bc, %acc : tensor<64x32xf16, #x> * tensor<32x32xf16, #y> -> tensor<64x32xf32, #mma>
    scf.yield %d : tensor<64x32xf32, #mma>
  }
  tt.return
}

// A loop without a dot is pipelined only if its stages are specified.
// CHECK-LABEL: @no_product
// CHECK: tt.load
// CHECK-NOT: tt.latency
// CHECK: tt.not_pipelined = "it has no dot; tt::range(...).num_stages(n) pipelines it nevertheless"
// CHECK: tt.load {{.*}} {tt.latency = 1 : i32}
// CHECK: tt.num_stages = 2
tt.func public @no_product(%p: !tt.ptr<f32>, %n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) : i32 {
    %x = tt.load %p : !tt.ptr<f32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  %g = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) : i32 {
    %x = tt.load %p : !tt.ptr<f32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  } {tt.num_stages = 2 : i32}
  %r = arith.addf %f, %g : f32
  tt.return %r : f32
}

// A rotated loop multiplies what the previous iteration has computed. The load of that tile starts early too.
// CHECK-LABEL: @rotated
// CHECK: tt.load {{.*}} {tt.latency = 3 : i32}
// CHECK: tt.load {{.*}} {tt.latency = 3 : i32}
tt.func public @rotated(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x32xf32, #mma>
  %first = arith.constant dense<1.0> : tensor<64x32xf16, #b>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %e = tt.expand_dims %r {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
  %ax = tt.broadcast %e : tensor<1x32xi32, #b> -> tensor<64x32xi32, #b>
  %bx = tt.broadcast %e : tensor<1x32xi32, #b> -> tensor<32x32xi32, #b>
  %sa = tt.splat %p : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #b>
  %sb = tt.splat %p : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #b>
  %pa = tt.addptr %sa, %ax : tensor<64x32x!tt.ptr<f16>, #b>, tensor<64x32xi32, #b>
  %pb = tt.addptr %sb, %bx : tensor<32x32x!tt.ptr<f16>, #b>, tensor<32x32xi32, #b>
  %f:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c, %last = %first) -> (tensor<64x32xf32, #mma>, tensor<64x32xf16, #b>) : i32 {
    %a = tt.load %pa : tensor<64x32x!tt.ptr<f16>, #b>
    %next = math.exp %a : tensor<64x32xf16, #b>
    %b = tt.load %pb : tensor<32x32x!tt.ptr<f16>, #b>
    %ac = ttg.convert_layout %last : tensor<64x32xf16, #b> -> tensor<64x32xf16, #x>
    %bc = ttg.convert_layout %b : tensor<32x32xf16, #b> -> tensor<32x32xf16, #y>
    %d = tt.dot %ac, %bc, %acc : tensor<64x32xf16, #x> * tensor<32x32xf16, #y> -> tensor<64x32xf32, #mma>
    scf.yield %d, %next : tensor<64x32xf32, #mma>, tensor<64x32xf16, #b>
  }
  tt.return
}

}
