// RUN: tcc-opt %s --split-input-file --tritongpu-accelerate-matmul | FileCheck %s

// On sm_90, warp groups multiply. Loaded operands go to shared memory in the order of global memory, and computed left
// operands stay in registers.
// CHECK: #[[SHARED:shared]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-LABEL: @half
// CHECK: ttg.local_alloc %arg1 {{.*}} -> !ttg.memdesc<64x64xf16, #[[SHARED]], #smem>
// CHECK: ttg.convert_layout %arg0 {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
// CHECK: ttng.warp_group_dot
// Dots of fewer than 64 rows use mma.sync. So do, outside of loops, dots of 8-bit elements that are not contiguous
// along the contracted axis. Dots with partial sums use wgmma.
// CHECK-LABEL: @rows
// CHECK: tt.dot
// CHECK-LABEL: @precise
// CHECK: ttng.warp_group_dot {{.*}}maxNumImpreciseAcc = 32 : i32
// CHECK-LABEL: @bytes
// CHECK: tt.dot
// A computed tile stays in registers as a left operand. The transpose of such a tile has its rows in other warps, so
// the tile goes to shared memory untransposed.
// CHECK-LABEL: @transposed
// CHECK: %[[X:.*]] = math.exp2
// CHECK: ttng.warp_group_dot %{{.*}} : tensor<64x64xf16, #ttg.dot_op
// CHECK: %[[TILE:.*]] = ttg.local_alloc %[[X]]
// CHECK: %[[TURNED:.*]] = ttg.memdesc_trans %[[TILE]]
// CHECK: ttng.warp_group_dot %[[TURNED]]
// Operands with rows of 16 bytes use mma.sync, too.
// CHECK-LABEL: @narrow
// CHECK: tt.dot
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#t = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @half(%a: tensor<64x64xf16, #b>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #b>) -> tensor<64x64xf32, #b> {
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #b> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #b>
  tt.return %d : tensor<64x64xf32, #b>
}
tt.func public @rows(%a: tensor<32x64xf16, #b>, %b: tensor<64x64xf16, #b>, %c: tensor<32x64xf32, #b>) -> tensor<32x64xf32, #b> {
  %d = tt.dot %a, %b, %c : tensor<32x64xf16, #b> * tensor<64x64xf16, #b> -> tensor<32x64xf32, #b>
  tt.return %d : tensor<32x64xf32, #b>
}
tt.func public @precise(%a: tensor<64x64xf8E4M3FN, #b>, %b: tensor<64x64xf8E4M3FN, #b>, %c: tensor<64x64xf32, #b>) -> tensor<64x64xf32, #b> {
  %y = tt.trans %b {order = array<i32: 1, 0>} : tensor<64x64xf8E4M3FN, #b> -> tensor<64x64xf8E4M3FN, #t>
  %z = ttg.convert_layout %y : tensor<64x64xf8E4M3FN, #t> -> tensor<64x64xf8E4M3FN, #b>
  %d = tt.dot %a, %z, %c {maxNumImpreciseAcc = 32 : i32} : tensor<64x64xf8E4M3FN, #b> * tensor<64x64xf8E4M3FN, #b> -> tensor<64x64xf32, #b>
  tt.return %d : tensor<64x64xf32, #b>
}
tt.func public @bytes(%a: tensor<64x64xi8, #b>, %b: tensor<64x64xi8, #b>, %c: tensor<64x64xi32, #b>) -> tensor<64x64xi32, #b> {
  %d = tt.dot %a, %b, %c : tensor<64x64xi8, #b> * tensor<64x64xi8, #b> -> tensor<64x64xi32, #b>
  tt.return %d : tensor<64x64xi32, #b>
}
tt.func public @transposed(%a: tensor<64x64xf16, #b>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #b>) -> (tensor<64x64xf32, #b>, tensor<64x64xf32, #b>) {
  %x = math.exp2 %a : tensor<64x64xf16, #b>
  %d = tt.dot %x, %b, %c : tensor<64x64xf16, #b> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #b>
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x64xf16, #b> -> tensor<64x64xf16, #t>
  %y = ttg.convert_layout %t : tensor<64x64xf16, #t> -> tensor<64x64xf16, #b>
  %e = tt.dot %y, %b, %c : tensor<64x64xf16, #b> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #b>
  tt.return %d, %e : tensor<64x64xf32, #b>, tensor<64x64xf32, #b>
}
tt.func public @narrow(%a: tensor<64x64xf16, #b>, %b: tensor<64x8xf16, #b>, %c: tensor<64x8xf32, #b>) -> tensor<64x8xf32, #b> {
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #b> * tensor<64x8xf16, #b> -> tensor<64x8xf32, #b>
  tt.return %d : tensor<64x8xf32, #b>
}
}

// -----

// When a 256x128 accumulator is only stored, the pass computes the transposed product: each warp group has 64 columns
// and all rows.
// CHECK-LABEL: @high
// CHECK: scf.for {{.*}} -> (tensor<128x256xf32
// CHECK:   %[[B:.*]] = ttg.memdesc_trans {{.*}} -> !ttg.memdesc<64x256xf16
// CHECK:   %[[A:.*]] = ttg.memdesc_trans {{.*}} -> !ttg.memdesc<128x64xf16
// CHECK:   ttng.warp_group_dot %[[A]], %[[B]], {{.*}} -> tensor<128x256xf32
// CHECK: tt.trans {{.*}} {order = array<i32: 1, 0>} : tensor<128x256xf32, {{.*}} -> tensor<256x128xf32
// CHECK: tt.store
// A right operand of 32-bit or 8-bit elements that is loaded by rows becomes the left one, in registers. If the left operand is loaded by
// columns, too, mma.sync multiplies.
// CHECK-LABEL: @floats
// CHECK: scf.for {{.*}} -> (tensor<128x64xf32
// CHECK:   %[[A:.*]] = tt.load %arg0
// CHECK:   %[[B:.*]] = tt.load %arg1
// CHECK:   %[[LEFT:.*]] = tt.trans %[[B]]
// CHECK:   %[[STORED:.*]] = ttg.local_alloc %[[A]]
// CHECK:   %[[RIGHT:.*]] = ttg.memdesc_trans %[[STORED]] {{.*}} -> !ttg.memdesc<32x64xf32
// CHECK:   %[[REGISTERS:.*]] = ttg.convert_layout %[[LEFT]] {{.*}} -> tensor<128x32xf32, #ttg.dot_op<{opIdx = 0, parent = #{{.*}}, kWidth = 1}>>
// CHECK:   ttng.warp_group_dot %[[REGISTERS]], %[[RIGHT]], {{.*}} -> tensor<128x64xf32
// CHECK: tt.trans {{.*}} -> tensor<64x128xf32
// CHECK-LABEL: @floats_by_columns
// CHECK: tt.dot
// An accumulator that is reduced along its columns stays as it is.
// CHECK-LABEL: @reduced
// CHECK: ttng.warp_group_dot {{.*}} -> tensor<256x128xf32
#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 8], order = [0, 1]}>
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @high(%pa: tensor<256x64x!tt.ptr<f16>, #b>, %pb: tensor<64x128x!tt.ptr<f16>, #b>, %pc: tensor<256x128x!tt.ptr<f16>, #b>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<256x128xf32, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<256x128xf32, #b>) : i32 {
    %a = tt.load %pa : tensor<256x64x!tt.ptr<f16>, #b>
    %b = tt.load %pb : tensor<64x128x!tt.ptr<f16>, #b>
    %d = tt.dot %a, %b, %acc : tensor<256x64xf16, #b> * tensor<64x128xf16, #b> -> tensor<256x128xf32, #b>
    scf.yield %d : tensor<256x128xf32, #b>
  }
  %h = arith.truncf %r : tensor<256x128xf32, #b> to tensor<256x128xf16, #b>
  tt.store %pc, %h : tensor<256x128x!tt.ptr<f16>, #b>
  tt.return
}
tt.func public @floats(%pa: tensor<64x32x!tt.ptr<f32>, #b>, %pb: tensor<32x128x!tt.ptr<f32>, #b>, %pc: tensor<64x128x!tt.ptr<f32>, #b>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x128xf32, #b>) : i32 {
    %a = tt.load %pa : tensor<64x32x!tt.ptr<f32>, #b>
    %b = tt.load %pb : tensor<32x128x!tt.ptr<f32>, #b>
    %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<64x32xf32, #b> * tensor<32x128xf32, #b> -> tensor<64x128xf32, #b>
    scf.yield %d : tensor<64x128xf32, #b>
  }
  tt.store %pc, %r : tensor<64x128x!tt.ptr<f32>, #b>
  tt.return
}
tt.func public @floats_by_columns(%pa: tensor<64x32x!tt.ptr<f32>, #c>, %pb: tensor<32x128x!tt.ptr<f32>, #b>, %pc: tensor<64x128x!tt.ptr<f32>, #b>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x128xf32, #b>) : i32 {
    %x = tt.load %pa : tensor<64x32x!tt.ptr<f32>, #c>
    %a = ttg.convert_layout %x : tensor<64x32xf32, #c> -> tensor<64x32xf32, #b>
    %b = tt.load %pb : tensor<32x128x!tt.ptr<f32>, #b>
    %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<64x32xf32, #b> * tensor<32x128xf32, #b> -> tensor<64x128xf32, #b>
    scf.yield %d : tensor<64x128xf32, #b>
  }
  tt.store %pc, %r : tensor<64x128x!tt.ptr<f32>, #b>
  tt.return
}
tt.func public @reduced(%pa: tensor<256x64x!tt.ptr<f16>, #b>, %pb: tensor<64x128x!tt.ptr<f16>, #b>, %n: i32) -> tensor<256xf32, #ttg.slice<{dim = 1, parent = #b}>> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<256x128xf32, #b>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<256x128xf32, #b>) : i32 {
    %a = tt.load %pa : tensor<256x64x!tt.ptr<f16>, #b>
    %b = tt.load %pb : tensor<64x128x!tt.ptr<f16>, #b>
    %d = tt.dot %a, %b, %acc : tensor<256x64xf16, #b> * tensor<64x128xf16, #b> -> tensor<256x128xf32, #b>
    scf.yield %d : tensor<256x128xf32, #b>
  }
  %s = "tt.reduce"(%r) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tt.reduce.return %z : f32
  }) : (tensor<256x128xf32, #b>) -> tensor<256xf32, #ttg.slice<{dim = 1, parent = #b}>>
  tt.return %s : tensor<256xf32, #ttg.slice<{dim = 1, parent = #b}>>
}
}

// -----

// Code that must run on newer GPUs uses none of this.
// CHECK-LABEL: @portable
// CHECK: tt.dot
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:compute_90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @portable(%a: tensor<64x64xf16, #b>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #b>) -> tensor<64x64xf32, #b> {
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #b> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #b>
  tt.return %d : tensor<64x64xf32, #b>
}
}
