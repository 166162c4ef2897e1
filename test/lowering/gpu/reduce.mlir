// Reductions stay within threads or warps as far as the layout allows.
// RUN: tcc-opt %s --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#lanes = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#warps = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// A row is in one thread: three additions, as a tree.
// CHECK-LABEL: llvm.func @in_thread
// CHECK-COUNT-3: llvm.fadd
// CHECK-NOT: llvm.fadd
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
tt.func public @in_thread(%p: !tt.ptr<f32>) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x4x!tt.ptr<f32>, #rows>
  %v = tt.load %s : tensor<128x4x!tt.ptr<f32>, #rows>
  %r = "tt.reduce"(%v) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %m: f32):
    %z = arith.addf %l, %m : f32
    tt.reduce.return %z : f32
  }) : (tensor<128x4xf32, #rows>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
  %t = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #rows}>>
  tt.store %t, %r : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #rows}>>
  tt.return
}

// Products are added in a chain of fused multiply-adds.
// CHECK-LABEL: llvm.func @products
// CHECK: %[[A:.*]] = llvm.fmul
// CHECK: %[[B:.*]] = llvm.fmul
// CHECK: %[[C:.*]] = llvm.fmul
// CHECK: %[[D:.*]] = llvm.fmul
// CHECK: %[[AB:.*]] = llvm.fadd %[[A]], %[[B]]
// CHECK: %[[ABC:.*]] = llvm.fadd %[[AB]], %[[C]]
// CHECK: llvm.fadd %[[ABC]], %[[D]]
tt.func public @products(%p: !tt.ptr<f32>) {
  %c = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #rows}>>
  %e = tt.expand_dims %c {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x4xi32, #rows>
  %o = tt.broadcast %e : tensor<1x4xi32, #rows> -> tensor<128x4xi32, #rows>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<128x4x!tt.ptr<f32>, #rows>
  %s = tt.addptr %q, %o : tensor<128x4x!tt.ptr<f32>, #rows>, tensor<128x4xi32, #rows>
  %v = tt.load %s : tensor<128x4x!tt.ptr<f32>, #rows>
  %vv = arith.mulf %v, %v : tensor<128x4xf32, #rows>
  %r = "tt.reduce"(%vv) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %m: f32):
    %z = arith.addf %l, %m : f32
    tt.reduce.return %z : f32
  }) : (tensor<128x4xf32, #rows>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
  %t = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #rows}>>
  tt.store %t, %r : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #rows}>>
  tt.return
}

// A row is in eight lanes: three shuffles. Doubles are shuffled in two halves.
// CHECK-LABEL: llvm.func @in_warp
// CHECK-COUNT-6: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @in_warp(%p: !tt.ptr<f64>) {
  %s = tt.splat %p : !tt.ptr<f64> -> tensor<16x32x!tt.ptr<f64>, #lanes>
  %v = tt.load %s : tensor<16x32x!tt.ptr<f64>, #lanes>
  %r = "tt.reduce"(%v) <{axis = 1 : i32}> ({
  ^bb0(%l: f64, %m: f64):
    %z = arith.addf %l, %m : f64
    tt.reduce.return %z : f64
  }) : (tensor<16x32xf64, #lanes>) -> tensor<16xf64, #ttg.slice<{dim = 1, parent = #lanes}>>
  %t = tt.splat %p : !tt.ptr<f64> -> tensor<16x!tt.ptr<f64>, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.store %t, %r : tensor<16x!tt.ptr<f64>, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return
}

// A row is in all warps: one lane of each writes, there is one barrier, and all read four partial results at once. One
// instruction adds the integers of a whole warp.
// CHECK-LABEL: llvm.func @in_program
// CHECK-NOT: nvvm.shfl.sync
// CHECK: nvvm.redux.sync add
// CHECK: llvm.inline_asm has_side_effects {{.*}}st.shared.b32
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// CHECK-COUNT-3: llvm.add
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @in_program(%p: !tt.ptr<i32>) {
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<1x128x!tt.ptr<i32>, #warps>
  %v = tt.load %s : tensor<1x128x!tt.ptr<i32>, #warps>
  %r = "tt.reduce"(%v) <{axis = 1 : i32}> ({
  ^bb0(%l: i32, %m: i32):
    %z = arith.addi %l, %m : i32
    tt.reduce.return %z : i32
  }) : (tensor<1x128xi32, #warps>) -> tensor<1xi32, #ttg.slice<{dim = 1, parent = #warps}>>
  %t = tt.splat %p : !tt.ptr<i32> -> tensor<1x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #warps}>>
  tt.store %t, %r : tensor<1x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #warps}>>
  tt.return
}

// Narrow integers are extended as the operation requires; a part of a warp is reduced by shuffles.
// CHECK-LABEL: llvm.func @narrow
// CHECK: llvm.sext %{{.*}} : i8 to i32
// CHECK: nvvm.redux.sync min
// CHECK: llvm.trunc %{{.*}} : i32 to i8
tt.func public @narrow(%p: !tt.ptr<i8>) {
  %s = tt.splat %p : !tt.ptr<i8> -> tensor<1x128x!tt.ptr<i8>, #warps>
  %v = tt.load %s : tensor<1x128x!tt.ptr<i8>, #warps>
  %r = "tt.reduce"(%v) <{axis = 1 : i32}> ({
  ^bb0(%l: i8, %m: i8):
    %z = arith.minsi %l, %m : i8
    tt.reduce.return %z : i8
  }) : (tensor<1x128xi8, #warps>) -> tensor<1xi8, #ttg.slice<{dim = 1, parent = #warps}>>
  %t = tt.splat %p : !tt.ptr<i8> -> tensor<1x!tt.ptr<i8>, #ttg.slice<{dim = 1, parent = #warps}>>
  tt.store %t, %r : tensor<1x!tt.ptr<i8>, #ttg.slice<{dim = 1, parent = #warps}>>
  tt.return
}

// Two operands are combined together. Each lane puts its own values first, so results may differ between lanes if the
// function does not commute (here for equal keys). In the end, all lanes take the first lane's result.
// CHECK-LABEL: llvm.func @pairs
// CHECK-COUNT-2: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync bfly
// CHECK-COUNT-2: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
tt.func public @pairs(%p: !tt.ptr<f32>) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>, #lanes>
  %v = tt.load %s : tensor<16x8x!tt.ptr<f32>, #lanes>
  %k = arith.constant dense<1> : tensor<16x8xi32, #lanes>
  %r:2 = "tt.reduce"(%v, %k) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %c = arith.cmpf olt, %a, %b : f32
    %x = arith.select %c, %a, %b : f32
    %y = arith.select %c, %i, %j : i32
    tt.reduce.return %x, %y : f32, i32
  }) : (tensor<16x8xf32, #lanes>, tensor<16x8xi32, #lanes>) -> (tensor<16xf32, #ttg.slice<{dim = 1, parent = #lanes}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #lanes}>>)
  %t = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #lanes}>>
  %u = tt.addptr %t, %r#1 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #lanes}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.store %u, %r#0 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return
}
}
