// RUN: tcc-opt %s --tritongpu-accelerate-matmul | FileCheck %s
// RUN: tcc-opt %s --tritongpu-accelerate-matmul --tritongpu-stage-dot-operands | FileCheck %s --check-prefix=STAGED

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#d = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a_op = #ttg.dot_op<{opIdx = 0, parent = #d}>
#b_op = #ttg.dot_op<{opIdx = 1, parent = #d}>
#b3 = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [1, 4, 8], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
#a3_op = #ttg.dot_op<{opIdx = 0, parent = #b3}>
#b3_op = #ttg.dot_op<{opIdx = 1, parent = #b3}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// CHECK-DAG: [[SQUARE:#mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// CHECK-DAG: [[WIDE:#mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
// CHECK-DAG: [[ROWS:#mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
// CHECK-DAG: [[BATCH:#mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 1, 2], instrShape = [1, 16, 8]}>

// CHECK-LABEL: @half
// CHECK-DAG: [[A:%.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = [[SQUARE]], kWidth = 2}>>
// CHECK-DAG: [[B:%.*]] = ttg.convert_layout %arg1 : {{.*}} -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = [[SQUARE]], kWidth = 2}>>
// CHECK-DAG: [[C:%.*]] = ttg.convert_layout %arg2 : {{.*}} -> tensor<64x64xf32, [[SQUARE]]>
// CHECK: [[D:%.*]] = tt.dot [[A]], [[B]], [[C]] {{.*}} -> tensor<64x64xf32, [[SQUARE]]>
// CHECK: ttg.convert_layout [[D]] : tensor<64x64xf32, [[SQUARE]]> -> tensor<64x64xf32, #blocked
tt.func public @half(%a: tensor<64x32xf16, #a_op>, %b: tensor<32x64xf16, #b_op>, %c: tensor<64x64xf32, #d>) -> tensor<64x64xf32, #d> {
  %0 = tt.dot %a, %b, %c : tensor<64x32xf16, #a_op> * tensor<32x64xf16, #b_op> -> tensor<64x64xf32, #d>
  tt.return %0 : tensor<64x64xf32, #d>
}

// A warp has as many rows as columns of instructions, as far as the number of warps allows.
// CHECK-LABEL: @wide
// CHECK: tt.dot {{.*}} -> tensor<16x256xf32, [[WIDE]]>
tt.func public @wide(%a: tensor<16x32xbf16, #a_op>, %b: tensor<32x256xbf16, #b_op>, %c: tensor<16x256xf32, #d>) -> tensor<16x256xf32, #d> {
  %0 = tt.dot %a, %b, %c : tensor<16x32xbf16, #a_op> * tensor<32x256xbf16, #b_op> -> tensor<16x256xf32, #d>
  tt.return %0 : tensor<16x256xf32, #d>
}

// The result of one dot is the left operand of another: each row belongs to one warp.
// CHECK-LABEL: @chain
// CHECK: tt.dot {{.*}} -> tensor<64x64xf32, [[ROWS]]>
// CHECK: tt.dot {{.*}} -> tensor<64x64xf32, [[ROWS]]>
tt.func public @chain(%a: tensor<64x64xf16, #a_op>, %b: tensor<64x64xf16, #b_op>, %c: tensor<64x64xf32, #d>) -> tensor<64x64xf32, #d> {
  %0 = tt.dot %a, %b, %c : tensor<64x64xf16, #a_op> * tensor<64x64xf16, #b_op> -> tensor<64x64xf32, #d>
  %1 = arith.truncf %0 : tensor<64x64xf32, #d> to tensor<64x64xf16, #d>
  %2 = ttg.convert_layout %1 : tensor<64x64xf16, #d> -> tensor<64x64xf16, #a_op>
  %3 = tt.dot %2, %b, %c : tensor<64x64xf16, #a_op> * tensor<64x64xf16, #b_op> -> tensor<64x64xf32, #d>
  tt.return %3 : tensor<64x64xf32, #d>
}

// The tile to which it is added, element by element, is a dot of the same rows.
// CHECK-LABEL: @sum
// CHECK: tt.dot %{{.*}} -> tensor<64x64xf32, [[SQUARE]]>
// CHECK: tt.dot %{{.*}} -> tensor<64x64xf32, [[ROWS]]>
// CHECK: arith.mulf %{{.*}} : tensor<64x64xf32, #blocked
// CHECK: tt.dot %{{.*}} -> tensor<64x64xf32, [[ROWS]]>
// CHECK: tt.dot %{{.*}} -> tensor<64x64xf32, [[ROWS]]>
// CHECK: tt.dot %{{.*}} -> tensor<64x64xf32, [[ROWS]]>
tt.func public @sum(%a: tensor<64x64xf16, #a_op>, %b: tensor<64x64xf16, #b_op>, %c: tensor<64x64xf32, #d>, %s: tensor<64x64xf32, #d>) -> (tensor<64x64xf32, #d>, tensor<64x64xf32, #d>) {
  %alone = tt.dot %a, %b, %c : tensor<64x64xf16, #a_op> * tensor<64x64xf16, #b_op> -> tensor<64x64xf32, #d>
  %0 = tt.dot %a, %b, %c : tensor<64x64xf16, #a_op> * tensor<64x64xf16, #b_op> -> tensor<64x64xf32, #d>
  %1 = arith.mulf %0, %s : tensor<64x64xf32, #d>
  %2 = tt.dot %a, %b, %c : tensor<64x64xf16, #a_op> * tensor<64x64xf16, #b_op> -> tensor<64x64xf32, #d>
  %3 = arith.truncf %2 : tensor<64x64xf32, #d> to tensor<64x64xf16, #d>
  %4 = ttg.convert_layout %3 : tensor<64x64xf16, #d> -> tensor<64x64xf16, #a_op>
  %5 = tt.dot %4, %b, %1 : tensor<64x64xf16, #a_op> * tensor<64x64xf16, #b_op> -> tensor<64x64xf32, #d>
  %6 = tt.dot %a, %b, %5 : tensor<64x64xf16, #a_op> * tensor<64x64xf16, #b_op> -> tensor<64x64xf32, #d>
  tt.return %alone, %6 : tensor<64x64xf32, #d>, tensor<64x64xf32, #d>
}

// Accumulators of a type that the unit does not have are computed in a wider type.
// CHECK-LABEL: @narrow_sum
// CHECK: [[C:%.*]] = arith.extf {{.*}} : tensor<64x64xbf16, [[SQUARE]]> to tensor<64x64xf32, [[SQUARE]]>
// CHECK: [[D:%.*]] = tt.dot {{.*}}, [[C]] {{.*}} -> tensor<64x64xf32, [[SQUARE]]>
// CHECK: arith.truncf [[D]] : tensor<64x64xf32, [[SQUARE]]> to tensor<64x64xbf16, [[SQUARE]]>
tt.func public @narrow_sum(%a: tensor<64x32xbf16, #a_op>, %b: tensor<32x64xbf16, #b_op>, %c: tensor<64x64xbf16, #d>) -> tensor<64x64xbf16, #d> {
  %0 = tt.dot %a, %b, %c : tensor<64x32xbf16, #a_op> * tensor<32x64xbf16, #b_op> -> tensor<64x64xbf16, #d>
  tt.return %0 : tensor<64x64xbf16, #d>
}

// CHECK-LABEL: @bytes
// CHECK: tt.dot {{.*}} tensor<64x64xi8, #ttg.dot_op<{opIdx = 0, parent = [[SQUARE]], kWidth = 4}>>
tt.func public @bytes(%a: tensor<64x64xi8, #a_op>, %b: tensor<64x64xi8, #b_op>, %c: tensor<64x64xi32, #d>) -> tensor<64x64xi32, #d> {
  %0 = tt.dot %a, %b, %c : tensor<64x64xi8, #a_op> * tensor<64x64xi8, #b_op> -> tensor<64x64xi32, #d>
  tt.return %0 : tensor<64x64xi32, #d>
}

// Bytes that were extended to 16 bits are multiplied as bytes, signed or unsigned like before.
// CHECK-LABEL: @unsigned_bytes
// CHECK: tt.dot {{.*}}"ttg.unsigned-operands" = array<i1: true, false>} : tensor<64x64xi8, #ttg.dot_op<{opIdx = 0, parent = [[SQUARE]], kWidth = 4}>>
tt.func public @unsigned_bytes(%a: tensor<64x64xi8, #d>, %b: tensor<64x64xi8, #b_op>, %c: tensor<64x64xi32, #d>) -> tensor<64x64xi32, #d> {
  %0 = arith.extui %a : tensor<64x64xi8, #d> to tensor<64x64xi16, #d>
  %1 = ttg.convert_layout %0 : tensor<64x64xi16, #d> -> tensor<64x64xi16, #a_op>
  %2 = arith.extsi %b : tensor<64x64xi8, #b_op> to tensor<64x64xi16, #b_op>
  %3 = tt.dot %1, %2, %c : tensor<64x64xi16, #a_op> * tensor<64x64xi16, #b_op> -> tensor<64x64xi32, #d>
  tt.return %3 : tensor<64x64xi32, #d>
}
// CHECK-LABEL: @few_unsigned_bytes
// CHECK: arith.extui {{.*}} tensor<64x4xi8{{.*}} to tensor<64x4xi32
// CHECK: arith.extsi {{.*}} tensor<4x64xi8{{.*}} to tensor<4x64xi32
// CHECK: tt.dot {{.*}} : tensor<64x4xi32
tt.func public @few_unsigned_bytes(%a: tensor<64x4xi8, #a_op>, %b: tensor<4x64xi8, #b_op>, %c: tensor<64x64xi32, #d>) -> tensor<64x64xi32, #d> {
  %0 = arith.extui %a : tensor<64x4xi8, #a_op> to tensor<64x4xi16, #a_op>
  %1 = arith.extsi %b : tensor<4x64xi8, #b_op> to tensor<4x64xi16, #b_op>
  %2 = tt.dot %0, %1, %c : tensor<64x4xi16, #a_op> * tensor<4x64xi16, #b_op> -> tensor<64x64xi32, #d>
  tt.return %2 : tensor<64x64xi32, #d>
}

// CHECK-LABEL: @tf32
// CHECK: tt.dot {{.*}}, inputPrecision = tf32 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = [[SQUARE]], kWidth = 1}>>
tt.func public @tf32(%a: tensor<64x64xf32, #a_op>, %b: tensor<64x64xf32, #b_op>, %c: tensor<64x64xf32, #d>) -> tensor<64x64xf32, #d> {
  %0 = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<64x64xf32, #a_op> * tensor<64x64xf32, #b_op> -> tensor<64x64xf32, #d>
  tt.return %0 : tensor<64x64xf32, #d>
}

// Dots in full precision use multiply and add; so do dots whose contracted axis is shorter than the instruction's
// lanes.
// CHECK-LABEL: @ieee
// CHECK: tt.dot {{.*}} -> tensor<64x64xf32, #blocked
tt.func public @ieee(%a: tensor<64x64xf32, #a_op>, %b: tensor<64x64xf32, #b_op>, %c: tensor<64x64xf32, #d>) -> tensor<64x64xf32, #d> {
  %0 = tt.dot %a, %b, %c : tensor<64x64xf32, #a_op> * tensor<64x64xf32, #b_op> -> tensor<64x64xf32, #d>
  tt.return %0 : tensor<64x64xf32, #d>
}
// CHECK-LABEL: @short
// CHECK: arith.extf
// CHECK: tt.dot {{.*}} -> tensor<64x64xf32, #blocked
tt.func public @short(%a: tensor<64x4xf16, #a_op>, %b: tensor<4x64xf16, #b_op>, %c: tensor<64x64xf32, #d>) -> tensor<64x64xf32, #d> {
  %0 = tt.dot %a, %b, %c : tensor<64x4xf16, #a_op> * tensor<4x64xf16, #b_op> -> tensor<64x64xf32, #d>
  tt.return %0 : tensor<64x64xf32, #d>
}

// In double precision, half the depth of an instruction is enough; operands may be extended to double.
// CHECK-LABEL: @double
// CHECK: arith.extf {{.*}} to tensor<64x4xf64
// CHECK: tt.dot {{.*}} tensor<64x4xf64, #ttg.dot_op<{opIdx = 0, parent = [[SQUARE]], kWidth = 1}>>
tt.func public @double(%a: tensor<64x4xf32, #a_op>, %b: tensor<4x64xf32, #b_op>, %c: tensor<64x64xf64, #d>) -> tensor<64x64xf64, #d> {
  %0 = tt.dot %a, %b, %c : tensor<64x4xf32, #a_op> * tensor<4x64xf32, #b_op> -> tensor<64x64xf64, #d>
  tt.return %0 : tensor<64x64xf64, #d>
}

// Narrow operands of multiply and add are extended behind their conversions, and stay narrow in shared memory.
// STAGED-LABEL: @staged
// STAGED-NOT: convert_layout
// STAGED: tt.dot %arg0, %arg1, %arg2 : tensor<64x4xf16, #blocked{{[0-9]*}}> * tensor<4x64xf16, #blocked{{[0-9]*}}> -> tensor<64x64xf32, #blocked{{[0-9]*}}>
tt.func public @staged(%a: tensor<64x4xf16, #b>, %b: tensor<4x64xf16, #b>, %c: tensor<64x64xf32, #d>) {
  %0 = ttg.convert_layout %a : tensor<64x4xf16, #b> -> tensor<64x4xf16, #a_op>
  %1 = ttg.convert_layout %b : tensor<4x64xf16, #b> -> tensor<4x64xf16, #b_op>
  %2 = tt.dot %0, %1, %c : tensor<64x4xf16, #a_op> * tensor<4x64xf16, #b_op> -> tensor<64x64xf32, #d>
  tt.return
}

// If one operand is in registers anyway, both stay there.
// STAGED-LABEL: @one_in_registers
// STAGED: ttg.convert_layout
// STAGED: tt.dot {{.*}} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, {{.*}} * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1
tt.func public @one_in_registers(%a: tensor<64x64xf32, #b>, %x: f32, %c: tensor<64x64xf32, #d>) {
  %0 = ttg.convert_layout %a : tensor<64x64xf32, #b> -> tensor<64x64xf32, #a_op>
  %1 = tt.splat %x : f32 -> tensor<64x64xf32, #b_op>
  %2 = tt.dot %0, %1, %c : tensor<64x64xf32, #a_op> * tensor<64x64xf32, #b_op> -> tensor<64x64xf32, #d>
  tt.return
}

// CHECK-LABEL: @batch
// CHECK: tt.dot {{.*}} -> tensor<2x32x32xf32, [[BATCH]]>
tt.func public @batch(%a: tensor<2x32x16xf16, #a3_op>, %b: tensor<2x16x32xf16, #b3_op>, %c: tensor<2x32x32xf32, #b3>) -> tensor<2x32x32xf32, #b3> {
  %0 = tt.dot %a, %b, %c : tensor<2x32x16xf16, #a3_op> * tensor<2x16x32xf16, #b3_op> -> tensor<2x32x32xf32, #b3>
  tt.return %0 : tensor<2x32x32xf32, #b3>
}
}
