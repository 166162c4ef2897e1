// Operands and results of dots get the layouts of the matrix unit of Intel's GPUs.
// RUN: tcc-opt %s --tritonintelgpu-accelerate-matmul | FileCheck %s
// A target without the unit does not change.
// RUN: sed s/spirv:intel/spirv:16/ %s | tcc-opt --tritonintelgpu-accelerate-matmul | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: ttig

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [1, 1, 16], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
#a3 = #ttg.dot_op<{opIdx = 0, parent = #blocked3}>
#b3 = #ttg.dot_op<{opIdx = 1, parent = #blocked3}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "spirv:intel", "ttg.threads-per-warp" = 16 : i32} {
// CHECK-DAG: #[[SQUARE:.*]] = #ttig.dpas<{repeatCount = 8, warpsPerCTA = [4, 1]}>
// CHECK-DAG: #[[FEW:.*]] = #ttig.dpas<{repeatCount = 4, warpsPerCTA = [1, 4]}>
// CHECK-DAG: #[[BATCH:.*]] = #ttig.dpas<{repeatCount = 8, warpsPerCTA = [4, 1, 1]}>

// CHECK-LABEL: tt.func public @halves
tt.func public @halves(%a: tensor<64x32xf16, #a>, %b: tensor<32x64xf16, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK: %[[A:.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #[[SQUARE]], kWidth = 1}>>
  // CHECK: %[[B:.*]] = ttg.convert_layout %arg1 : {{.*}} -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[SQUARE]], kWidth = 1}>>
  // CHECK: %[[C:.*]] = ttg.convert_layout %arg2 : {{.*}} -> tensor<64x64xf32, #[[SQUARE]]>
  // CHECK: %[[D:.*]] = tt.dot %[[A]], %[[B]], %[[C]]{{.*}} -> tensor<64x64xf32, #[[SQUARE]]>
  // CHECK: ttg.convert_layout %[[D]] : {{.*}} -> tensor<64x64xf32, #blocked>
  %0 = tt.dot %a, %b, %c : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #blocked>
  tt.return %0 : tensor<64x64xf32, #blocked>
}

// Two bytes fill what a lane passes of a row.
// CHECK-LABEL: tt.func public @bytes
tt.func public @bytes(%a: tensor<64x32xi8, #a>, %b: tensor<32x64xi8, #b>, %c: tensor<64x64xi32, #blocked>) -> tensor<64x64xi32, #blocked> {
  // CHECK: tt.dot {{.*}}kWidth = 2}>> -> tensor<64x64xi32, #[[SQUARE]]>
  %0 = tt.dot %a, %b, %c : tensor<64x32xi8, #a> * tensor<32x64xi8, #b> -> tensor<64x64xi32, #blocked>
  tt.return %0 : tensor<64x64xi32, #blocked>
}

// CHECK-LABEL: tt.func public @few
tt.func public @few(%a: tensor<4x32xbf16, #a>, %b: tensor<32x64xbf16, #b>, %c: tensor<4x64xf32, #blocked>) -> tensor<4x64xf32, #blocked> {
  // CHECK: tt.dot {{.*}} -> tensor<4x64xf32, #[[FEW]]>
  %0 = tt.dot %a, %b, %c : tensor<4x32xbf16, #a> * tensor<32x64xbf16, #b> -> tensor<4x64xf32, #blocked>
  tt.return %0 : tensor<4x64xf32, #blocked>
}

// CHECK-LABEL: tt.func public @batch
tt.func public @batch(%a: tensor<4x16x32xf16, #a3>, %b: tensor<4x32x16xf16, #b3>, %c: tensor<4x16x16xf32, #blocked3>) -> tensor<4x16x16xf32, #blocked3> {
  // CHECK: tt.dot {{.*}} -> tensor<4x16x16xf32, #[[BATCH]]>
  %0 = tt.dot %a, %b, %c : tensor<4x16x32xf16, #a3> * tensor<4x32x16xf16, #b3> -> tensor<4x16x16xf32, #blocked3>
  tt.return %0 : tensor<4x16x16xf32, #blocked3>
}

// The unit does not multiply f32, and bytes need a depth of 32. A tile of 8 columns would waste half of it.
// CHECK-LABEL: tt.func public @floats
tt.func public @floats(%a: tensor<64x32xf32, #a>, %b: tensor<32x64xf32, #b>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
  // CHECK-NOT: convert_layout
  // CHECK: tt.dot {{.*}} -> tensor<64x64xf32, #blocked>
  %0 = tt.dot %a, %b, %c : tensor<64x32xf32, #a> * tensor<32x64xf32, #b> -> tensor<64x64xf32, #blocked>
  tt.return %0 : tensor<64x64xf32, #blocked>
}
// CHECK-LABEL: tt.func public @shallow
tt.func public @shallow(%a: tensor<64x16xi8, #a>, %b: tensor<16x64xi8, #b>, %c: tensor<64x64xi32, #blocked>) -> tensor<64x64xi32, #blocked> {
  // CHECK-NOT: convert_layout
  // CHECK: tt.dot {{.*}} -> tensor<64x64xi32, #blocked>
  %0 = tt.dot %a, %b, %c : tensor<64x16xi8, #a> * tensor<16x64xi8, #b> -> tensor<64x64xi32, #blocked>
  tt.return %0 : tensor<64x64xi32, #blocked>
}
// CHECK-LABEL: tt.func public @narrow
tt.func public @narrow(%a: tensor<64x32xf16, #a>, %b: tensor<32x8xf16, #b>, %c: tensor<64x8xf32, #blocked>) -> tensor<64x8xf32, #blocked> {
  // CHECK-NOT: convert_layout
  // CHECK: tt.dot {{.*}} -> tensor<64x8xf32, #blocked>
  %0 = tt.dot %a, %b, %c : tensor<64x32xf16, #a> * tensor<32x8xf16, #b> -> tensor<64x8xf32, #blocked>
  tt.return %0 : tensor<64x8xf32, #blocked>
}
}
