// RUN: tcc-opt %s --tritongpu-reduce-data-duplication | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#a8 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#a32 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>

// The swizzles equal Triton's where those have no bank conflicts.
// CHECK-DAG: [[R64:#shared[0-9]*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// CHECK-DAG: [[C64:#shared[0-9]*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
// CHECK-DAG: [[R32:#shared[0-9]*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
// CHECK-DAG: [[T32:#shared[0-9]*]] = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// CHECK-DAG: [[B8:#shared[0-9]*]] = #ttg.swizzled_shared<{vec = 16, perPhase = 2, maxPhase = 4, order = [1, 0]}>

// Loads are placed at their uses.
// CHECK-LABEL: @half
// CHECK: [[M:%.*]] = ttg.local_alloc %arg0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, [[R64]], #smem>
// CHECK: ttg.local_alloc %arg1 : {{.*}} -> !ttg.memdesc<64x64xf16, [[C64]], #smem>
// CHECK: ttg.local_alloc %arg2 : {{.*}} -> !ttg.memdesc<64x32xf16, [[R32]], #smem>
// CHECK: ttg.local_load [[M]] : !ttg.memdesc<64x64xf16, [[R64]], #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
// CHECK-NOT: convert_layout
tt.func public @half(%x: tensor<64x64xf16, #rows>, %y: tensor<64x64xf16, #columns>, %z: tensor<64x32xf16, #rows>) -> (tensor<64x64xf16, #a>, tensor<64x64xf16, #b>, tensor<64x32xf16, #a>) {
  %0 = ttg.convert_layout %x : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #a>
  %1 = ttg.convert_layout %y : tensor<64x64xf16, #columns> -> tensor<64x64xf16, #b>
  %2 = ttg.convert_layout %z : tensor<64x32xf16, #rows> -> tensor<64x32xf16, #a>
  tt.return %0, %1, %2 : tensor<64x64xf16, #a>, tensor<64x64xf16, #b>, tensor<64x32xf16, #a>
}

// CHECK-LABEL: @others
// CHECK: ttg.local_alloc %arg0 : {{.*}} -> !ttg.memdesc<64x32xf32, [[T32]], #smem>
// CHECK: ttg.local_alloc %arg1 : {{.*}} -> !ttg.memdesc<64x64xi8, [[B8]], #smem>
tt.func public @others(%x: tensor<64x32xf32, #rows>, %y: tensor<64x64xi8, #rows>) -> (tensor<64x32xf32, #a32>, tensor<64x64xi8, #a8>) {
  %0 = ttg.convert_layout %x : tensor<64x32xf32, #rows> -> tensor<64x32xf32, #a32>
  %1 = ttg.convert_layout %y : tensor<64x64xi8, #rows> -> tensor<64x64xi8, #a8>
  tt.return %0, %1 : tensor<64x32xf32, #a32>, tensor<64x64xi8, #a8>
}

// If each row belongs to one warp, the result of a dot already has the layout of another dot's operand.
// CHECK-LABEL: @in_registers
// CHECK-NEXT: ttg.convert_layout
// CHECK-NEXT: tt.return
tt.func public @in_registers(%x: tensor<64x64xf16, #mma>) -> tensor<64x64xf16, #a> {
  %0 = ttg.convert_layout %x : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
  tt.return %0 : tensor<64x64xf16, #a>
}
