// RUN: tcc-opt %s --test-print-allocation -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALLOCATION
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// ALLOCATION: remark: two
// ALLOCATION: remark: offset = [[#FIRST:]], size = 1024
// ALLOCATION: remark: offset = {{[0-9]+}}, size = 1024
// ALLOCATION: remark: scratch offset = {{[0-9]+}}, size = 1024
// ALLOCATION: remark: size = {{[0-9]+}}
tt.func public @two(%v: tensor<16x16xf32, #b>, %which: i1) -> tensor<16x16xf32, #c> {
  %x = ttg.local_alloc %v : (tensor<16x16xf32, #b>) -> !ttg.memdesc<16x16xf32, #shared, #smem>
  %y = ttg.local_alloc %v : (tensor<16x16xf32, #b>) -> !ttg.memdesc<16x16xf32, #shared, #smem>
  %z = scf.if %which -> !ttg.memdesc<16x16xf32, #shared, #smem> {
    scf.yield %x : !ttg.memdesc<16x16xf32, #shared, #smem>
  } else {
    scf.yield %y : !ttg.memdesc<16x16xf32, #shared, #smem>
  }
  %t = ttg.memdesc_trans %z {order = array<i32: 1, 0>} : !ttg.memdesc<16x16xf32, #shared, #smem> -> !ttg.memdesc<16x16xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>, #smem>
  %l = ttg.local_load %z : !ttg.memdesc<16x16xf32, #shared, #smem> -> tensor<16x16xf32, #b>
  %r = ttg.convert_layout %l : tensor<16x16xf32, #b> -> tensor<16x16xf32, #c>
  tt.return %r : tensor<16x16xf32, #c>
}

// Scratch buffers that are needed one after the other share memory, with a barrier; keeping them apart would take too
// much memory.
// ALLOCATION: remark: after
// ALLOCATION: remark: scratch offset = 0, size = 16384
// ALLOCATION: remark: scratch offset = 0, size = 16384
// ALLOCATION: remark: size = 16384
tt.func public @after(%v: tensor<64x64xf32, #b>, %w: tensor<64x64xf32, #b>) -> (tensor<64x64xf32, #c>, tensor<64x64xf32, #c>) {
  %x = ttg.convert_layout %v : tensor<64x64xf32, #b> -> tensor<64x64xf32, #c>
  %y = ttg.convert_layout %w : tensor<64x64xf32, #b> -> tensor<64x64xf32, #c>
  tt.return %x, %y : tensor<64x64xf32, #c>, tensor<64x64xf32, #c>
}

// The buffers of two branches share memory; a buffer that is live across both does not.
// ALLOCATION: remark: branches
// ALLOCATION: remark: offset = [[#THROUGH:]], size = 16384
// ALLOCATION: remark: offset = [[#BRANCH:]], size = 16384
// ALLOCATION: remark: offset = [[#BRANCH]], size = 16384
// ALLOCATION: remark: size = 32768
tt.func public @branches(%v: tensor<64x64xf32, #b>, %which: i1) -> tensor<64x64xf32, #c> {
  %x = ttg.local_alloc %v : (tensor<64x64xf32, #b>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
  %z = scf.if %which -> tensor<64x64xf32, #c> {
    %y = ttg.local_alloc %v : (tensor<64x64xf32, #b>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %l = ttg.local_load %y : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #c>
    scf.yield %l : tensor<64x64xf32, #c>
  } else {
    %w = arith.negf %v : tensor<64x64xf32, #b>
    %y = ttg.local_alloc %w : (tensor<64x64xf32, #b>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %l = ttg.local_load %y : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #c>
    scf.yield %l : tensor<64x64xf32, #c>
  }
  %l = ttg.local_load %x : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #c>
  %r = arith.addf %l, %z : tensor<64x64xf32, #c>
  tt.return %r : tensor<64x64xf32, #c>
}
}
