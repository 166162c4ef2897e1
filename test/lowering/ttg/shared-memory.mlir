// Tiles in shared memory, matrix units and linear layouts print as they were read, and as Triton prints them
// (interop/layouts.test asks Triton).
// RUN: tcc-opt %s | tcc-opt | FileCheck %s
// RUN: tcc-opt %s --canonicalize --cse | FileCheck %s --check-prefix=EFFECTS

// CHECK-DAG: #blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// CHECK-DAG: #linear = #ttg.linear<{register = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [32, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [0, 0]], block = []}>
#linear = #ttg.linear<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [0, 0]], block = []}>
// CHECK-DAG: [[ROWS:#shared[0-9]*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#rows = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// CHECK-DAG: [[COLUMNS:#shared[0-9]*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#columns = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
// CHECK-DAG: [[PADDED:#shared[0-9]*]] = #ttg.padded_shared<[64:+8, 512:+16] {order = [1, 0], shape = [64, 64]}>
#padded = #ttg.padded_shared<[64:+8, 512:+16] {offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], block = []}>
// CHECK-DAG: [[PERMUTED:#shared[0-9]*]] = #ttg.padded_shared<[64:+8] {offset = {{\[\[}}0, 2], [0, 1], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], block = []}>
#permuted = #ttg.padded_shared<[64:+8] {offset = [[0, 2], [0, 1], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], block = []}>
// CHECK-DAG: [[LINEAR:#shared[0-9]*]] = #ttg.shared_linear<{offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 1], [2, 2], [4, 4], [8, 8], [16, 0], [32, 0]]}, alignment = 32>
#diagonal = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 1], [2, 2], [4, 4], [8, 8], [16, 0], [32, 0]]}, alignment = 32>
// CHECK-DAG: #smem = #ttg.shared_memory
#smem = #ttg.shared_memory

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @memory
  tt.func public @memory(%p: tensor<64x64x!tt.ptr<bf16>, #blocked>, %m: tensor<64x64xi1, #blocked>, %x: tensor<64x64xbf16, #blocked>, %i: i32, %linear: tensor<64x64xf32, #linear>) {
    // CHECK: ttg.local_alloc : () -> !ttg.memdesc<3x64x64xbf16, [[ROWS]], #smem, mutable>
    %several = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xbf16, #rows, #smem, mutable>
    // CHECK: ttg.local_alloc %arg2 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, [[ROWS]], #smem>
    %filled = ttg.local_alloc %x : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #rows, #smem>
    // CHECK: ttg.local_alloc %arg2 {alignment = 128 : i32} : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, [[PADDED]], #smem>
    %padded = ttg.local_alloc %x {alignment = 128 : i32} : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #padded, #smem>
    // CHECK: ttg.local_alloc %arg2 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, [[PERMUTED]], #smem>
    %permuted = ttg.local_alloc %x : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #permuted, #smem>
    // CHECK: ttg.local_alloc %arg2 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, [[LINEAR]], #smem>
    %diagonal = ttg.local_alloc %x : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #diagonal, #smem>
    // CHECK: [[ONE:%.*]] = ttg.memdesc_index %{{.*}}[%arg3] : !ttg.memdesc<3x64x64xbf16, [[ROWS]], #smem, mutable> -> !ttg.memdesc<64x64xbf16, [[ROWS]], #smem, mutable>
    %one = ttg.memdesc_index %several[%i] : !ttg.memdesc<3x64x64xbf16, #rows, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #rows, #smem, mutable>
    // CHECK: ttg.memdesc_subslice [[ONE]][0, 32] : !ttg.memdesc<64x64xbf16, [[ROWS]], #smem, mutable> -> !ttg.memdesc<64x32xbf16, [[ROWS]], #smem, mutable, 64x64>
    %part = ttg.memdesc_subslice %one[0, 32] : !ttg.memdesc<64x64xbf16, #rows, #smem, mutable> -> !ttg.memdesc<64x32xbf16, #rows, #smem, mutable, 64x64>
    // CHECK: ttg.memdesc_trans %{{.*}} {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xbf16, [[ROWS]], #smem> -> !ttg.memdesc<64x64xbf16, [[COLUMNS]], #smem>
    %trans = ttg.memdesc_trans %filled {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xbf16, #rows, #smem> -> !ttg.memdesc<64x64xbf16, #columns, #smem>
    // CHECK: ttg.memdesc_reinterpret [[ONE]] : !ttg.memdesc<64x64xbf16, [[ROWS]], #smem, mutable> -> !ttg.memdesc<64x32xf32, [[COLUMNS]], #smem, mutable>
    %words = ttg.memdesc_reinterpret %one : !ttg.memdesc<64x64xbf16, #rows, #smem, mutable> -> !ttg.memdesc<64x32xf32, #columns, #smem, mutable>
    // CHECK: [[C0:%.*]] = ttg.async_copy_global_to_local %arg0, [[ONE]] mask %arg1 other %arg2 cacheModifier = cg evictionPolicy = evict_first {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<bf16>, #blocked> -> <64x64xbf16, [[ROWS]], #smem, mutable>
    %c0 = ttg.async_copy_global_to_local %p, %one mask %m other %x cacheModifier = cg evictionPolicy = evict_first {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<bf16>, #blocked> -> <64x64xbf16, #rows, #smem, mutable>
    // CHECK: [[C1:%.*]] = ttg.async_copy_global_to_local %arg0, [[ONE]] : tensor<64x64x!tt.ptr<bf16>, #blocked> -> <64x64xbf16, [[ROWS]], #smem, mutable>
    %c1 = ttg.async_copy_global_to_local %p, %one : tensor<64x64x!tt.ptr<bf16>, #blocked> -> <64x64xbf16, #rows, #smem, mutable>
    // CHECK: [[GROUP:%.*]] = ttg.async_commit_group tokens [[C0]], [[C1]]
    %group = ttg.async_commit_group tokens %c0, %c1
    // CHECK: ttg.async_commit_group
    // CHECK-NOT: tokens
    %empty = ttg.async_commit_group
    // CHECK: [[WAIT:%.*]] = ttg.async_wait [[GROUP]] {num = 1 : i32}
    %wait = ttg.async_wait %group {num = 1 : i32}
    // CHECK: ttg.async_wait {num = 0 : i32}
    %all = ttg.async_wait {num = 0 : i32}
    // CHECK: ttg.local_load [[ONE]] token [[WAIT]] : !ttg.memdesc<64x64xbf16, [[ROWS]], #smem, mutable> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %a = ttg.local_load %one token %wait : !ttg.memdesc<64x64xbf16, #rows, #smem, mutable> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    // CHECK: ttg.local_load %{{.*}} : !ttg.memdesc<64x64xbf16, [[COLUMNS]], #smem> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %b = ttg.local_load %trans : !ttg.memdesc<64x64xbf16, #columns, #smem> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    // CHECK: ttg.local_store %arg2, [[ONE]] : tensor<64x64xbf16, #blocked> -> !ttg.memdesc<64x64xbf16, [[ROWS]], #smem, mutable>
    ttg.local_store %x, %one : tensor<64x64xbf16, #blocked> -> !ttg.memdesc<64x64xbf16, #rows, #smem, mutable>
    // CHECK: ttg.local_dealloc %{{.*}} : !ttg.memdesc<3x64x64xbf16, [[ROWS]], #smem, mutable>
    ttg.local_dealloc %several : !ttg.memdesc<3x64x64xbf16, #rows, #smem, mutable>
    tt.return
  }

  // A tile that is written once and never read is removed, and equal ones are merged; memory that is written to stays.
  // EFFECTS-LABEL: @effects
  // EFFECTS-NEXT: [[X:%.*]] = ttg.local_alloc %arg0 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared{{[0-9]*}}, #smem>
  // EFFECTS-NEXT: [[SEVERAL:%.*]] = ttg.local_alloc : ()
  // EFFECTS-NEXT: [[ONE:%.*]] = ttg.memdesc_index [[SEVERAL]]
  // EFFECTS-NEXT: ttg.local_store %arg0, [[ONE]]
  // EFFECTS-NEXT: [[LOADED:%.*]] = ttg.local_load [[X]]
  // EFFECTS-NEXT: tt.return [[LOADED]], [[LOADED]]
  tt.func public @effects(%x: tensor<64x64xbf16, #blocked>, %i: i32) -> (tensor<64x64xbf16, #blocked>, tensor<64x64xbf16, #blocked>) {
    %never = ttg.local_alloc %x : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #columns, #smem>
    %0 = ttg.local_alloc %x : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #rows, #smem>
    %1 = ttg.local_alloc %x : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #rows, #smem>
    %several = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xbf16, #rows, #smem, mutable>
    %one = ttg.memdesc_index %several[%i] : !ttg.memdesc<3x64x64xbf16, #rows, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #rows, #smem, mutable>
    ttg.local_store %x, %one : tensor<64x64xbf16, #blocked> -> !ttg.memdesc<64x64xbf16, #rows, #smem, mutable>
    %2 = ttg.local_load %0 : !ttg.memdesc<64x64xbf16, #rows, #smem> -> tensor<64x64xbf16, #blocked>
    %3 = ttg.local_load %1 : !ttg.memdesc<64x64xbf16, #rows, #smem> -> tensor<64x64xbf16, #blocked>
    tt.return %2, %3 : tensor<64x64xbf16, #blocked>, tensor<64x64xbf16, #blocked>
  }
}
