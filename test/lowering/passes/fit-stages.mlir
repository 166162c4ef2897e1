// RUN: tcc-opt %s --tritongpu-fit-stages=num-stages=4 --verify-diagnostics | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#x = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#y = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>

// sm_86 has 101376 bytes of shared memory. An iteration loads 32768 bytes, and converts half of them through 16384
// bytes more. The three slots of four stages do not fit; the two slots of three stages do.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:86", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @too_many
// CHECK-COUNT-2: ttg.local_alloc : () -> !ttg.memdesc<2x128x64xf16
// expected-warning @+1 {{with 4 stages the loops take 114688 bytes of shared memory, and the GPU has 101376; they get 3}}
tt.func public @too_many(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) -> tensor<128x128xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant dense<64> : tensor<128x1xi32, #b>
  %c = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #b}>>
  %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<128x1xi32, #b>
  %rows = arith.muli %r1, %c64 : tensor<128x1xi32, #b>
  %k = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %k1 = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %k2 = tt.broadcast %k1 : tensor<1x64xi32, #b> -> tensor<128x64xi32, #b>
  %rows2 = tt.broadcast %rows : tensor<128x1xi32, #b> -> tensor<128x64xi32, #b>
  %o = arith.addi %rows2, %k2 : tensor<128x64xi32, #b>
  %s = tt.splat %p : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #b>
  %pa = tt.addptr %s, %o : tensor<128x64x!tt.ptr<f16>, #b>, tensor<128x64xi32, #b>
  %f = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<128x128xf32, #mma>) : i32 {
    %a = tt.load %pa : tensor<128x64x!tt.ptr<f16>, #b>
    %bt = tt.load %pa : tensor<128x64x!tt.ptr<f16>, #b>
    %t = tt.trans %bt {order = array<i32: 1, 0>} : tensor<128x64xf16, #b> -> tensor<64x128xf16, #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>>
    %ac = ttg.convert_layout %a : tensor<128x64xf16, #b> -> tensor<128x64xf16, #x>
    %bc = ttg.convert_layout %t : tensor<64x128xf16, #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>> -> tensor<64x128xf16, #y>
    %d = tt.dot %ac, %bc, %acc : tensor<128x64xf16, #x> * tensor<64x128xf16, #y> -> tensor<128x128xf32, #mma>
    scf.yield %d : tensor<128x128xf32, #mma>
  }
  tt.return %f : tensor<128x128xf32, #mma>
}
}
