// RUN: tcc-opt %s --tritongpu-rotate-loops --canonicalize | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttg.chip-specific"} {

// The second dot depends on the first, and is only accumulated. The first dot of the next iteration starts before it.
// The code that uses the first dot's result comes behind both, as do the accumulator's scaling and the conversion at
// the end.
// CHECK-LABEL: @attention
// CHECK: %[[RUNS:.*]] = arith.cmpi sgt, %arg3, %c0_i32
// CHECK: scf.if %[[RUNS]]
// CHECK:   tt.load
// CHECK:   %[[S0:.*]] = ttng.warp_group_dot %arg0
// CHECK:   %[[P0:.*]] = math.exp2 %[[S0]]
// CHECK:   %[[E0:.*]] = arith.truncf %[[P0]]
// CHECK:   %[[A0:.*]] = ttg.convert_layout %[[E0]]
// CHECK:   %[[END:.*]] = arith.subi %arg3, %c64_i32
// CHECK:   scf.for %[[I:.*]] = %c0_i32 to %[[END]] step %c64_i32 iter_args(%[[SUM:[^ ]*]] = %{{.*}}, %[[A:[^ ]*]] = %[[A0]], %[[C:[^ ]*]] = {{.*}}, %{{.*}} = %c0_i32)
// CHECK:     %[[NEXT:.*]] = arith.addi %[[I]], %c64_i32
// CHECK:     tt.splat %[[NEXT]]
// CHECK:     %[[S:.*]] = ttng.warp_group_dot %arg0
// CHECK:     tt.splat %[[I]]
// CHECK:     tt.load
// CHECK:     %[[D:.*]] = ttng.warp_group_dot %[[A]], %{{.*}}, %[[C]]
// CHECK:     %[[P:.*]] = math.exp2 %[[S]]
// CHECK:     arith.addf %[[SUM]], %[[P]]
// CHECK:     arith.mulf %[[D]], %[[P]]
// CHECK:     arith.truncf %[[P]]
// CHECK:     scf.yield
// CHECK:   tt.load
// CHECK:   %[[LAST:.*]] = ttng.warp_group_dot
// CHECK:   scf.yield %[[LAST]], %
// CHECK: } else {
// CHECK:   scf.yield %cst
tt.func @attention(%q: !ttg.memdesc<64x64xf16, #shared, #smem>, %k: tensor<64x64x!tt.ptr<f16>, #b>, %v: tensor<64x64x!tt.ptr<f16>, #b>, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero, %sum = %zero) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) : i32 {
    %o = tt.splat %i : i32 -> tensor<64x64xi32, #b>
    %kp = tt.addptr %k, %o : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %vp = tt.addptr %v, %o : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %kt = tt.load %kp : tensor<64x64x!tt.ptr<f16>, #b>
    %ks = ttg.local_alloc %kt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %ks, %zero : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %p = math.exp2 %s : tensor<64x64xf32, #mma>
    %sums = arith.addf %sum, %p : tensor<64x64xf32, #mma>
    %scaled = arith.mulf %acc, %p : tensor<64x64xf32, #mma>
    %e = arith.truncf %p : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %a = ttg.convert_layout %e : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
    %vt = tt.load %vp : tensor<64x64x!tt.ptr<f16>, #b>
    %vs = ttg.local_alloc %vt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %a, %vs, %scaled : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d, %sums : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
  }
  %both = arith.addf %r#0, %r#1 : tensor<64x64xf32, #mma>
  tt.return %both : tensor<64x64xf32, #mma>
}

// A tile that both the first dot and the last one read would have to exist for two iterations at once.
// CHECK-LABEL: @both_read
// CHECK-NOT: scf.if
// CHECK: scf.for {{.*}} = %c0_i32 to %arg2
tt.func @both_read(%q: !ttg.memdesc<64x64xf16, #shared, #smem>, %k: tensor<64x64x!tt.ptr<f16>, #b>, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %o = tt.splat %i : i32 -> tensor<64x64xi32, #b>
    %kp = tt.addptr %k, %o : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    %kt = tt.load %kp : tensor<64x64x!tt.ptr<f16>, #b>
    %ks = ttg.local_alloc %kt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %s = ttng.warp_group_dot %q, %ks, %zero : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %p = math.exp2 %s : tensor<64x64xf32, #mma>
    %e = arith.truncf %p : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %a = ttg.convert_layout %e : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
    %d = ttng.warp_group_dot %a, %ks, %acc : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// A pointer that only the late part reads is advanced there.
// CHECK-LABEL: @moving
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[NOW:[^ ]*]] = %arg1, %[[ACC:[^ ]*]] = %arg2)
// CHECK:   ttng.warp_group_dot
// CHECK:   tt.load %[[NOW]]
// CHECK:   %[[D:.*]] = ttng.warp_group_dot %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK:   %[[NEXT:.*]] = tt.addptr %[[NOW]]
// CHECK:   scf.yield %{{.*}}, %[[NEXT]], %[[D]]
tt.func @moving(%q: !ttg.memdesc<64x64xf16, #shared, #smem>, %v: tensor<64x64x!tt.ptr<f16>, #b>, %init: tensor<64x64xf32, #mma>, %n: i32, %o: tensor<64x64xi32, #b>) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%vp = %v, %acc = %init) -> (tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xf32, #mma>) : i32 {
    %s = ttng.warp_group_dot %q, %q, %zero : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %e = arith.truncf %s : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %a = ttg.convert_layout %e : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
    %vt = tt.load %vp : tensor<64x64x!tt.ptr<f16>, #b>
    %vs = ttg.local_alloc %vt : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %a, %vs, %acc : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %next = tt.addptr %vp, %o : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    scf.yield %next, %d : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xf32, #mma>
  }
  tt.return %r#1 : tensor<64x64xf32, #mma>
}

// A store orders the accesses around it; and if the first dot needs the last one's result, nothing is gained.
// CHECK-LABEL: @ordered
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK-NEXT: ttng.warp_group_dot
tt.func @ordered(%q: !ttg.memdesc<64x64xf16, #shared, #smem>, %p: !tt.ptr<f32>, %x: f32, %init: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %init) -> (tensor<64x64xf32, #mma>) : i32 {
    %s = ttng.warp_group_dot %q, %q, %init : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %e = arith.truncf %s : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %a = ttg.convert_layout %e : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
    tt.store %p, %x : !tt.ptr<f32>
    %d = ttng.warp_group_dot %a, %q, %acc : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}
// CHECK-LABEL: @recurrent
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK-NEXT: arith.truncf
tt.func @recurrent(%q: !ttg.memdesc<64x64xf16, #shared, #smem>, %init: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %init) -> (tensor<64x64xf32, #mma>) : i32 {
    %t = arith.truncf %acc : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %u = ttg.convert_layout %t : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
    %s = ttng.warp_group_dot %u, %q, %init : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %e = arith.truncf %s : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %a = ttg.convert_layout %e : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
    %d = ttng.warp_group_dot %a, %q, %init : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}
}
