// The encodings of AMD's matrix units have Triton 3.6's syntax.
// RUN: tcc-opt %s | tcc-opt | FileCheck %s

// CHECK-DAG: #[[MFMA:.*]] = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
#mfma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
// CHECK-DAG: #[[LONG:.*]] = #ttg.amd_mfma<{version = 2, warpsPerCTA = [4, 1], instrShape = [16, 16, 4], isTransposed = false, elementBitWidth = 64}>
#long = #ttg.amd_mfma<{version = 2, warpsPerCTA = [4, 1], instrShape = [16, 16, 4], isTransposed = false, elementBitWidth = 64}>

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  // CHECK: tt.func public @f(%{{.*}}: tensor<64x64xf32, #[[MFMA]]>, %{{.*}}: tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #[[MFMA]], kWidth = 8}>>, %{{.*}}: tensor<64x64xf64, #[[LONG]]>)
  tt.func public @f(%a: tensor<64x64xf32, #mfma>, %b: tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mfma, kWidth = 8}>>,
                    %c: tensor<64x64xf64, #long>) {
    tt.return
  }
}
