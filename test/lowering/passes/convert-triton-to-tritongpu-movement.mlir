// Operations that only rename coordinates move no elements: the layout of the result is the layout of the operand in
// the new coordinates.
// RUN: tcc-opt %s --convert-triton-to-tritongpu="target=cuda:90 num-warps=4" | FileCheck %s

// CHECK-DAG: [[ROW:#.*]] = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
// CHECK-DAG: [[COLUMN:#.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: [[LINE:#.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: [[PAIRS:#.*]] = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: [[CUBE:#.*]] = #ttg.blocked<{sizePerThread = [8, 1, 1], threadsPerWarp = [1, 4, 8], warpsPerCTA = [1, 4, 1], order = [0, 2, 1]}>

// CHECK-LABEL: @trans
// CHECK: tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<8x128xf32, [[ROW]]> -> tensor<128x8xf32, [[COLUMN]]>
// CHECK-NEXT: ttg.convert_layout
tt.func @trans(%x: tensor<8x128xf32>) -> tensor<128x8xf32> {
  %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<8x128xf32> -> tensor<128x8xf32>
  tt.return %0 : tensor<128x8xf32>
}

// CHECK-LABEL: @reshape
// CHECK: tt.reshape %{{.*}} : tensor<8x128xf32, [[ROW]]> -> tensor<8x16x8xf32, [[CUBE]]>
// CHECK-NEXT: ttg.convert_layout
tt.func @reshape(%x: tensor<8x128xf32>) -> tensor<8x16x8xf32> {
  %0 = tt.reshape %x : tensor<8x128xf32> -> tensor<8x16x8xf32>
  tt.return %0 : tensor<8x16x8xf32>
}

// Both halves are in each thread: a join produces that, and a split requires it.
// CHECK-LABEL: @halves
// CHECK: tt.join %{{.*}}, %{{.*}} : tensor<128xf32, [[LINE]]> -> tensor<128x2xf32, [[PAIRS]]>
// CHECK: %[[C:.*]] = ttg.convert_layout %arg1 : tensor<128x2xf32, {{.*}}> -> tensor<128x2xf32, [[PAIRS]]>
// CHECK: tt.split %[[C]] : tensor<128x2xf32, [[PAIRS]]> -> tensor<128xf32, [[LINE]]>
tt.func @halves(%x: tensor<128xf32>, %y: tensor<128x2xf32>) -> (tensor<128x2xf32>, tensor<128xf32>) {
  %0 = tt.join %x, %x : tensor<128xf32> -> tensor<128x2xf32>
  %1, %2 = tt.split %y : tensor<128x2xf32> -> tensor<128xf32>
  tt.return %0, %2 : tensor<128x2xf32>, tensor<128xf32>
}

// A concatenation in any order is side by side in each thread.
// CHECK-LABEL: @cat
// CHECK: %[[J:.*]] = tt.join %arg0, %arg1 : tensor<128xf32, [[LINE]]> -> tensor<128x2xf32, [[PAIRS]]>
// CHECK-NOT: tt.cat
// CHECK: tt.reshape %{{.*}} allow_reorder : tensor<128x2xf32, {{.*}}> -> tensor<256xf32, {{.*}}>
tt.func @cat(%x: tensor<128xf32>, %y: tensor<128xf32>) -> tensor<256xf32> {
  %0 = tt.cat %x, %y : tensor<128xf32> -> tensor<256xf32>
  tt.return %0 : tensor<256xf32>
}
