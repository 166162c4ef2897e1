// RUN: tcc-opt %s --triton-nvidia-tma-lowering --verify-diagnostics --split-input-file

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#block = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 4}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

tt.func @held(%map: !tt.tensordesc<tensor<1x1x64x64xf16, #block>>, %i: i32) -> tensor<64x64xf16, #b> attributes {ttng.tensor_maps = [{}]} {
  // expected-error @+1 {{loads to registers, which is not supported; operands of warp group dots are}}
  %x = tt.descriptor_load %map[%i, %i, %i, %i] : !tt.tensordesc<tensor<1x1x64x64xf16, #block>> -> tensor<64x64xf16, #b>
  tt.return %x : tensor<64x64xf16, #b>
}
}

// -----

#block = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#b = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

tt.func @bytes(%map: !tt.tensordesc<tensor<64x64xi8, #block>>, %i: i32, %tile: tensor<64x64xi8, #b>) attributes {ttng.tensor_maps = [{}]} {
  // expected-error @+1 {{stores a tile that cannot be copied, which is not supported; results of warp group dots are}}
  tt.descriptor_store %map[%i, %i], %tile {ttng.root = 0 : i32} : !tt.tensordesc<tensor<64x64xi8, #block>>, tensor<64x64xi8, #b>
  tt.return
}
}
