// RUN: tcc-opt %s --tritongpu-F32DotTC | FileCheck %s
// RUN: tcc-opt %s --tritongpu-F32DotTC=emu-tf32=false | FileCheck %s --check-prefix=BF16
// BF16: inputPrecision = tf32x3
// BF16-NOT: inputPrecision = bf16

#d = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #d}>
#b = #ttg.dot_op<{opIdx = 1, parent = #d}>

// A number is split into its upper digits and a remainder; the product of the remainders is omitted.
// CHECK-LABEL: @tf32x3
// CHECK: [[BITS:%.*]] = tt.bitcast %arg0
// CHECK: [[MASK:%.*]] = arith.constant dense<-8192> : tensor<32x16xi32
// CHECK: [[HIGH:%.*]] = arith.andi [[BITS]], [[MASK]]
// CHECK: [[A0:%.*]] = tt.bitcast [[HIGH]]
// CHECK: [[REST:%.*]] = arith.subf %arg0, [[A0]]
// CHECK: arith.andi
// CHECK: [[A1:%.*]] = tt.bitcast
// CHECK: [[B0:%.*]] = tt.bitcast {{.*}} tensor<16x32xi32, {{.*}} -> tensor<16x32xf32
// CHECK: [[B1:%.*]] = tt.bitcast {{.*}} tensor<16x32xi32, {{.*}} -> tensor<16x32xf32
// CHECK: [[ZERO:%.*]] = arith.constant dense<0.000000e+00> : tensor<32x32xf32
// CHECK: [[S0:%.*]] = tt.dot [[A1]], [[B0]], [[ZERO]], inputPrecision = tf32
// CHECK: [[S1:%.*]] = tt.dot [[A0]], [[B1]], [[S0]], inputPrecision = tf32
// CHECK: [[NAN:%.*]] = arith.cmpf uno, [[S1]], [[S1]]
// CHECK: [[S2:%.*]] = arith.select [[NAN]], [[ZERO]], [[S1]]
// CHECK: [[S3:%.*]] = tt.dot [[A0]], [[B0]], [[S2]], inputPrecision = tf32
// CHECK: arith.addf [[S3]], %arg2
// CHECK-NOT: tt.dot
tt.func public @tf32x3(%a: tensor<32x16xf32, #a>, %b: tensor<16x32xf32, #b>, %c: tensor<32x32xf32, #d>) -> tensor<32x32xf32, #d> {
  %0 = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<32x16xf32, #a> * tensor<16x32xf32, #b> -> tensor<32x32xf32, #d>
  tt.return %0 : tensor<32x32xf32, #d>
}

// CHECK-LABEL: @bf16x3
// CHECK: [[A0:%.*]] = arith.truncf %arg0 : tensor<32x16xf32, {{.*}} to tensor<32x16xbf16
// CHECK: [[BACK:%.*]] = arith.extf [[A0]]
// CHECK: [[REST:%.*]] = arith.subf %arg0, [[BACK]]
// CHECK: [[A1:%.*]] = arith.truncf [[REST]]
// CHECK-COUNT-3: tt.dot {{.*}} tensor<32x16xbf16
// CHECK-NOT: tt.dot
tt.func public @bf16x3(%a: tensor<32x16xf32, #a>, %b: tensor<16x32xf32, #b>, %c: tensor<32x32xf32, #d>) -> tensor<32x32xf32, #d> {
  %0 = tt.dot %a, %b, %c, inputPrecision = bf16x3 : tensor<32x16xf32, #a> * tensor<16x32xf32, #b> -> tensor<32x32xf32, #d>
  tt.return %0 : tensor<32x32xf32, #d>
}

// CHECK-LABEL: @bf16x6
// CHECK-COUNT-6: tt.dot {{.*}} tensor<32x16xbf16
// CHECK-NOT: tt.dot
tt.func public @bf16x6(%a: tensor<32x16xf32, #a>, %b: tensor<16x32xf32, #b>, %c: tensor<32x32xf32, #d>) -> tensor<32x32xf32, #d> {
  %0 = tt.dot %a, %b, %c, inputPrecision = bf16x6 : tensor<32x16xf32, #a> * tensor<16x32xf32, #b> -> tensor<32x32xf32, #d>
  tt.return %0 : tensor<32x32xf32, #d>
}

// Other precisions, and other types with any precision, stay as they are.
// CHECK-LABEL: @others
// CHECK-NEXT: tt.dot %arg0, %arg1, %arg2, inputPrecision = tf32
// CHECK-NEXT: tt.dot %arg0, %arg1, %arg2 :
// CHECK-NEXT: tt.dot %arg3, %arg4, %arg2, inputPrecision = tf32x3
// CHECK-NEXT: tt.return
tt.func public @others(%a: tensor<32x16xf32, #a>, %b: tensor<16x32xf32, #b>, %c: tensor<32x32xf32, #d>, %x: tensor<32x16xf16, #a>, %y: tensor<16x32xf16, #b>) -> (tensor<32x32xf32, #d>, tensor<32x32xf32, #d>, tensor<32x32xf32, #d>) {
  %0 = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<32x16xf32, #a> * tensor<16x32xf32, #b> -> tensor<32x32xf32, #d>
  %1 = tt.dot %a, %b, %c : tensor<32x16xf32, #a> * tensor<16x32xf32, #b> -> tensor<32x32xf32, #d>
  %2 = tt.dot %x, %y, %c, inputPrecision = tf32x3 : tensor<32x16xf16, #a> * tensor<16x32xf16, #b> -> tensor<32x32xf32, #d>
  tt.return %0, %1, %2 : tensor<32x32xf32, #d>, tensor<32x32xf32, #d>, tensor<32x32xf32, #d>
}
