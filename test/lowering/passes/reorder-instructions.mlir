// RUN: tcc-opt %s --tritongpu-reorder-instructions | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#l = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#d = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// The operand of the dot is converted right before it. The conversion for the store stays, since its result takes no
// more registers than its source.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @f
// CHECK: ttg.convert_layout %arg0 : {{.*}} -> tensor<64x64xf32, #blocked1>
// CHECK-NEXT: math.exp
// CHECK-NEXT: ttg.convert_layout %arg0 : {{.*}} -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0
// CHECK-NEXT: tt.dot
tt.func @f(%a: tensor<64x64xf32, #b>, %b: tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #d}>>, %c: tensor<64x64xf32, #d>) -> (tensor<64x64xf32, #d>, tensor<64x64xf32, #d>) {
  %0 = ttg.convert_layout %a : tensor<64x64xf32, #b> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #d}>>
  %1 = ttg.convert_layout %a : tensor<64x64xf32, #b> -> tensor<64x64xf32, #d>
  %2 = math.exp %1 : tensor<64x64xf32, #d>
  %3 = tt.dot %0, %b, %c : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #d}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #d}>> -> tensor<64x64xf32, #d>
  tt.return %2, %3 : tensor<64x64xf32, #d>, tensor<64x64xf32, #d>
}

// A load behind a reduction that crosses warps moves in front of it, with its pointers; it joins the loads that are in
// flight.
// CHECK-LABEL: @rises
// CHECK: tt.load
// CHECK: tt.addptr
// CHECK-NEXT: tt.load
// CHECK: "tt.reduce"
// CHECK: tt.store
tt.func @rises(%x: tensor<4096x!tt.ptr<f32>, #l>, %w: tensor<4096x!tt.ptr<f32>, #l>, %r: tensor<4096xi32, #l>) {
  %0 = tt.load %x : tensor<4096x!tt.ptr<f32>, #l>
  %1 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<4096xf32, #l>) -> f32
  %2 = tt.splat %1 : f32 -> tensor<4096xf32, #l>
  %3 = tt.addptr %w, %r : tensor<4096x!tt.ptr<f32>, #l>, tensor<4096xi32, #l>
  %4 = tt.load %3 : tensor<4096x!tt.ptr<f32>, #l>
  %5 = arith.mulf %4, %2 : tensor<4096xf32, #l>
  tt.store %x, %5 : tensor<4096x!tt.ptr<f32>, #l>
  tt.return
}

// It does not move in front of a store, nor of the definition of its pointers, nor if it would take so many registers
// that fewer programs run.
// CHECK-LABEL: @stays
// CHECK: "tt.reduce"
// CHECK: tt.load
// CHECK: tt.store
// CHECK-NEXT: tt.load
// CHECK: "tt.reduce"
// CHECK: tt.load
// CHECK: tt.return
tt.func @stays(%x: tensor<4096x!tt.ptr<f32>, #l>, %w: tensor<4096x!tt.ptr<f32>, #l>, %big: tensor<16384x!tt.ptr<f32>, #l>) {
  %0 = tt.load %x : tensor<4096x!tt.ptr<f32>, #l>
  %1 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<4096xf32, #l>) -> f32
  %i = arith.fptosi %1 : f32 to i32
  %is = tt.splat %i : i32 -> tensor<4096xi32, #l>
  %p = tt.addptr %w, %is : tensor<4096x!tt.ptr<f32>, #l>, tensor<4096xi32, #l>
  %2 = tt.load %p : tensor<4096x!tt.ptr<f32>, #l>
  tt.store %x, %2 : tensor<4096x!tt.ptr<f32>, #l>
  %3 = tt.load %w : tensor<4096x!tt.ptr<f32>, #l>
  %4 = "tt.reduce"(%3) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<4096xf32, #l>) -> f32
  %5 = tt.load %big : tensor<16384x!tt.ptr<f32>, #l>
  %6 = tt.splat %4 : f32 -> tensor<16384xf32, #l>
  %7 = arith.mulf %5, %6 : tensor<16384xf32, #l>
  tt.store %big, %7 : tensor<16384x!tt.ptr<f32>, #l>
  tt.return
}
}
