// The distribution of a tile over the thread blocks of a program: the encodings print as in Triton 3.6.
// RUN: tcc-opt %s | tcc-opt | FileCheck %s

// CHECK-DAG: #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[}}0, 1], [1, 0]]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1], [1, 0]]}>
// The syntax before Triton 3.6 gives the same, since the last axis varies fastest; and an axis that is shared by two of
// four blocks.
#before = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CTAsPerCGA = [2, 2], CTASplitNum = [2, 2], CTAOrder = [1, 0]}>
// CHECK-DAG: #blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[}}0, 0], [1, 0]]}>
#shares = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CTAsPerCGA = [2, 2], CTASplitNum = [2, 1], CTAOrder = [1, 0]}>
// CHECK-DAG: #mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = {{\[\[}}0, 1], [1, 0]], instrShape = [16, 64, 16]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = [[0, 1], [1, 0]], instrShape = [16, 64, 16]}>
// CHECK-DAG: #linear = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = {{\[\[}}4, 0], [8, 0]], block = {{\[\[}}16, 0], [0, 0]]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = [[16, 0], [0, 0]]}>
// CHECK-DAG: #[[NVMMA:shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = {{\[\[}}0, 0], [1, 0]]}>
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0], [1, 0]]}>
// CHECK-DAG: #[[TRANS:shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16, CGALayout = {{\[\[}}0, 0], [0, 1]]}>
#trans = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16, CGALayout = [[0, 0], [0, 1]]}>
// With several axes, these fields specify the number of blocks along each.
// CHECK-DAG: #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = {{\[\[}}0, 1, 0], [1, 0, 0]]}>
#batch = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1, 0], [1, 0, 0]], rank = 3}>
// CHECK-DAG: #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], CGALayout = {{\[\[}}0, 1], [0, 2]]}>
#swizzled = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], CGALayout = [[0, 1], [0, 2]]}>
// CHECK-DAG: #ttg.padded_shared<[4:+4] {offset = {{\[\[}}0, 1], [1, 0], [2, 0]], block = {{\[\[}}0, 2], [0, 0]]}>
#padded = #ttg.padded_shared<[4:+4] {offset = [[0, 1], [1, 0], [2, 0]], block = [[0, 2], [0, 0]]}>
// CHECK-DAG: #ttg.shared_linear<{offset = {{\[\[}}0, 1], [1, 0], [2, 0]], block = {{\[\[}}0, 2], [0, 0]]}, alignment = 16>
#in_order = #ttg.shared_linear<{offset = [[0, 1], [1, 0], [2, 0]], block = [[0, 2], [0, 0]]}, alignment = 16>
#turned = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1], CGALayout = [[1, 0], [0, 1]]}>
#cut = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [1, 2, 16], warpsPerCTA = [1, 4, 1], order = [2, 1, 0], CGALayout = [[0, 0, 1], [1, 0, 0]]}>
#smem = #ttg.shared_memory

module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @f
  // CHECK-SAME: tensor<64x64xf16, #blocked>, %{{.*}}: tensor<64x64xf16, #blocked1>, %{{.*}}: tensor<128x128xf32, #mma>
  // CHECK-SAME: tensor<32x32xf16, #linear>, %{{.*}}: tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  // CHECK-SAME: tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  tt.func public @f(%a: tensor<64x64xf16, #before>, %b: tensor<64x64xf16, #shares>, %c: tensor<128x128xf32, #mma>,
                    %d: tensor<32x32xf16, #linear>, %e: tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>,
                    %f: tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>,
                    %g: !ttg.memdesc<3x128x64xf16, #nvmma, #smem, mutable>, %h: !ttg.memdesc<4x128x64xf16, #batch, #smem, mutable>,
                    %i: !ttg.memdesc<64x64xf16, #swizzled, #smem, mutable>, %j: !ttg.memdesc<4x4xf16, #padded, #smem, mutable>,
                    %k: !ttg.memdesc<4x4xf16, #in_order, #smem, mutable>) {
    // CHECK: ttg.memdesc_trans %{{.*}} : !ttg.memdesc<3x128x64xf16, #[[NVMMA]], #smem, mutable> -> !ttg.memdesc<3x64x128xf16, #[[TRANS]], #smem, mutable>
    %0 = ttg.memdesc_trans %g {order = array<i32: 0, 2, 1>} : !ttg.memdesc<3x128x64xf16, #nvmma, #smem, mutable> -> !ttg.memdesc<3x64x128xf16, #trans, #smem, mutable>
    // Renamed axes keep their blocks.
    // CHECK: tt.trans %{{.*}} -> tensor<64x64xf16, #[[TURNED:blocked[0-9]+]]>
    // CHECK: tt.reshape %{{.*}} -> tensor<2x32x64xf16, #{{.*}}>
    %1 = tt.trans %a {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #turned>
    %2 = tt.reshape %a : tensor<64x64xf16, #blocked> -> tensor<2x32x64xf16, #cut>
    tt.return
  }
}
