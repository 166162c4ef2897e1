// RUN: tcc-opt %s --tritongpu-stage-dot-operands | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#d = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#x = #ttg.dot_op<{opIdx = 0, parent = #d}>
#y = #ttg.dot_op<{opIdx = 1, parent = #d}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#mx = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#my = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// The dot reads its operands from shared memory itself.
// CHECK-LABEL: @staged
// CHECK-NOT: convert_layout
// CHECK: tt.dot %arg0, %arg1, %arg2 : tensor<64x64xf32, #blocked> * tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked1>
tt.func @staged(%a: tensor<64x64xf32, #b>, %b: tensor<64x64xf32, #b>, %c: tensor<64x64xf32, #d>) -> tensor<64x64xf32, #d> {
  %0 = ttg.convert_layout %a : tensor<64x64xf32, #b> -> tensor<64x64xf32, #x>
  %1 = ttg.convert_layout %b : tensor<64x64xf32, #b> -> tensor<64x64xf32, #y>
  %2 = tt.dot %0, %1, %c : tensor<64x64xf32, #x> * tensor<64x64xf32, #y> -> tensor<64x64xf32, #d>
  tt.return %2 : tensor<64x64xf32, #d>
}

// It also extends them: shared memory holds the narrow elements. A conversion that others need stays for them.
// CHECK-LABEL: @extended
// CHECK: %[[KEPT:.*]] = ttg.convert_layout %arg1 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1
// CHECK-NOT: arith.extf
// CHECK: %[[D:.*]] = tt.dot %arg0, %arg1, %arg2 : tensor<64x64xf16, #blocked> * tensor<64x64xf16, #blocked> -> tensor<64x64xf32, #blocked1>
// CHECK: tt.return %[[D]], %[[KEPT]]
tt.func @extended(%a: tensor<64x64xf16, #b>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #d>) -> (tensor<64x64xf32, #d>, tensor<64x64xf16, #y>) {
  %0 = ttg.convert_layout %a : tensor<64x64xf16, #b> -> tensor<64x64xf16, #x>
  %1 = ttg.convert_layout %b : tensor<64x64xf16, #b> -> tensor<64x64xf16, #y>
  %2 = arith.extf %0 : tensor<64x64xf16, #x> to tensor<64x64xf32, #x>
  %3 = arith.extf %1 : tensor<64x64xf16, #y> to tensor<64x64xf32, #y>
  %4 = tt.dot %2, %3, %c : tensor<64x64xf32, #x> * tensor<64x64xf32, #y> -> tensor<64x64xf32, #d>
  tt.return %4, %1 : tensor<64x64xf32, #d>, tensor<64x64xf16, #y>
}

// Both operands or none: an operand that is computed from the loaded tile stays in registers, and so does the other
// one.
// CHECK-LABEL: @computed
// CHECK-COUNT-2: ttg.convert_layout
// CHECK: math.exp
// CHECK: tt.dot {{.*}} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
tt.func @computed(%a: tensor<64x64xf32, #b>, %b: tensor<64x64xf32, #b>, %c: tensor<64x64xf32, #d>) -> tensor<64x64xf32, #d> {
  %0 = ttg.convert_layout %a : tensor<64x64xf32, #b> -> tensor<64x64xf32, #x>
  %1 = ttg.convert_layout %b : tensor<64x64xf32, #b> -> tensor<64x64xf32, #y>
  %2 = math.exp %0 : tensor<64x64xf32, #x>
  %3 = tt.dot %2, %1, %c : tensor<64x64xf32, #x> * tensor<64x64xf32, #y> -> tensor<64x64xf32, #d>
  tt.return %3 : tensor<64x64xf32, #d>
}

// Matrix units read registers.
// CHECK-LABEL: @matrix_unit
// CHECK-COUNT-2: ttg.convert_layout
// CHECK: tt.dot {{.*}} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
tt.func @matrix_unit(%a: tensor<64x64xf16, #b>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
  %0 = ttg.convert_layout %a : tensor<64x64xf16, #b> -> tensor<64x64xf16, #mx>
  %1 = ttg.convert_layout %b : tensor<64x64xf16, #b> -> tensor<64x64xf16, #my>
  %2 = tt.dot %0, %1, %c : tensor<64x64xf16, #mx> * tensor<64x64xf16, #my> -> tensor<64x64xf32, #mma>
  tt.return %2 : tensor<64x64xf32, #mma>
}
}
