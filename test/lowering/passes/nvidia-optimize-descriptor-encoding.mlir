// Descriptors that are parameters get the encoding for which Triton's launchers create tensor maps. Loaded blocks are
// in shared memory, from where users that need them in registers load them.
// RUN: tcc-opt %s --triton-nvidia-optimize-descriptor-encoding | FileCheck %s

// CHECK-DAG: #[[WIDE:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[NARROW:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 8}>
// CHECK-DAG: #[[LINE:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, rank = 1}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: @loads
// CHECK-SAME: !tt.tensordesc<tensor<64x64xf16, #[[WIDE]]>>, %{{.*}}: !tt.tensordesc<tensor<1x64x32xi8, #{{.*}}>>, %{{.*}}: !tt.tensordesc<tensor<256xf32, #[[LINE]]>>
tt.func @loads(%a: !tt.tensordesc<64x64xf16>, %b: !tt.tensordesc<tensor<1x64x32xi8>>, %c: !tt.tensordesc<256xf32>, %i: i32)
    -> (tensor<64x64xf16, #columns>, !ttg.memdesc<64x64xf16, #shared, #smem>, tensor<64x32xi8, #rows>, tensor<256xf32, #line>) {
  // CHECK: %[[X:.*]] = tt.descriptor_load
  // CHECK-NEXT: %[[TILE:.*]] = ttg.local_alloc %[[X]] : ({{.*}}) -> !ttg.memdesc<64x64xf16, #[[WIDE]], #smem>
  // CHECK-NEXT: %[[HELD:.*]] = ttg.local_load %[[TILE]] : {{.*}} -> tensor<64x64xf16, #blocked>
  %x = tt.descriptor_load %a[%i, %i] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #rows>
  %turned = ttg.convert_layout %x : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #columns>
  %operand = ttg.local_alloc %x : (tensor<64x64xf16, #rows>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  // A tile may omit leading axes of size one.
  // CHECK: ttg.local_alloc %{{.*}} : ({{.*}}) -> !ttg.memdesc<64x32xi8, #[[NARROW]], #smem>
  %y = tt.descriptor_load %b[%i, %i, %i] : !tt.tensordesc<tensor<1x64x32xi8>> -> tensor<64x32xi8, #rows>
  // CHECK: ttg.local_alloc %{{.*}} : ({{.*}}) -> !ttg.memdesc<256xf32, #[[LINE]], #smem>
  %z = tt.descriptor_load %c[%i] : !tt.tensordesc<256xf32> -> tensor<256xf32, #line>
  // CHECK: tt.return %[[HELD]], %[[TILE]],
  tt.return %turned, %operand, %y, %z : tensor<64x64xf16, #columns>, !ttg.memdesc<64x64xf16, #shared, #smem>, tensor<64x32xi8, #rows>, tensor<256xf32, #line>
}
}
