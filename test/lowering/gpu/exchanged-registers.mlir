// The result of a dot is stored to rows of 32 floats whose units of 16 bytes are swizzled. Lanes of odd rows would have
// bank conflicts with lanes of even rows, so they store another eight of their columns first. The emulator runs the
// test with all checks. Stores of two accesses keep their order, because an exchange would cost as many instructions as
// it saves wavefronts.
// RUN: tcc-opt %s --tcc-gpu-to-llvm=arch=80 -o %t.mlir && tcc-translate --to-ptx --arch=80 %t.mlir -o %t.ptx
// RUN: %tcc-run %t.ptx --kernel=exchanged --block=128 --shared=8192 --arg=f32[2048]=random --arg=f32[2048]=0 --schedule=random --save=0:%t-in --save=1:%t-out
// RUN: cmp %t-in %t-out
// RUN: FileCheck %s < %t.ptx

// CHECK: .entry exchanged
// CHECK: setp.{{[a-z]+}}.{{[sb]}}32 [[ODD:%p[0-9]+]]
// CHECK-COUNT-16: selp.b32 %{{r[0-9]+, %r[0-9]+, %r[0-9]+}}, [[ODD]]
// CHECK-NOT: selp
// CHECK-COUNT-8: st.shared.v2
// CHECK: .entry few
// CHECK-NOT: selp
// CHECK-COUNT-2: st.shared.v2

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#few = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 8192 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @exchanged(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %row = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
  %column = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>>
  %pitch = arith.constant dense<32> : tensor<64x1xi32, #mma>
  %r0 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xi32, #mma>
  %r1 = arith.muli %r0, %pitch : tensor<64x1xi32, #mma>
  %r = tt.broadcast %r1 : tensor<64x1xi32, #mma> -> tensor<64x32xi32, #mma>
  %c0 = tt.expand_dims %column {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x32xi32, #mma>
  %c = tt.broadcast %c0 : tensor<1x32xi32, #mma> -> tensor<64x32xi32, #mma>
  %at = arith.addi %r, %c : tensor<64x32xi32, #mma>
  %p0 = tt.splat %in : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #mma>
  %p = tt.addptr %p0, %at : tensor<64x32x!tt.ptr<f32>, #mma>, tensor<64x32xi32, #mma>
  %x = tt.load %p : tensor<64x32x!tt.ptr<f32>, #mma>
  %m = ttg.local_alloc %x {allocation.offset = 0 : i32} : (tensor<64x32xf32, #mma>) -> !ttg.memdesc<64x32xf32, #shared, #smem>
  ttg.local_barrier
  %y = ttg.local_load %m : !ttg.memdesc<64x32xf32, #shared, #smem> -> tensor<64x32xf32, #b>
  %rowb = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>>
  %columnb = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %pitchb = arith.constant dense<32> : tensor<64x1xi32, #b>
  %rb0 = tt.expand_dims %rowb {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
  %rb1 = arith.muli %rb0, %pitchb : tensor<64x1xi32, #b>
  %rb = tt.broadcast %rb1 : tensor<64x1xi32, #b> -> tensor<64x32xi32, #b>
  %cb0 = tt.expand_dims %columnb {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
  %cb = tt.broadcast %cb0 : tensor<1x32xi32, #b> -> tensor<64x32xi32, #b>
  %atb = arith.addi %rb, %cb : tensor<64x32xi32, #b>
  %q0 = tt.splat %out : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #b>
  %q = tt.addptr %q0, %atb : tensor<64x32x!tt.ptr<f32>, #b>, tensor<64x32xi32, #b>
  tt.store %q, %y : tensor<64x32x!tt.ptr<f32>, #b>
  tt.return
}

tt.func public @few(%x: f32) {
  %tile = tt.splat %x : f32 -> tensor<64x8xf32, #few>
  %m = ttg.local_alloc %tile {allocation.offset = 0 : i32} : (tensor<64x8xf32, #few>) -> !ttg.memdesc<64x8xf32, #shared, #smem>
  tt.return
}
}
