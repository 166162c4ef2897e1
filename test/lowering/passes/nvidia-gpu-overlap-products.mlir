// RUN: tcc-opt %s --triton-nvidia-gpu-overlap-products | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

// A dot that is only accumulated stays in flight until the next iteration's dot has started. The last wait is executed
// only if there were iterations.
// CHECK-LABEL: @accumulated
// CHECK: scf.if
// CHECK:   scf.for
// CHECK:     %[[D:.*]] = ttng.warp_group_dot {{.*}}isAsync = true
// CHECK-NEXT: %[[W:.*]] = ttng.warp_group_dot_wait %[[D]] {pendings = 1 : i32}
// CHECK:     scf.yield %[[W]]
// CHECK:   ttng.warp_group_dot_wait %{{.*}} {pendings = 0 : i32}
// CHECK:   scf.yield
// CHECK: } else {
// CHECK:   scf.yield %arg1
tt.func @accumulated(%q: !ttg.memdesc<64x64xf16, #shared, #smem>, %init: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %init) -> (tensor<64x64xf32, #mma>) : i32 {
    %d = ttng.warp_group_dot %q, %q, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// A computed operand is in one of three slots, so that the next iteration's operand does not wait for the dot.
// CHECK-LABEL: @computed
// CHECK: %[[BUFFER:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, {{.*}}, mutable>
// CHECK: scf.if
// CHECK:   scf.for {{.*}} iter_args(%[[C:[^ ]*]] = %{{.*}}, %[[LAST:[^ ]*]] = %c2_i32)
// CHECK:     %[[NEXT:.*]] = arith.addi %[[LAST]], %
// CHECK:     %[[SLOT:.*]] = arith.select %{{.*}}, %c0_i32{{.*}}, %[[NEXT]]
// CHECK:     %[[TILE:.*]] = ttg.memdesc_index %[[BUFFER]][%[[SLOT]]]
// CHECK:     ttg.local_store %{{.*}}, %[[TILE]]
// CHECK:     %[[D:.*]] = ttng.warp_group_dot %arg0, %[[TILE]], %[[C]] {{.*}}isAsync = true
// CHECK-NEXT: ttng.warp_group_dot_wait %[[D]] {pendings = 1 : i32}
// CHECK:     scf.yield %{{.*}}, %[[SLOT]]
// CHECK:   ttng.warp_group_dot_wait %{{.*}} {pendings = 0 : i32}
tt.func @computed(%q: !ttg.memdesc<64x64xf16, #shared, #smem>, %x: tensor<64x64xf16, #b>, %init: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %init) -> (tensor<64x64xf32, #mma>) : i32 {
    %y = arith.mulf %x, %x : tensor<64x64xf16, #b>
    %b = ttg.local_alloc %y : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %q, %b, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// Each result is waited for where it is used, and younger dots stay in flight. The registers that the second dot reads
// are written behind its wait: the wait passes on the tile that is converted to them.
// CHECK-LABEL: @rotated
// CHECK: scf.for {{.*}} iter_args(%[[A:[^ ]*]] = %arg1, %[[C:[^ ]*]] = %arg2)
// CHECK:   %[[S:.*]] = ttng.warp_group_dot %arg0, %arg0, %arg2 {{.*}}isAsync = true
// CHECK:   %[[D:.*]] = ttng.warp_group_dot %[[A]], %arg0, %[[C]] {{.*}}isAsync = true
// CHECK:   %[[SW:.*]] = ttng.warp_group_dot_wait %[[S]] {pendings = 1 : i32}
// CHECK:   %[[P:.*]] = math.exp2 %[[SW]]
// CHECK:   %[[DW:.*]]:2 = ttng.warp_group_dot_wait %[[D]], %[[P]] {pendings = 0 : i32}
// CHECK:   %[[E:.*]] = arith.truncf %[[DW]]#1
// CHECK:   ttg.convert_layout %[[E]]
// CHECK:   arith.mulf %[[DW]]#0, %arg2
// CHECK:   scf.yield
tt.func @rotated(%q: !ttg.memdesc<64x64xf16, #shared, #smem>, %first: tensor<64x64xf16, #a>, %init: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%a = %first, %acc = %init) -> (tensor<64x64xf16, #a>, tensor<64x64xf32, #mma>) : i32 {
    %s = ttng.warp_group_dot %q, %q, %init : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %d = ttng.warp_group_dot %a, %q, %acc : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %p = math.exp2 %s : tensor<64x64xf32, #mma>
    %e = arith.truncf %p : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %next = ttg.convert_layout %e : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
    %scaled = arith.mulf %d, %init : tensor<64x64xf32, #mma>
    scf.yield %next, %scaled : tensor<64x64xf16, #a>, tensor<64x64xf32, #mma>
  }
  tt.return %r#1 : tensor<64x64xf32, #mma>
}

// If two such dots end at one wait, the conversions for each come behind it, in order.
// CHECK-LABEL: @rotated_twice
// CHECK: scf.for
// CHECK:   %[[DW:.*]]:4 = ttng.warp_group_dot_wait {{.*}} {pendings = 0 : i32}
// CHECK:   %[[E:.*]] = arith.truncf %[[DW]]#2
// CHECK:   ttg.convert_layout %[[E]]
// CHECK:   %[[F:.*]] = arith.truncf %[[DW]]#3
// CHECK:   ttg.convert_layout %[[F]]
// CHECK:   scf.yield
tt.func @rotated_twice(%q: !ttg.memdesc<64x64xf16, #shared, #smem>, %first: tensor<64x64xf16, #a>, %init: tensor<64x64xf32, #mma>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %r:4 = scf.for %i = %c0 to %n step %c64 iter_args(%a = %first, %b = %first, %acc = %init, %other = %init) -> (tensor<64x64xf16, #a>, tensor<64x64xf16, #a>, tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) : i32 {
    %s = ttng.warp_group_dot %q, %q, %init : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %d = ttng.warp_group_dot %a, %q, %acc : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %o = ttng.warp_group_dot %b, %q, %other : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %p = math.exp2 %s : tensor<64x64xf32, #mma>
    %x = arith.mulf %p, %s : tensor<64x64xf32, #mma>
    %e = arith.truncf %p : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %next = ttg.convert_layout %e : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
    %f = arith.truncf %x : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %behind = ttg.convert_layout %f : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
    scf.yield %next, %behind, %d, %o : tensor<64x64xf16, #a>, tensor<64x64xf16, #a>, tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
  }
  tt.return
}

// The operands of a dot are not overwritten before it has completed; a tile of this iteration lives until then. If
// there is nothing between a dot and its use, it stays as it was.
// CHECK-LABEL: @written
// CHECK: %[[TILE:.*]] = ttg.local_alloc %arg2
// CHECK: %[[D:.*]] = ttng.warp_group_dot %{{.*}}, %[[TILE]], {{.*}}isAsync = true
// CHECK: arith.addi
// CHECK: ttng.warp_group_dot_wait %[[D]], %[[TILE]] {pendings = 0 : i32}
// CHECK-NEXT: ttg.local_store %arg2, %arg0
// CHECK: %[[S:.*]] = ttng.warp_group_dot
// CHECK-NOT: isAsync
// CHECK: math.exp2 %[[S]]
tt.func @written(%q: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %init: tensor<64x64xf32, #mma>, %x: tensor<64x64xf16, #b>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %r:3 = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %init, %other = %init, %count = %c0) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>, i32) : i32 {
    %t = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %q, %t, %init : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %c = arith.addi %count, %c64 : i32
    ttg.local_store %x, %q : tensor<64x64xf16, #b> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %s = ttng.warp_group_dot %q, %q, %init : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
    %p = math.exp2 %s : tensor<64x64xf32, #mma>
    scf.yield %d, %p, %c : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>, i32
  }
  tt.return
}
}
