// If there are too few registers, tiles in shared memory are loaded directly before their use.
// RUN: tcc-opt %s --tritongpu-reduce-register-pressure | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#x = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#y = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#t = #ttg.linear<{register = [[0, 1], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [32, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]], block = []}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
#mma3 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#a3 = #ttg.dot_op<{opIdx = 0, parent = #mma3, kWidth = 2}>
#boxes = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Two accumulators of 64 registers that the loop carries, an operand of 32, and 64 for the dots' own results: the
// second operand of both would be too much. The values computed from it reuse its registers.
// CHECK-LABEL: @crowded
// CHECK: [[YS:%.*]] = ttg.local_alloc
// CHECK: [[ZS:%.*]] = ttg.local_alloc
// CHECK: scf.for
// CHECK-NEXT: [[Y:%.*]] = ttg.local_load [[YS]]
// CHECK-NEXT: tt.dot {{.*}}, [[Y]],
// CHECK: tt.reduce
// CHECK: [[Z:%.*]] = ttg.local_load [[ZS]]
// CHECK-NEXT: [[T:%.*]] = tt.trans [[Z]]
// CHECK-NEXT: tt.dot {{.*}}, [[T]],
tt.func public @crowded(%x: tensor<128x64xf16, #x>, %n: i32) -> (tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
  %ys = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %zs = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %f:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c, %r = %c) -> (tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>) : i32 {
    %z = ttg.local_load %zs : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #t>
    %zt = tt.trans %z {order = array<i32: 1, 0>} : tensor<64x64xf16, #t> -> tensor<64x64xf16, #y>
    %y = ttg.local_load %ys : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #y>
    %d = tt.dot %x, %y, %s : tensor<128x64xf16, #x> * tensor<64x64xf16, #y> -> tensor<128x64xf32, #mma>
    %m = "tt.reduce"(%d) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<128x64xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %me = tt.expand_dims %m {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
    %mb = tt.broadcast %me : tensor<128x1xf32, #mma> -> tensor<128x64xf32, #mma>
    %e = tt.dot %x, %zt, %r : tensor<128x64xf16, #x> * tensor<64x64xf16, #y> -> tensor<128x64xf32, #mma>
    %g = arith.addf %e, %mb : tensor<128x64xf32, #mma>
    scf.yield %d, %g : tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>
  }
  tt.return %f#0, %f#1 : tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>
}

// Loads do not move across stores to the same memory; memory that is known to be different does not matter.
// CHECK-LABEL: @written
// CHECK: [[BUFFER:%.*]] = ttg.local_alloc : ()
// CHECK: [[Z:%.*]] = ttg.local_load [[BUFFER]]
// CHECK-NEXT: ttg.local_store %arg0, [[BUFFER]]
// CHECK-NEXT: ttg.local_store %arg0, [[OTHER:%.*]] :
// CHECK-NEXT: [[Y:%.*]] = ttg.local_load [[BUFFER]]
// CHECK-NEXT: tt.return [[Z]], [[Y]]
tt.func public @written(%v: tensor<64x64xf16, #x>, %more: tensor<512x64xf32, #mma>) -> (tensor<64x64xf16, #y>, tensor<64x64xf16, #y>, tensor<512x64xf32, #mma>) {
  %buffer = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %other = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %z = ttg.local_load %buffer : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #y>
  ttg.local_store %v, %buffer : tensor<64x64xf16, #x> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %y = ttg.local_load %buffer : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #y>
  ttg.local_store %v, %other : tensor<64x64xf16, #x> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  tt.return %z, %y, %more : tensor<64x64xf16, #y>, tensor<64x64xf16, #y>, tensor<512x64xf32, #mma>
}

// If there are enough registers, everything stays.
// CHECK-LABEL: @roomy
// CHECK: [[Z:%.*]] = ttg.local_load
// CHECK: tt.dot
// CHECK: tt.dot {{.*}}, [[Z]],
tt.func public @roomy(%x: tensor<64x64xf16, #x>, %y: tensor<64x64xf16, #y>, %s: tensor<64x64xf32, #mma>) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) {
  %zs = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %z = ttg.local_load %zs : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #y>
  %d = tt.dot %x, %y, %s : tensor<64x64xf16, #x> * tensor<64x64xf16, #y> -> tensor<64x64xf32, #mma>
  %e = tt.dot %x, %z, %s : tensor<64x64xf16, #x> * tensor<64x64xf16, #y> -> tensor<64x64xf32, #mma>
  tt.return %d, %e : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
}

// Warp group dots beside each other: the first one completes before the second starts, since its left operand occupies
// registers until then. The tile with which the second one's result is compared is loaded behind it.
// CHECK-LABEL: @warpgroups
// CHECK: scf.for
// CHECK-NEXT: [[P:%.*]] = ttng.warp_group_dot %arg0
// CHECK-NEXT: [[PW:%.*]] = ttng.warp_group_dot_wait [[P]] {pendings = 0 : i32}
// CHECK-NEXT: [[Q:%.*]] = ttng.warp_group_dot
// CHECK-NEXT: [[QW:%.*]]:2 = ttng.warp_group_dot_wait [[PW]], [[Q]] {pendings = 0 : i32}
// CHECK-NEXT: [[LINE:%.*]] = ttg.local_load
// CHECK-NEXT: [[ROW:%.*]] = tt.expand_dims [[LINE]]
// CHECK-NEXT: [[ROWS:%.*]] = tt.broadcast [[ROW]]
// CHECK-NEXT: arith.subf [[QW]]#1, [[ROWS]]
tt.func public @warpgroups(%p: tensor<128x64xf16, #a3>, %q: !ttg.memdesc<128x64xf16, #boxes, #smem>, %y: !ttg.memdesc<64x64xf16, #boxes, #smem>, %c: tensor<128x64xf32, #mma3>, %n: i32) -> (tensor<128x64xf32, #mma3>, tensor<128x64xf32, #mma3>, tensor<128x64xf32, #mma3>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %no = arith.constant false
  %lines = ttg.local_alloc : () -> !ttg.memdesc<64xf32, #line, #smem, mutable>
  %f:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c, %r = %c, %u = %c) -> (tensor<128x64xf32, #mma3>, tensor<128x64xf32, #mma3>, tensor<128x64xf32, #mma3>) : i32 {
    %line = ttg.local_load %lines : !ttg.memdesc<64xf32, #line, #smem, mutable> -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma3}>>
    %row = tt.expand_dims %line {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma3}>> -> tensor<1x64xf32, #mma3>
    %rows = tt.broadcast %row : tensor<1x64xf32, #mma3> -> tensor<128x64xf32, #mma3>
    %d = ttng.warp_group_dot %p, %y, %s {isAsync = true} : tensor<128x64xf16, #a3> * !ttg.memdesc<64x64xf16, #boxes, #smem> -> tensor<128x64xf32, #mma3>
    %e = ttng.warp_group_dot %q, %y, %c, %no {isAsync = true} : !ttg.memdesc<128x64xf16, #boxes, #smem> * !ttg.memdesc<64x64xf16, #boxes, #smem> -> tensor<128x64xf32, #mma3>
    %w:2 = ttng.warp_group_dot_wait %d, %e {pendings = 0 : i32} : tensor<128x64xf32, #mma3>, tensor<128x64xf32, #mma3>
    %g = arith.subf %w#1, %rows : tensor<128x64xf32, #mma3>
    %h = arith.addf %r, %g : tensor<128x64xf32, #mma3>
    %k = arith.mulf %u, %g : tensor<128x64xf32, #mma3>
    scf.yield %w#0, %h, %k : tensor<128x64xf32, #mma3>, tensor<128x64xf32, #mma3>, tensor<128x64xf32, #mma3>
  }
  tt.return %f#0, %f#1, %f#2 : tensor<128x64xf32, #mma3>, tensor<128x64xf32, #mma3>, tensor<128x64xf32, #mma3>
}
}
