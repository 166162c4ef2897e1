// A conversion uses the cheapest means that suffices: registers, then shuffles, then shared memory.
// RUN: tcc-opt %s --allocate-shared-memory --tritongpu-membar --convert-triton-gpu-to-llvm | FileCheck %s

#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#two = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#col = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#lanes = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#pairs = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#across = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>
#quads = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#moved = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [0, 1]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// The same elements in the same threads with other register numbers: no code at all.
// CHECK-LABEL: llvm.func @registers
// CHECK-NOT: nvvm.shfl
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @registers(%p: !tt.ptr<f32>, %x: f32) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x4x!tt.ptr<f32>, #lanes>
  %v = tt.load %s {isVolatile = true} : tensor<128x4x!tt.ptr<f32>, #lanes>
  %c = ttg.convert_layout %v : tensor<128x4xf32, #lanes> -> tensor<128x4xf32, #turned>
  %t = tt.splat %p : !tt.ptr<f32> -> tensor<128x4x!tt.ptr<f32>, #turned>
  tt.store %t, %c : tensor<128x4x!tt.ptr<f32>, #turned>
  tt.return
}

// Within warps, with two registers, either of which a lane may need from another. A lane first renames them, so that
// each lane is asked for one register at a time, and renames them back afterwards.
// CHECK-LABEL: llvm.func @shuffles
// CHECK-COUNT-2: llvm.select
// CHECK-COUNT-2: nvvm.shfl.sync idx
// CHECK-COUNT-2: llvm.select
// CHECK-NOT: nvvm.shfl
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @shuffles(%p: !tt.ptr<f32>) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x2x!tt.ptr<f32>, #pairs>
  %v = tt.load %s {isVolatile = true} : tensor<128x2x!tt.ptr<f32>, #pairs>
  %c = ttg.convert_layout %v : tensor<128x2xf32, #pairs> -> tensor<128x2xf32, #across>
  %t = tt.splat %p : !tt.ptr<f32> -> tensor<128x2x!tt.ptr<f32>, #across>
  tt.store %t, %c : tensor<128x2x!tt.ptr<f32>, #across>
  tt.return
}

// Across warps. Both sides could access four elements at once, and one of them does. Registers are at constant offsets
// from a few addresses, which differ by XOR.
// CHECK-LABEL: llvm.func @shared
// CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK-NOT: llvm.store %{{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK-COUNT-8: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<1xf32>
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @shared(%p: !tt.ptr<f32>) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #row>
  %v = tt.load %s {isVolatile = true} : tensor<32x32x!tt.ptr<f32>, #row>
  %c = ttg.convert_layout %v : tensor<32x32xf32, #row> -> tensor<32x32xf32, #col>
  %t = tt.splat %p : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #col>
  tt.store %t, %c : tensor<32x32x!tt.ptr<f32>, #col>
  tt.return
}

// Bools take a byte in memory.
// CHECK-LABEL: llvm.func @bools
// CHECK: llvm.store %{{.*}} : vector<8xi8>, !llvm.ptr<3>
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<1xi8>
tt.func public @bools(%p: !tt.ptr<i1>) {
  %s = tt.splat %p : !tt.ptr<i1> -> tensor<32x32x!tt.ptr<i1>, #row>
  %v = tt.load %s {isVolatile = true} : tensor<32x32x!tt.ptr<i1>, #row>
  %c = ttg.convert_layout %v : tensor<32x32xi1, #row> -> tensor<32x32xi1, #col>
  %t = tt.splat %p : !tt.ptr<i1> -> tensor<32x32x!tt.ptr<i1>, #col>
  tt.store %t, %c : tensor<32x32x!tt.ptr<i1>, #col>
  tt.return
}

// Two halves share a word.
// CHECK-LABEL: llvm.func @halves
// CHECK-COUNT-2: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
tt.func public @halves(%p: !tt.ptr<f16>) {
  %s = tt.splat %p : !tt.ptr<f16> -> tensor<32x16x!tt.ptr<f16>, #quads>
  %v = tt.load %s {isVolatile = true} : tensor<32x16x!tt.ptr<f16>, #quads>
  %c = ttg.convert_layout %v : tensor<32x16xf16, #quads> -> tensor<32x16xf16, #moved>
  %t = tt.splat %p : !tt.ptr<f16> -> tensor<32x16x!tt.ptr<f16>, #moved>
  tt.store %t, %c : tensor<32x16x!tt.ptr<f16>, #moved>
  tt.return
}

// A tile larger than 32 KiB is converted in rounds, each of which waits for the previous one.
// CHECK-LABEL: llvm.func @rounds
// CHECK-COUNT-3: nvvm.barrier0
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @rounds(%p: !tt.ptr<f64>) {
  %s = tt.splat %p : !tt.ptr<f64> -> tensor<64x128x!tt.ptr<f64>, #row>
  %v = tt.load %s {isVolatile = true} : tensor<64x128x!tt.ptr<f64>, #row>
  %c = ttg.convert_layout %v : tensor<64x128xf64, #row> -> tensor<64x128xf64, #col>
  %t = tt.splat %p : !tt.ptr<f64> -> tensor<64x128x!tt.ptr<f64>, #col>
  tt.store %t, %c : tensor<64x128x!tt.ptr<f64>, #col>
  tt.return
}

// A reshape is a conversion between the layouts of two shapes; this one keeps every element in place.
// CHECK-LABEL: llvm.func @reshape
// CHECK-NOT: nvvm.shfl
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tt.func public @reshape(%p: !tt.ptr<f32>) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x2x!tt.ptr<f32>, #pairs>
  %v = tt.load %s {isVolatile = true} : tensor<128x2x!tt.ptr<f32>, #pairs>
  %c = tt.reshape %v : tensor<128x2xf32, #pairs> -> tensor<256xf32, #two>
  %t = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #two>
  tt.store %t, %c : tensor<256x!tt.ptr<f32>, #two>
  tt.return
}
}
