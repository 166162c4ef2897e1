// A gather uses the cheapest means that suffices: exchanges of registers and lanes, shuffles, or shared memory.
// RUN: tcc-opt %s --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s

#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#across = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Neighbours in one thread are exchanged, without any code.
// CHECK-LABEL: llvm.func @in_thread
// CHECK-NOT: nvvm.shfl
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @in_thread(%p: !tt.ptr<f32>) {
  %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #four>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
  %a = tt.addptr %s, %r : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
  %x = tt.load %a : tensor<512x!tt.ptr<f32>, #four>
  %c = arith.constant dense<1> : tensor<512xi32, #four>
  %i = arith.xori %r, %c : tensor<512xi32, #four>
  %g = tt.gather %x[%i] {axis = 0 : i32} : (tensor<512xf32, #four>, tensor<512xi32, #four>) -> tensor<512xf32, #four>
  tt.store %a, %g : tensor<512x!tt.ptr<f32>, #four>
  tt.return
}

// A flip within the warp: one shuffle with the lane 31 - n for each register.
// CHECK-LABEL: llvm.func @in_warp
// CHECK: %[[MASK:.*]] = llvm.mlir.constant(31 : i32)
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @in_warp(%p: !tt.ptr<f32>) {
  %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #four>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
  %a = tt.addptr %s, %r : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
  %x = tt.load %a : tensor<512x!tt.ptr<f32>, #four>
  %c = arith.constant dense<127> : tensor<512xi32, #four>
  %i = arith.xori %r, %c : tensor<512xi32, #four>
  %g = tt.gather %x[%i] {axis = 0 : i32} : (tensor<512xf32, #four>, tensor<512xi32, #four>) -> tensor<512xf32, #four>
  tt.store %a, %g : tensor<512x!tt.ptr<f32>, #four>
  tt.return
}

// Between warps it uses shared memory: a store, a barrier, a load.
// CHECK-LABEL: llvm.func @across_warps
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @across_warps(%p: !tt.ptr<f32>) {
  %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
  %a = tt.addptr %s, %r : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
  %x = tt.load %a : tensor<128x!tt.ptr<f32>, #one>
  %c = arith.constant dense<64> : tensor<128xi32, #one>
  %i = arith.xori %r, %c : tensor<128xi32, #one>
  %g = tt.gather %x[%i] {axis = 0 : i32} : (tensor<128xf32, #one>, tensor<128xi32, #one>) -> tensor<128xf32, #one>
  tt.store %a, %g : tensor<128x!tt.ptr<f32>, #one>
  tt.return
}

// An unknown index into a row that a warp holds in one register of each lane: one shuffle from the indexed lane.
// CHECK-LABEL: llvm.func @any_in_warp
// CHECK-COUNT-1: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @any_in_warp(%x: f32, %p: !tt.ptr<i32>) {
  %v = tt.splat %x : f32 -> tensor<4x32xf32, #rows>
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<4x32x!tt.ptr<i32>, #rows>
  %i = tt.load %s : tensor<4x32x!tt.ptr<i32>, #rows>
  %g = tt.gather %v[%i] {axis = 1 : i32} : (tensor<4x32xf32, #rows>, tensor<4x32xi32, #rows>) -> tensor<4x32xf32, #rows>
  %n = arith.fptosi %g : tensor<4x32xf32, #rows> to tensor<4x32xi32, #rows>
  tt.store %s, %n : tensor<4x32x!tt.ptr<i32>, #rows>
  tt.return
}

// An unknown index into a column, whose rows are in other warps.
// CHECK-LABEL: llvm.func @any
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> f32
tt.func public @any(%x: f32, %p: !tt.ptr<i32>) {
  %v = tt.splat %x : f32 -> tensor<4x32xf32, #rows>
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<4x32x!tt.ptr<i32>, #rows>
  %i = tt.load %s : tensor<4x32x!tt.ptr<i32>, #rows>
  %g = tt.gather %v[%i] {axis = 0 : i32} : (tensor<4x32xf32, #rows>, tensor<4x32xi32, #rows>) -> tensor<4x32xf32, #rows>
  %n = arith.fptosi %g : tensor<4x32xf32, #rows> to tensor<4x32xi32, #rows>
  tt.store %s, %n : tensor<4x32x!tt.ptr<i32>, #rows>
  tt.return
}

// Bins in shared memory: they are cleared, incremented by one of the threads that hold copies, and read.
// CHECK-LABEL: llvm.func @histogram
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK-COUNT-1: llvm.atomicrmw add {{.*}} monotonic : !llvm.ptr<3>, i32
// CHECK-NOT: llvm.atomicrmw
// CHECK: nvvm.barrier0
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> i32
tt.func public @histogram(%p: !tt.ptr<i32>) {
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #one>
  %x = tt.load %s : tensor<64x!tt.ptr<i32>, #one>
  %h = tt.histogram %x : tensor<64xi32, #one> -> tensor<128xi32, #one>
  %t = tt.splat %p : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #one>
  tt.store %t, %h : tensor<128x!tt.ptr<i32>, #one>
  tt.return
}

// A join, a transposition and a split of elements of one thread: no code.
// CHECK-LABEL: llvm.func @renamed
// CHECK-NOT: nvvm.shfl
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @renamed(%p: !tt.ptr<f32>) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
  %x = tt.load %s : tensor<128x!tt.ptr<f32>, #one>
  %j = tt.join %x, %x : tensor<128xf32, #one> -> tensor<128x2xf32, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>>
  %t = tt.trans %j {order = array<i32: 1, 0>} : tensor<128x2xf32, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>> -> tensor<2x128xf32, #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [0, 1]}>>
  %u = tt.trans %t {order = array<i32: 1, 0>} : tensor<2x128xf32, #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [0, 1]}>> -> tensor<128x2xf32, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>>
  %l, %r = tt.split %u : tensor<128x2xf32, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>> -> tensor<128xf32, #one>
  %d = arith.subf %l, %r : tensor<128xf32, #one>
  tt.store %s, %d : tensor<128x!tt.ptr<f32>, #one>
  tt.return
}


// Too many shuffles would be needed: each warp stores and loads its own elements, the rows of two registers at a time,
// and waits only for itself. All warps wait where the same memory is reused for elements of other warps.
// CHECK-LABEL: llvm.func @any_in_rounds
// CHECK-COUNT-8: llvm.store {{.*}} !llvm.ptr<3>
// CHECK-NOT: llvm.store
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-8: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-8: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-8: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK: nvvm.barrier0
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load {{.*}} !llvm.ptr<3>
// CHECK: llvm.return
tt.func public @any_in_rounds(%x: f32, %p: !tt.ptr<i32>) {
  %v = tt.splat %x : f32 -> tensor<32x64xf32, #wide>
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<32x64x!tt.ptr<i32>, #wide>
  %i = tt.load %s : tensor<32x64x!tt.ptr<i32>, #wide>
  %g = tt.gather %v[%i] {axis = 1 : i32} : (tensor<32x64xf32, #wide>, tensor<32x64xi32, #wide>) -> tensor<32x64xf32, #wide>
  %n = arith.fptosi %g : tensor<32x64xf32, #wide> to tensor<32x64xi32, #wide>
  %m = ttg.convert_layout %n : tensor<32x64xi32, #wide> -> tensor<32x64xi32, #across>
  %q = tt.splat %p : !tt.ptr<i32> -> tensor<32x64x!tt.ptr<i32>, #across>
  tt.store %q, %m : tensor<32x64x!tt.ptr<i32>, #across>
  tt.return
}
}
