// RUN: tcc-opt %s --test-print-membar | FileCheck %s --check-prefix=MEMBAR
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// MEMBAR-LABEL: @two
// MEMBAR: ttg.local_alloc
// MEMBAR: cf.cond_br
// MEMBAR: ttg.local_barrier
// MEMBAR-NEXT: ttg.local_load
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

// Both branches have a barrier: no barrier is needed behind them.
// MEMBAR-LABEL: @both
// MEMBAR: ttg.local_barrier
// MEMBAR-NEXT: ttg.local_load
// MEMBAR: ttg.local_barrier
// MEMBAR-NEXT: ttg.local_load
// MEMBAR-NOT: ttg.local_barrier
// MEMBAR: tt.return
tt.func public @both(%v: tensor<16x16xf32, #b>, %which: i1) -> (tensor<16x16xf32, #b>, tensor<16x16xf32, #b>) {
  %x = ttg.local_alloc %v : (tensor<16x16xf32, #b>) -> !ttg.memdesc<16x16xf32, #shared, #smem>
  %a = scf.if %which -> tensor<16x16xf32, #b> {
    %l = ttg.local_load %x : !ttg.memdesc<16x16xf32, #shared, #smem> -> tensor<16x16xf32, #b>
    scf.yield %l : tensor<16x16xf32, #b>
  } else {
    %l = ttg.local_load %x : !ttg.memdesc<16x16xf32, #shared, #smem> -> tensor<16x16xf32, #b>
    %m = arith.negf %l : tensor<16x16xf32, #b>
    scf.yield %m : tensor<16x16xf32, #b>
  }
  %l = ttg.local_load %x : !ttg.memdesc<16x16xf32, #shared, #smem> -> tensor<16x16xf32, #b>
  tt.return %a, %l : tensor<16x16xf32, #b>, tensor<16x16xf32, #b>
}

// One branch has none: a barrier is needed behind them.
// MEMBAR-LABEL: @one
// MEMBAR: ttg.local_barrier
// MEMBAR-NEXT: ttg.local_load
// MEMBAR: ttg.local_barrier
// MEMBAR-NEXT: ttg.local_load
tt.func public @one(%v: tensor<16x16xf32, #b>, %which: i1) -> (tensor<16x16xf32, #b>, tensor<16x16xf32, #b>) {
  %x = ttg.local_alloc %v : (tensor<16x16xf32, #b>) -> !ttg.memdesc<16x16xf32, #shared, #smem>
  %a = scf.if %which -> tensor<16x16xf32, #b> {
    %l = ttg.local_load %x : !ttg.memdesc<16x16xf32, #shared, #smem> -> tensor<16x16xf32, #b>
    scf.yield %l : tensor<16x16xf32, #b>
  } else {
    scf.yield %v : tensor<16x16xf32, #b>
  }
  %l = ttg.local_load %x : !ttg.memdesc<16x16xf32, #shared, #smem> -> tensor<16x16xf32, #b>
  tt.return %a, %l : tensor<16x16xf32, #b>, tensor<16x16xf32, #b>
}

// The next iteration may write what this one reads, also if the loop exchanges its loop-carried values.
// MEMBAR-LABEL: @exchanged
// MEMBAR: ttg.local_barrier
// MEMBAR-NEXT: ttg.local_load
// MEMBAR: ttg.local_barrier
// MEMBAR-NEXT: ttg.local_store
tt.func public @exchanged(%v: tensor<16x16xf32, #b>, %n: i32) -> tensor<16x16xf32, #b> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %y = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttg.local_store %v, %x : tensor<16x16xf32, #b> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v, %p = %x, %q = %y) -> (tensor<16x16xf32, #b>, !ttg.memdesc<16x16xf32, #shared, #smem, mutable>, !ttg.memdesc<16x16xf32, #shared, #smem, mutable>) : i32 {
    %l = ttg.local_load %p : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #b>
    %sum = arith.addf %s, %l : tensor<16x16xf32, #b>
    ttg.local_store %sum, %q : tensor<16x16xf32, #b> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
    scf.yield %sum, %q, %p : tensor<16x16xf32, #b>, !ttg.memdesc<16x16xf32, #shared, #smem, mutable>, !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  }
  tt.return %r#0 : tensor<16x16xf32, #b>
}

// A slot that is viewed as tiles of another size overlaps all of them.
// MEMBAR-LABEL: @reinterpreted
// MEMBAR: ttg.local_store
// MEMBAR: ttg.local_barrier
// MEMBAR-NEXT: ttg.local_load
tt.func public @reinterpreted(%v: tensor<16x16xf32, #b>) -> tensor<16x16xf16, #b> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %slots = ttg.local_alloc : () -> !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable>
  %first = ttg.memdesc_index %slots[%c0] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttg.local_store %v, %first : tensor<16x16xf32, #b> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %halves = ttg.memdesc_reinterpret %slots : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<4x16x16xf16, #shared, #smem, mutable>
  %second = ttg.memdesc_index %halves[%c1] : !ttg.memdesc<4x16x16xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
  %l = ttg.local_load %second : !ttg.memdesc<16x16xf16, #shared, #smem, mutable> -> tensor<16x16xf16, #b>
  tt.return %l : tensor<16x16xf16, #b>
}
}
