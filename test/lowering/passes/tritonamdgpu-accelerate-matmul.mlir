// Operands and results of dots get the layouts of the target's matrix instruction.
// RUN: split-file %s %t
// RUN: sed s/TARGET/gfx90a/ %t/wave64.mlir | tcc-opt --tritonamdgpu-accelerate-matmul | FileCheck %t/wave64.mlir --check-prefixes=CHECK,GFX90A
// RUN: sed s/TARGET/gfx942/ %t/wave64.mlir | tcc-opt --tritonamdgpu-accelerate-matmul | FileCheck %t/wave64.mlir --check-prefixes=CHECK,GFX942
// RUN: sed s/TARGET/gfx950/ %t/wave64.mlir | tcc-opt --tritonamdgpu-accelerate-matmul | FileCheck %t/wave64.mlir --check-prefixes=CHECK,GFX950
// RUN: sed s/TARGET/gfx1100/ %t/wave32.mlir | tcc-opt --tritonamdgpu-accelerate-matmul | FileCheck %t/wave32.mlir --check-prefixes=CHECK,GFX1100
// RUN: sed s/TARGET/gfx1201/ %t/wave32.mlir | tcc-opt --tritonamdgpu-accelerate-matmul | FileCheck %t/wave32.mlir --check-prefixes=CHECK,GFX1201

//--- wave64.mlir
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [1, 4, 16], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
#a3 = #ttg.dot_op<{opIdx = 0, parent = #blocked3}>
#b3 = #ttg.dot_op<{opIdx = 1, parent = #blocked3}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:TARGET", "ttg.threads-per-warp" = 64 : i32} {
// Every warp gets an instruction of 32 rows.
// GFX90A-DAG: #[[LARGE:.*]] = #ttg.amd_mfma<{version = 2, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
// GFX942-DAG: #[[LARGE:.*]] = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
// GFX950-DAG: #[[LARGE:.*]] = #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [32, 32, 16], isTransposed = true}>
// 32x64 elements are too few for that.
// GFX90A-DAG: #[[SMALL:.*]] = #ttg.amd_mfma<{version = 2, warpsPerCTA = [2, 2], instrShape = [16, 16, 16], isTransposed = true}>
// GFX942-DAG: #[[SMALL:.*]] = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, 16, 16], isTransposed = true}>
// GFX950-DAG: #[[SMALL:.*]] = #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [16, 16, 32], isTransposed = true}>
// GFX942-DAG: #[[BYTES:.*]] = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 16], isTransposed = true}>
// GFX950-DAG: #[[BYTES:.*]] = #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [32, 32, 32], isTransposed = true}>
// CHECK-DAG: #[[FLOATS:.*]] = #ttg.amd_mfma<{version = {{.}}, warpsPerCTA = [2, 2], instrShape = [32, 32, 2], isTransposed = true}>
// CHECK-DAG: #[[LONG:.*]] = #ttg.amd_mfma<{version = {{.}}, warpsPerCTA = [2, 2], instrShape = [16, 16, 4], isTransposed = true, elementBitWidth = 64}>
// CHECK-DAG: #[[BATCH:.*]] = #ttg.amd_mfma<{version = {{.}}, warpsPerCTA = [4, 1, 1], instrShape = [16, 16, {{16|32}}], isTransposed = true}>

// Each lane has 16 contiguous bytes of an operand.
// CHECK-LABEL: tt.func public @halves
tt.func public @halves(%a: tensor<64x32xf16, #a>, %b: tensor<32x64xf16, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK: %[[A:.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #[[LARGE]], kWidth = 8}>>
  // CHECK: %[[B:.*]] = ttg.convert_layout %arg1 : {{.*}} -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[LARGE]], kWidth = 8}>>
  // CHECK: %[[C:.*]] = ttg.convert_layout %arg2 : {{.*}} -> tensor<64x64xf32, #[[LARGE]]>
  // CHECK: %[[D:.*]] = tt.dot %[[A]], %[[B]], %[[C]]{{.*}} -> tensor<64x64xf32, #[[LARGE]]>
  // CHECK: ttg.convert_layout %[[D]] : {{.*}} -> tensor<64x64xf32, #blocked>
  %0 = tt.dot %a, %b, %c : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #blocked>
  tt.return %0 : tensor<64x64xf32, #blocked>
}

// CHECK-LABEL: tt.func public @few
tt.func public @few(%a: tensor<32x32xbf16, #a>, %b: tensor<32x64xbf16, #b>, %c: tensor<32x64xf32, #blocked>) -> tensor<32x64xf32, #blocked> {
  // CHECK: tt.dot {{.*}} -> tensor<32x64xf32, #[[SMALL]]>
  %0 = tt.dot %a, %b, %c : tensor<32x32xbf16, #a> * tensor<32x64xbf16, #b> -> tensor<32x64xf32, #blocked>
  tt.return %0 : tensor<32x64xf32, #blocked>
}

// CHECK-LABEL: tt.func public @bytes
tt.func public @bytes(%a: tensor<64x64xi8, #a>, %b: tensor<64x64xi8, #b>, %c: tensor<64x64xi32, #blocked>) -> tensor<64x64xi32, #blocked> {
  // GFX90A: tt.dot {{.*}}kWidth = 16}>> -> tensor<64x64xi32, #[[LARGE]]>
  // GFX942: tt.dot {{.*}}kWidth = 16}>> -> tensor<64x64xi32, #[[BYTES]]>
  // GFX950: tt.dot {{.*}}kWidth = 16}>> -> tensor<64x64xi32, #[[BYTES]]>
  %0 = tt.dot %a, %b, %c : tensor<64x64xi8, #a> * tensor<64x64xi8, #b> -> tensor<64x64xi32, #blocked>
  tt.return %0 : tensor<64x64xi32, #blocked>
}

// CHECK-LABEL: tt.func public @floats
tt.func public @floats(%a: tensor<64x32xf32, #a>, %b: tensor<32x64xf32, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK: tt.dot {{.*}}kWidth = 4}>> -> tensor<64x64xf32, #[[FLOATS]]>
  %0 = tt.dot %a, %b, %c : tensor<64x32xf32, #a> * tensor<32x64xf32, #b> -> tensor<64x64xf32, #blocked>
  tt.return %0 : tensor<64x64xf32, #blocked>
}

// CHECK-LABEL: tt.func public @doubles
tt.func public @doubles(%a: tensor<64x32xf64, #a>, %b: tensor<32x64xf64, #b>, %c: tensor<64x64xf64, #blocked>) -> tensor<64x64xf64, #blocked> {
  // CHECK: tt.dot {{.*}}kWidth = 2}>> -> tensor<64x64xf64, #[[LONG]]>
  %0 = tt.dot %a, %b, %c : tensor<64x32xf64, #a> * tensor<32x64xf64, #b> -> tensor<64x64xf64, #blocked>
  tt.return %0 : tensor<64x64xf64, #blocked>
}

// CHECK-LABEL: tt.func public @batch
tt.func public @batch(%a: tensor<4x16x32xf16, #a3>, %b: tensor<4x32x16xf16, #b3>, %c: tensor<4x16x16xf32, #blocked3>) -> tensor<4x16x16xf32, #blocked3> {
  // CHECK: tt.dot {{.*}} -> tensor<4x16x16xf32, #[[BATCH]]>
  %0 = tt.dot %a, %b, %c : tensor<4x16x32xf16, #a3> * tensor<4x32x16xf16, #b3> -> tensor<4x16x16xf32, #blocked3>
  tt.return %0 : tensor<4x16x16xf32, #blocked3>
}

// Only gfx950's unit multiplies OCP's 8-bit floats. On gfx942 they have other biases.
// CHECK-LABEL: tt.func public @extended
tt.func public @extended(%x: tensor<64x64xf8E4M3FN, #a>, %y: tensor<64x64xf8E5M2, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  %a = tt.fp_to_fp %x : tensor<64x64xf8E4M3FN, #a> -> tensor<64x64xf16, #a>
  %b = tt.fp_to_fp %y : tensor<64x64xf8E5M2, #b> -> tensor<64x64xf16, #b>
  // GFX90A: tt.dot {{.*}}tensor<64x64xf16, {{.*}} * tensor<64x64xf16,
  // GFX942: tt.dot {{.*}}tensor<64x64xf16, {{.*}} * tensor<64x64xf16,
  // GFX950: tt.dot {{.*}}tensor<64x64xf8E4M3FN, {{.*}} * tensor<64x64xf8E5M2, {{.*}}kWidth = 16}>>
  %0 = tt.dot %a, %b, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
  tt.return %0 : tensor<64x64xf32, #blocked>
}

// An accumulator that becomes the left operand of another dot: each warp has whole rows of both, and a lane keeps its
// neighbouring elements.
// CHECK-LABEL: tt.func public @chain
tt.func public @chain(%a: tensor<128x32xf16, #a>, %b: tensor<32x64xf16, #b>, %v: tensor<64x64xf16, #b>, %c: tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #blocked> {
  // CHECK: tt.dot {{.*}} -> tensor<128x64xf32, #[[FIRST:.*]]>
  %0 = tt.dot %a, %b, %c : tensor<128x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<128x64xf32, #blocked>
  %1 = arith.truncf %0 : tensor<128x64xf32, #blocked> to tensor<128x64xf16, #blocked>
  %2 = ttg.convert_layout %1 : tensor<128x64xf16, #blocked> -> tensor<128x64xf16, #a>
  // CHECK: tt.dot {{.*}}#ttg.dot_op<{opIdx = 0, parent = #[[FIRST]], kWidth = 4}>> * {{.*}} -> tensor<128x64xf32, #[[FIRST]]>
  %3 = tt.dot %2, %v, %c : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #blocked>
  tt.return %3 : tensor<128x64xf32, #blocked>
}

// Dots that stay as they are: tiles that would waste most of the unit, and a contracted axis that cannot be distributed
// over the lanes.
// CHECK-LABEL: tt.func public @tiny
tt.func public @tiny(%a: tensor<4x32xf16, #a>, %b: tensor<32x8xf16, #b>, %c: tensor<4x8xf32, #blocked>,
                     %d: tensor<8x32xf32, #a>, %e: tensor<32x16xf32, #b>, %f: tensor<8x16xf32, #blocked>,
                     %g: tensor<16x2xf16, #a>, %h: tensor<2x16xf16, #b>, %i: tensor<16x16xf32, #blocked>)
    -> (tensor<4x8xf32, #blocked>, tensor<8x16xf32, #blocked>, tensor<16x16xf32, #blocked>) {
  // CHECK: tt.dot {{.*}} -> tensor<4x8xf32, #blocked>
  %0 = tt.dot %a, %b, %c : tensor<4x32xf16, #a> * tensor<32x8xf16, #b> -> tensor<4x8xf32, #blocked>
  // CHECK: tt.dot {{.*}} -> tensor<8x16xf32, #blocked>
  %1 = tt.dot %d, %e, %f : tensor<8x32xf32, #a> * tensor<32x16xf32, #b> -> tensor<8x16xf32, #blocked>
  // CHECK: tt.dot {{.*}} -> tensor<16x16xf32, #blocked>
  %2 = tt.dot %g, %h, %i : tensor<16x2xf16, #a> * tensor<2x16xf16, #b> -> tensor<16x16xf32, #blocked>
  tt.return %0, %1, %2 : tensor<4x8xf32, #blocked>, tensor<8x16xf32, #blocked>, tensor<16x16xf32, #blocked>
}
}

//--- wave32.mlir
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:TARGET", "ttg.threads-per-warp" = 32 : i32} {
// GFX1100-DAG: #[[MMA:.*]] = #ttg.amd_wmma<{version = 1, isTranspose = true, warpsPerCTA = [2, 2]}>
// GFX1201-DAG: #[[MMA:.*]] = #ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [2, 2]}>

// CHECK-LABEL: tt.func public @halves
tt.func public @halves(%a: tensor<64x32xf16, #a>, %b: tensor<32x64xf16, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK: tt.dot {{.*}}kWidth = 8}>> -> tensor<64x64xf32, #[[MMA]]>
  %0 = tt.dot %a, %b, %c : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #blocked>
  tt.return %0 : tensor<64x64xf32, #blocked>
}

// CHECK-LABEL: tt.func public @bytes
tt.func public @bytes(%a: tensor<64x32xi8, #a>, %b: tensor<32x64xi8, #b>, %c: tensor<64x64xi32, #blocked>) -> tensor<64x64xi32, #blocked> {
  // CHECK: tt.dot {{.*}}kWidth = 16}>> -> tensor<64x64xi32, #[[MMA]]>
  %0 = tt.dot %a, %b, %c : tensor<64x32xi8, #a> * tensor<32x64xi8, #b> -> tensor<64x64xi32, #blocked>
  tt.return %0 : tensor<64x64xi32, #blocked>
}

// CHECK-LABEL: tt.func public @extended
tt.func public @extended(%x: tensor<64x64xf8E4M3FN, #a>, %y: tensor<64x64xf8E4M3FN, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  %a = tt.fp_to_fp %x : tensor<64x64xf8E4M3FN, #a> -> tensor<64x64xf16, #a>
  %b = tt.fp_to_fp %y : tensor<64x64xf8E4M3FN, #b> -> tensor<64x64xf16, #b>
  // GFX1100: tt.dot {{.*}}tensor<64x64xf16, {{.*}} * tensor<64x64xf16,
  // GFX1201: tt.dot {{.*}}tensor<64x64xf8E4M3FN, {{.*}} * tensor<64x64xf8E4M3FN,
  %0 = tt.dot %a, %b, %c : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #blocked>
  tt.return %0 : tensor<64x64xf32, #blocked>
}

// RDNA has no dots of f32 and f64.
// CHECK-LABEL: tt.func public @floats
tt.func public @floats(%a: tensor<64x32xf32, #a>, %b: tensor<32x64xf32, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK: tt.dot {{.*}} -> tensor<64x64xf32, #blocked>
  %0 = tt.dot %a, %b, %c : tensor<64x32xf32, #a> * tensor<32x64xf32, #b> -> tensor<64x64xf32, #blocked>
  tt.return %0 : tensor<64x64xf32, #blocked>
}
}
