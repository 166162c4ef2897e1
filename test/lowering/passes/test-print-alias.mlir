// RUN: tcc-opt %s --test-print-alias -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALIAS
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// ALIAS: remark: two
// ALIAS: remark: %[[X:.*]] -> %[[X]]{{$}}
// ALIAS: remark: %[[Y:.*]] -> %[[Y]]{{$}}
// ALIAS: remark: %{{.*}} -> %[[X]],%[[Y]]{{$}}
// ALIAS: remark: %{{.*}} -> %[[X]],%[[Y]]{{$}}
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

// A loop that exchanges its loop-carried values may have either in each; views alias the tile that they are views of.
// ALIAS: remark: exchanged
// ALIAS: remark: %[[X:.*]] -> %[[X]]{{$}}
// ALIAS: remark: %[[Y:.*]] -> %[[Y]]{{$}}
// ALIAS: remark: %{{arg[0-9]+}} -> %[[X]],%[[Y]]{{$}}
// ALIAS: remark: %{{arg[0-9]+}} -> %[[Y]],%[[X]]{{$}}
// ALIAS: remark: %{{[0-9]+}}#0 -> %[[X]],%[[Y]]{{$}}
// ALIAS: remark: %{{[0-9]+}}#1 -> %[[Y]],%[[X]]{{$}}
// ALIAS: remark: %[[PART:.*]] -> %[[X]],%[[Y]]{{$}}
tt.func public @exchanged(%v: tensor<16x16xf32, #b>, %n: i32) -> tensor<8x16xf32, #b> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = ttg.local_alloc %v : (tensor<16x16xf32, #b>) -> !ttg.memdesc<16x16xf32, #shared, #smem>
  %y = ttg.local_alloc %v : (tensor<16x16xf32, #b>) -> !ttg.memdesc<16x16xf32, #shared, #smem>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (!ttg.memdesc<16x16xf32, #shared, #smem>, !ttg.memdesc<16x16xf32, #shared, #smem>) : i32 {
    scf.yield %q, %p : !ttg.memdesc<16x16xf32, #shared, #smem>, !ttg.memdesc<16x16xf32, #shared, #smem>
  }
  %part = ttg.memdesc_subslice %r#0[8, 0] : !ttg.memdesc<16x16xf32, #shared, #smem> -> !ttg.memdesc<8x16xf32, #shared, #smem, 16x16>
  %l = ttg.local_load %part : !ttg.memdesc<8x16xf32, #shared, #smem, 16x16> -> tensor<8x16xf32, #b>
  tt.return %l : tensor<8x16xf32, #b>
}

// A tile that a branch in a loop creates is used by the next iteration; the loop may also have no iteration.
// ALIAS: remark: anew
// ALIAS: remark: %[[X:.*]] -> %[[X]]{{$}}
// ALIAS: remark: %[[NEW:[0-9]+]] -> %[[NEW]]{{$}}
// ALIAS: remark: %{{[0-9]+}} -> %[[NEW]],%[[X]]{{$}}
// ALIAS: remark: %{{arg[0-9]+}} -> %[[X]],%[[NEW]]{{$}}
// ALIAS: remark: %{{[0-9]+}} -> %[[X]],%[[NEW]]{{$}}
tt.func public @anew(%v: tensor<16x16xf32, #b>, %n: i32, %which: i1) -> tensor<16x16xf32, #b> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = ttg.local_alloc %v : (tensor<16x16xf32, #b>) -> !ttg.memdesc<16x16xf32, #shared, #smem>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (!ttg.memdesc<16x16xf32, #shared, #smem>) : i32 {
    %next = scf.if %which -> !ttg.memdesc<16x16xf32, #shared, #smem> {
      %new = ttg.local_alloc %v : (tensor<16x16xf32, #b>) -> !ttg.memdesc<16x16xf32, #shared, #smem>
      scf.yield %new : !ttg.memdesc<16x16xf32, #shared, #smem>
    } else {
      scf.yield %p : !ttg.memdesc<16x16xf32, #shared, #smem>
    }
    scf.yield %next : !ttg.memdesc<16x16xf32, #shared, #smem>
  }
  %l = ttg.local_load %r : !ttg.memdesc<16x16xf32, #shared, #smem> -> tensor<16x16xf32, #b>
  tt.return %l : tensor<16x16xf32, #b>
}
}
