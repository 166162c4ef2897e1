// RUN: tcc-opt %s --split-input-file --tritongpu-accelerate-matmul | FileCheck %s

// On sm_100a, each thread holds a row of the accumulator, and a row of a computed left operand. If there are 64 rows,
// each warp has 16, and two lanes share a row; the left operand then goes to shared memory.
// CHECK-DAG: #[[HALVES:.*]] = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [0, 1]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
// CHECK-LABEL: @rows
// CHECK: %[[B:.*]] = ttg.local_alloc %arg1
// CHECK: %[[A:.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<128x64xf16, #[[ROWS]]>
// CHECK: ttng.warp_group_dot %[[A]], %[[B]], {{.*}} : tensor<128x64xf16, #[[ROWS]]> * {{.*}} -> tensor<128x64xf32, #[[ROWS]]>
// CHECK-LABEL: @halves
// CHECK-DAG: %[[B:.*]] = ttg.local_alloc %arg1
// CHECK-DAG: %[[A:.*]] = ttg.local_alloc %arg0
// CHECK: ttng.warp_group_dot %[[A]], %[[B]], {{.*}} -> tensor<64x64xf32, #[[HALVES]]>
// These dots do not use tensor memory: they have few rows, or types that tcgen05 does not multiply. Bytes are supported
// only on 100a.
// CHECK-LABEL: @few
// CHECK: tt.dot
// CHECK-LABEL: @doubles
// CHECK: tt.dot
// CHECK-LABEL: @bytes
// CHECK: ttng.warp_group_dot
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#t = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @rows(%a: tensor<128x64xf16, #b>, %b: tensor<64x64xf16, #b>, %c: tensor<128x64xf32, #b>) -> tensor<128x64xf32, #b> {
  %d = tt.dot %a, %b, %c : tensor<128x64xf16, #b> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #b>
  tt.return %d : tensor<128x64xf32, #b>
}
tt.func public @halves(%a: tensor<64x64xf16, #b>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #b>) -> tensor<64x64xf32, #b> {
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #b> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #b>
  tt.return %d : tensor<64x64xf32, #b>
}
tt.func public @few(%a: tensor<32x64xf16, #b>, %b: tensor<64x64xf16, #b>, %c: tensor<32x64xf32, #b>) -> tensor<32x64xf32, #b> {
  %d = tt.dot %a, %b, %c : tensor<32x64xf16, #b> * tensor<64x64xf16, #b> -> tensor<32x64xf32, #b>
  tt.return %d : tensor<32x64xf32, #b>
}
tt.func public @doubles(%a: tensor<64x64xf64, #b>, %b: tensor<64x64xf64, #b>, %c: tensor<64x64xf64, #b>) -> tensor<64x64xf64, #b> {
  %d = tt.dot %a, %b, %c : tensor<64x64xf64, #b> * tensor<64x64xf64, #b> -> tensor<64x64xf64, #b>
  tt.return %d : tensor<64x64xf64, #b>
}
tt.func public @bytes(%a: tensor<64x64xi8, #b>, %b: tensor<64x64xi8, #t>, %c: tensor<64x64xi32, #b>) -> tensor<64x64xi32, #b> {
  %z = ttg.convert_layout %b : tensor<64x64xi8, #t> -> tensor<64x64xi8, #b>
  %d = tt.dot %a, %z, %c : tensor<64x64xi8, #b> * tensor<64x64xi8, #b> -> tensor<64x64xi32, #b>
  tt.return %d : tensor<64x64xi32, #b>
}
}

// -----

// The chip's family has the same accumulators, but does not multiply bytes. PTX for all GPUs of 10.0 does not use
// tensor memory.
// CHECK-LABEL: @family_bytes
// CHECK: tt.dot
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#t = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100f", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @family_bytes(%a: tensor<64x64xi8, #b>, %b: tensor<64x64xi8, #t>, %c: tensor<64x64xi32, #b>) -> tensor<64x64xi32, #b> {
  %z = ttg.convert_layout %b : tensor<64x64xi8, #t> -> tensor<64x64xi8, #b>
  %d = tt.dot %a, %z, %c : tensor<64x64xi8, #b> * tensor<64x64xi8, #b> -> tensor<64x64xi32, #b>
  tt.return %d : tensor<64x64xi32, #b>
}
}

// -----

// CHECK-LABEL: @portable
// CHECK: tt.dot
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @portable(%a: tensor<64x64xf16, #b>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #b>) -> tensor<64x64xf32, #b> {
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #b> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #b>
  tt.return %d : tensor<64x64xf32, #b>
}
}

// -----

// A left operand of 512 columns would leave none for the accumulator, and goes to shared memory. One accumulator of 256
// columns and its left operand fit. Consecutive loops share their columns. An accumulator that threads could not store
// does not use tensor memory.
// CHECK-LABEL: @wide
// CHECK: ttg.local_alloc %arg1
// CHECK: ttg.local_alloc %arg0
// CHECK: ttng.warp_group_dot
// CHECK-LABEL: @full
// CHECK: ttng.warp_group_dot
// CHECK: tt.dot
// CHECK-LABEL: @in_turn
// CHECK-COUNT-3: ttng.warp_group_dot
// CHECK-LABEL: @large
// CHECK: tt.dot
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100a", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @wide(%a: tensor<128x1024xf16, #b>, %b: tensor<1024x16xf16, #b>, %c: tensor<128x16xf32, #b>) -> tensor<128x16xf32, #b> {
  %d = tt.dot %a, %b, %c : tensor<128x1024xf16, #b> * tensor<1024x16xf16, #b> -> tensor<128x16xf32, #b>
  tt.return %d : tensor<128x16xf32, #b>
}
tt.func public @full(%a: tensor<128x64xf16, #b>, %b: tensor<64x256xf16, #b>, %c: tensor<128x256xf32, #b>) -> (tensor<128x256xf32, #b>, tensor<128x256xf32, #b>) {
  %d = tt.dot %a, %b, %c : tensor<128x64xf16, #b> * tensor<64x256xf16, #b> -> tensor<128x256xf32, #b>
  %e = tt.dot %a, %b, %c : tensor<128x64xf16, #b> * tensor<64x256xf16, #b> -> tensor<128x256xf32, #b>
  tt.return %d, %e : tensor<128x256xf32, #b>, tensor<128x256xf32, #b>
}
tt.func public @in_turn(%pa: tensor<128x64x!tt.ptr<f16>, #b>, %pb: tensor<64x256x!tt.ptr<f16>, #b>, %c: tensor<128x256xf32, #b>, %n: i32) -> (tensor<128x256xf32, #b>, tensor<128x256xf32, #b>, tensor<128x256xf32, #b>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> (tensor<128x256xf32, #b>) : i32 {
    %a = tt.load %pa : tensor<128x64x!tt.ptr<f16>, #b>
    %b = tt.load %pb : tensor<64x256x!tt.ptr<f16>, #b>
    %d = tt.dot %a, %b, %sum : tensor<128x64xf16, #b> * tensor<64x256xf16, #b> -> tensor<128x256xf32, #b>
    scf.yield %d : tensor<128x256xf32, #b>
  }
  %y = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> (tensor<128x256xf32, #b>) : i32 {
    %a = tt.load %pa : tensor<128x64x!tt.ptr<f16>, #b>
    %b = tt.load %pb : tensor<64x256x!tt.ptr<f16>, #b>
    %d = tt.dot %a, %b, %sum : tensor<128x64xf16, #b> * tensor<64x256xf16, #b> -> tensor<128x256xf32, #b>
    scf.yield %d : tensor<128x256xf32, #b>
  }
  %z = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> (tensor<128x256xf32, #b>) : i32 {
    %a = tt.load %pa : tensor<128x64x!tt.ptr<f16>, #b>
    %b = tt.load %pb : tensor<64x256x!tt.ptr<f16>, #b>
    %d = tt.dot %a, %b, %sum : tensor<128x64xf16, #b> * tensor<64x256xf16, #b> -> tensor<128x256xf32, #b>
    scf.yield %d : tensor<128x256xf32, #b>
  }
  tt.return %x, %y, %z : tensor<128x256xf32, #b>, tensor<128x256xf32, #b>, tensor<128x256xf32, #b>
}
tt.func public @large(%a: tensor<256x64xf16, #b>, %b: tensor<64x256xf16, #b>, %c: tensor<256x256xf32, #b>) -> tensor<256x256xf32, #b> {
  %d = tt.dot %a, %b, %c : tensor<256x64xf16, #b> * tensor<64x256xf16, #b> -> tensor<256x256xf32, #b>
  tt.return %d : tensor<256x256xf32, #b>
}
}
