// RUN: tcc-opt %s --split-input-file --tritongpu-accelerate-matmul | FileCheck %s

// On sm_90, operands go to shared memory as they lie, and warpgroups multiply; what is computed stays in registers.
// CHECK: #[[SHARED:shared]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-LABEL: @half
// CHECK: ttg.local_alloc %arg1 {{.*}} -> !ttg.memdesc<64x64xf16, #[[SHARED]], #smem>
// CHECK: ttg.convert_layout %arg0 {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
// CHECK: ttng.warp_group_dot
// Less than 64 rows, and 8-bit floats and bytes that lie by rows of another axis, are for mma.sync; sums that begin anew are not.
// CHECK-LABEL: @rows
// CHECK: tt.dot
// CHECK-LABEL: @precise
// CHECK: ttng.warp_group_dot {{.*}}maxNumImpreciseAcc = 32 : i32
// CHECK-LABEL: @bytes
// CHECK: tt.dot
// What is computed stays in registers as a left operand; its transpose, whose rows other warps have, goes to shared memory as it is.
// CHECK-LABEL: @transposed
// CHECK: %[[X:.*]] = math.exp2
// CHECK: ttng.warp_group_dot %{{.*}} : tensor<64x64xf16, #ttg.dot_op
// CHECK: %[[TILE:.*]] = ttg.local_alloc %[[X]]
// CHECK: %[[TURNED:.*]] = ttg.memdesc_trans %[[TILE]]
// CHECK: ttng.warp_group_dot %[[TURNED]]
// Rows of 16 bytes are for mma.sync, too.
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

// Code that has to run on newer GPUs has none of it.
// CHECK-LABEL: @portable
// CHECK: tt.dot
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:compute_90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @portable(%a: tensor<64x64xf16, #b>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #b>) -> tensor<64x64xf32, #b> {
  %d = tt.dot %a, %b, %c : tensor<64x64xf16, #b> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #b>
  tt.return %d : tensor<64x64xf32, #b>
}
}
