// RUN: tcc-opt %s --tritongpu-accelerate-matmul | FileCheck %s
// RUN: tcc-opt %s --tritongpu-accelerate-matmul --tritongpu-stage-dot-operands | FileCheck %s --check-prefix=STAGED

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#d = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a_op = #ttg.dot_op<{opIdx = 0, parent = #d}>
#b_op = #ttg.dot_op<{opIdx = 1, parent = #d}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Narrow operands are extended behind their conversions, and in shared memory stay narrow.
// CHECK-LABEL: @half
// CHECK: arith.extf %{{.*}} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, {{.*}}>> to tensor<64x64xf32
// CHECK: arith.extf %{{.*}} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, {{.*}}>> to tensor<64x64xf32
// CHECK: tt.dot {{.*}} tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, {{.*}} * tensor<64x64xf32
// STAGED-LABEL: @half
// STAGED-NOT: convert_layout
// STAGED: tt.dot %arg0, %arg1, %arg2 : tensor<64x64xf16, #blocked> * tensor<64x64xf16, #blocked> -> tensor<64x64xf32, #blocked1>
tt.func public @half(%a: tensor<64x64xf16, #b>, %b: tensor<64x64xf16, #b>, %c: tensor<64x64xf32, #d>) {
  %0 = ttg.convert_layout %a : tensor<64x64xf16, #b> -> tensor<64x64xf16, #a_op>
  %1 = ttg.convert_layout %b : tensor<64x64xf16, #b> -> tensor<64x64xf16, #b_op>
  %2 = tt.dot %0, %1, %c : tensor<64x64xf16, #a_op> * tensor<64x64xf16, #b_op> -> tensor<64x64xf32, #d>
  tt.return
}

// CHECK-LABEL: @bytes
// CHECK: arith.extsi %{{.*}} to tensor<64x64xi32
tt.func public @bytes(%a: tensor<64x64xi8, #a_op>, %b: tensor<64x64xi8, #b_op>, %c: tensor<64x64xi32, #d>) {
  %0 = tt.dot %a, %b, %c : tensor<64x64xi8, #a_op> * tensor<64x64xi8, #b_op> -> tensor<64x64xi32, #d>
  tt.return
}

// An operand that is in registers anyway stays there, and so does the other.
// STAGED-LABEL: @one_in_registers
// STAGED: ttg.convert_layout
// STAGED: tt.dot {{.*}} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, {{.*}} * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1
tt.func public @one_in_registers(%a: tensor<64x64xf32, #b>, %x: f32, %c: tensor<64x64xf32, #d>) {
  %0 = ttg.convert_layout %a : tensor<64x64xf32, #b> -> tensor<64x64xf32, #a_op>
  %1 = tt.splat %x : f32 -> tensor<64x64xf32, #b_op>
  %2 = tt.dot %0, %1, %c : tensor<64x64xf32, #a_op> * tensor<64x64xf32, #b_op> -> tensor<64x64xf32, #d>
  tt.return
}
}
