// A right operand is stored by rows: each thread loads eight adjacent rows, and then stores 16 bytes of a column at
// once. If the contracted axis of an operand is contiguous, the operand keeps its layout.
// RUN: tcc-opt %s --tritonamdgpu-in-thread-transpose | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
#x = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>
#y = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[PAIRS:.*]] = #ttg.blocked<{sizePerThread = [2, 8], threadsPerWarp = [4, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[BLOCKS:.*]] = #ttg.blocked<{sizePerThread = [8, 8], threadsPerWarp = [4, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
// CHECK-LABEL: @operands
// CHECK-DAG: tt.load %{{.*}} : tensor<128x128x!tt.ptr<f16>, #[[ROWS]]>
// CHECK-DAG: tt.load %{{.*}} : tensor<128x128x!tt.ptr<f16>, #[[BLOCKS]]>
// CHECK: tt.dot
tt.func public @operands(%pa: tensor<128x128x!tt.ptr<f16>, #b>, %pb: tensor<128x128x!tt.ptr<f16>, #b>, %c: tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma> {
  %a = tt.load %pa : tensor<128x128x!tt.ptr<f16>, #b>
  %b = tt.load %pb : tensor<128x128x!tt.ptr<f16>, #b>
  %ac = ttg.convert_layout %a : tensor<128x128xf16, #b> -> tensor<128x128xf16, #x>
  %bc = ttg.convert_layout %b : tensor<128x128xf16, #b> -> tensor<128x128xf16, #y>
  %d = tt.dot %ac, %bc, %c : tensor<128x128xf16, #x> * tensor<128x128xf16, #y> -> tensor<128x128xf32, #mma>
  tt.return %d : tensor<128x128xf32, #mma>
}

// Through an elementwise operation and a transposition: here the left operand is the one stored across its contracted
// axis. Rows of which a thread has two only give it two neighbours.
// CHECK-LABEL: @transposed
// CHECK: tt.load %{{.*}} : tensor<32x128x!tt.ptr<f16>, #[[PAIRS]]>
// CHECK: tt.trans
tt.func public @transposed(%pa: tensor<32x128x!tt.ptr<f16>, #b>, %b: tensor<32x128xf16, #y>, %c: tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma> {
  %a = tt.load %pa : tensor<32x128x!tt.ptr<f16>, #b>
  %n = arith.negf %a : tensor<32x128xf16, #b>
  %t = tt.trans %n {order = array<i32: 1, 0>} : tensor<32x128xf16, #b> -> tensor<128x32xf16, #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [16, 4], warpsPerCTA = [1, 4], order = [0, 1]}>>
  %ac = ttg.convert_layout %t : tensor<128x32xf16, #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [16, 4], warpsPerCTA = [1, 4], order = [0, 1]}>> -> tensor<128x32xf16, #x>
  %d = tt.dot %ac, %b, %c : tensor<128x32xf16, #x> * tensor<32x128xf16, #y> -> tensor<128x128xf32, #mma>
  tt.return %d : tensor<128x128xf32, #mma>
}
}
