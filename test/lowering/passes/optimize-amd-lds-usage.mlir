// If all tiles together do not fit into LDS, tiles become layout conversions, the largest tile first. Other tiles stay.
// RUN: tcc-opt %s --optimize-amd-lds-usage | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {

// 64 and 32 KiB.
// CHECK-LABEL: tt.func public @large
tt.func public @large(%x: tensor<256x128xf16, #blocked>, %y: tensor<128x128xf16, #blocked>, %c: tensor<256x128xf32, #mma>) -> tensor<256x128xf32, #mma> {
  // CHECK-NOT: ttg.local_alloc %arg0
  // CHECK: %[[TILE:.*]] = ttg.local_alloc %arg1
  // CHECK: %[[A:.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<256x128xf16, #ttg.dot_op<{opIdx = 0,
  // CHECK: %[[B:.*]] = ttg.local_load %[[TILE]]
  // CHECK: tt.dot %[[A]], %[[B]]
  %0 = ttg.local_alloc %x : (tensor<256x128xf16, #blocked>) -> !ttg.memdesc<256x128xf16, #shared, #smem>
  %1 = ttg.local_alloc %y : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
  %2 = ttg.local_load %0 : !ttg.memdesc<256x128xf16, #shared, #smem> -> tensor<256x128xf16, #a>
  %3 = ttg.local_load %1 : !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf16, #b>
  %4 = tt.dot %2, %3, %c : tensor<256x128xf16, #a> * tensor<128x128xf16, #b> -> tensor<256x128xf32, #mma>
  tt.return %4 : tensor<256x128xf32, #mma>
}

// CHECK-LABEL: tt.func public @small
tt.func public @small(%x: tensor<128x128xf16, #blocked>, %y: tensor<128x128xf16, #blocked>, %c: tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma> {
  // CHECK-NOT: ttg.convert_layout
  // CHECK: ttg.local_alloc %arg0
  // CHECK: ttg.local_alloc %arg1
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  %0 = ttg.local_alloc %x : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
  %1 = ttg.local_alloc %y : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
  %2 = ttg.local_load %0 : !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf16, #a>
  %3 = ttg.local_load %1 : !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf16, #b>
  %4 = tt.dot %2, %3, %c : tensor<128x128xf16, #a> * tensor<128x128xf16, #b> -> tensor<128x128xf32, #mma>
  tt.return %4 : tensor<128x128xf32, #mma>
}
}
