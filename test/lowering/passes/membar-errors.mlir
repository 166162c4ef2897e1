// RUN: tcc-opt %s --verify-diagnostics --allocate-shared-memory --tritongpu-membar

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @f(%x: tensor<64x64xf32, #b>, %c: i1) {
  scf.if %c {
    // expected-error @+1 {{uses shared memory inside structured control flow, which has to be lowered before barriers are inserted}}
    %0 = ttg.convert_layout %x : tensor<64x64xf32, #b> -> tensor<64x64xf32, #c>
  }
  tt.return
}
}
