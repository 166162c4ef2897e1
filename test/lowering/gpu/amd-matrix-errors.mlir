// If the encodings of a dot do not fit the target's matrix instruction, an error is reported at the line of the dot.
// RUN: tcc-opt %s --split-input-file --verify-diagnostics --convert-triton-gpu-to-llvm

#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [16, 16, 16], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32, ttg.shared = 0 : i32} {
tt.func public @other() {
  %a = arith.constant dense<1.0> : tensor<64x16xf16, #a>
  %b = arith.constant dense<1.0> : tensor<16x16xf16, #b>
  %c = arith.constant dense<0.0> : tensor<64x16xf32, #mma>
  // expected-error @+2 {{is encoded for a matrix unit, which cannot compute it on this target}}
  // expected-error @+1 {{failed to legalize operation 'tt.dot'}}
  %0 = tt.dot %a, %b, %c : tensor<64x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<64x16xf32, #mma>
  tt.return
}
}

// -----

#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [4, 1], instrShape = [16, 16, 16], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32, ttg.shared = 0 : i32} {
tt.func public @short() {
  %a = arith.constant dense<1.0> : tensor<64x16xf16, #a>
  %b = arith.constant dense<1.0> : tensor<16x16xf16, #b>
  %c = arith.constant dense<0.0> : tensor<64x16xf32, #mma>
  // expected-error @+2 {{contracts fewer elements than the lanes of the matrix unit hold}}
  // expected-error @+1 {{failed to legalize operation 'tt.dot'}}
  %0 = tt.dot %a, %b, %c : tensor<64x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<64x16xf32, #mma>
  tt.return
}
}
