// RUN: tcc-opt %s --convert-triton-gpu-to-llvm | FileCheck %s
// Bytes are converted to f16 four at a time: a byte becomes the fraction bits of 1024, from which 1024 is subtracted.
// Signed bytes are increased by 128 before. Fewer than four bytes, and bytes that become other floats, are converted
// one by one, unless their values are small.

#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {

// CHECK-LABEL: @signed
// CHECK-DAG: %[[TURN:.*]] = llvm.mlir.constant(dense<-128> : vector<4xi8>)
// CHECK-DAG: %[[EXPONENT:.*]] = llvm.mlir.constant(dense<100> : vector<4xi8>)
// CHECK-DAG: %[[OFFSET:.*]] = llvm.mlir.constant(dense<1.152000e+03> : vector<2xf16>)
// CHECK: %[[FOUR:.*]] = llvm.xor %{{.*}}, %[[TURN]] : vector<4xi8>
// CHECK: %[[WORD:.*]] = llvm.shufflevector %[[FOUR]], %[[EXPONENT]] [0, 4, 1, 5] : vector<4xi8>
// CHECK: %[[PAIR:.*]] = llvm.bitcast %[[WORD]] : vector<4xi8> to vector<2xf16>
// CHECK: llvm.fsub %[[PAIR]], %[[OFFSET]] {{.*}}: vector<2xf16>
// CHECK: llvm.shufflevector %[[FOUR]], %{{.*}} [2, 4, 3, 5] : vector<4xi8>
// CHECK-NOT: llvm.sitofp
tt.func public @signed(%from: !tt.ptr<i8>, %to: !tt.ptr<f16>) {
  %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>
  %f = tt.splat %from : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>, #b>
  %fp = tt.addptr %f, %i : tensor<128x!tt.ptr<i8>, #b>, tensor<128xi32, #b>
  %t = tt.splat %to : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #b>
  %tp = tt.addptr %t, %i : tensor<128x!tt.ptr<f16>, #b>, tensor<128xi32, #b>
  %x = tt.load %fp : tensor<128x!tt.ptr<i8>, #b>
  %y = arith.sitofp %x : tensor<128xi8, #b> to tensor<128xf16, #b>
  tt.store %tp, %y : tensor<128x!tt.ptr<f16>, #b>
  tt.return
}

// CHECK-LABEL: @unsigned
// CHECK-NOT: llvm.xor {{.*}} : vector<4xi8>
// CHECK: llvm.shufflevector %{{.*}} [0, 4, 1, 5] : vector<4xi8>
// CHECK: llvm.fsub %{{.*}} : vector<2xf16>
tt.func public @unsigned(%from: !tt.ptr<i8>, %to: !tt.ptr<f16>) {
  %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>
  %f = tt.splat %from : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>, #b>
  %fp = tt.addptr %f, %i : tensor<128x!tt.ptr<i8>, #b>, tensor<128xi32, #b>
  %t = tt.splat %to : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #b>
  %tp = tt.addptr %t, %i : tensor<128x!tt.ptr<f16>, #b>, tensor<128xi32, #b>
  %x = tt.load %fp : tensor<128x!tt.ptr<i8>, #b>
  %y = arith.uitofp %x : tensor<128xi8, #b> to tensor<128xf16, #b>
  tt.store %tp, %y : tensor<128x!tt.ptr<f16>, #b>
  tt.return
}

// CHECK-LABEL: @single
// CHECK: llvm.sitofp %{{.*}} : i8 to f16
tt.func public @single(%from: !tt.ptr<i8>, %to: !tt.ptr<f16>) {
  %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #one>
  %f = tt.splat %from : !tt.ptr<i8> -> tensor<32x!tt.ptr<i8>, #one>
  %fp = tt.addptr %f, %i : tensor<32x!tt.ptr<i8>, #one>, tensor<32xi32, #one>
  %t = tt.splat %to : !tt.ptr<f16> -> tensor<32x!tt.ptr<f16>, #one>
  %tp = tt.addptr %t, %i : tensor<32x!tt.ptr<f16>, #one>, tensor<32xi32, #one>
  %x = tt.load %fp : tensor<32x!tt.ptr<i8>, #one>
  %y = arith.sitofp %x : tensor<32xi8, #one> to tensor<32xf16, #one>
  tt.store %tp, %y : tensor<32x!tt.ptr<f16>, #one>
  tt.return
}

// CHECK-LABEL: @bf16
// CHECK: llvm.sitofp %{{.*}} : i8 to bf16
tt.func public @bf16(%from: !tt.ptr<i8>, %to: !tt.ptr<bf16>) {
  %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>
  %f = tt.splat %from : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>, #b>
  %fp = tt.addptr %f, %i : tensor<128x!tt.ptr<i8>, #b>, tensor<128xi32, #b>
  %t = tt.splat %to : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>, #b>
  %tp = tt.addptr %t, %i : tensor<128x!tt.ptr<bf16>, #b>, tensor<128xi32, #b>
  %x = tt.load %fp : tensor<128x!tt.ptr<i8>, #b>
  %y = arith.sitofp %x : tensor<128xi8, #b> to tensor<128xbf16, #b>
  tt.store %tp, %y : tensor<128x!tt.ptr<bf16>, #b>
  tt.return
}

// Values below 128 fit in bf16 as the fraction bits of 128, whose upper byte is 67; four bytes are shifted as one word.
// CHECK-LABEL: @nibbles
// CHECK-DAG: %[[EXPONENT:.*]] = llvm.mlir.constant(dense<67> : vector<4xi8>)
// CHECK-DAG: %[[LESS:.*]] = llvm.mlir.constant(dense<-1.280000e+02> : vector<2xbf16>)
// CHECK: %[[SHIFTED:.*]] = llvm.lshr %{{.*}} : i32
// CHECK: %[[BITS:.*]] = llvm.mlir.constant(252645135 : i32)
// CHECK: llvm.and %[[SHIFTED]], %[[BITS]] : i32
// CHECK: %[[WORD:.*]] = llvm.shufflevector %{{.*}}, %[[EXPONENT]] [0, 4, 1, 5] : vector<4xi8>
// CHECK: %[[PAIR:.*]] = llvm.bitcast %[[WORD]] : vector<4xi8> to vector<2xbf16>
// CHECK: llvm.intr.fma(%[[PAIR]], %{{.*}}, %[[LESS]])
// CHECK-NOT: llvm.sitofp
tt.func public @nibbles(%from: !tt.ptr<i8>, %to: !tt.ptr<bf16>) {
  %c4 = arith.constant dense<4> : tensor<128xi8, #b>
  %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>
  %f = tt.splat %from : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>, #b>
  %fp = tt.addptr %f, %i : tensor<128x!tt.ptr<i8>, #b>, tensor<128xi32, #b>
  %t = tt.splat %to : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>, #b>
  %tp = tt.addptr %t, %i : tensor<128x!tt.ptr<bf16>, #b>, tensor<128xi32, #b>
  %x = tt.load %fp : tensor<128x!tt.ptr<i8>, #b>
  %h = arith.shrui %x, %c4 : tensor<128xi8, #b>
  %y = arith.sitofp %h : tensor<128xi8, #b> to tensor<128xbf16, #b>
  tt.store %tp, %y : tensor<128x!tt.ptr<bf16>, #b>
  tt.return
}
}
