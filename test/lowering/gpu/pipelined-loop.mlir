// A loop with 0 to 7 iterations, loads whose addresses are loaded, and values that are used after it. For every number
// of stages and any order of warps, the result must have the same bits, and all checks must pass.
// DEFINE: %{stages} = 1
// DEFINE: %{compile} = tcc-opt %s --tritongpu-assign-latencies=num-stages=%{stages} --tritongpu-schedule-loops \
// DEFINE:   --tritongpu-pipeline --canonicalize --cse --tcc-gpu-to-llvm -o %t.mlir && \
// DEFINE:   tcc-translate --to-ptx --arch=80 %t.mlir -o %t-%{stages}.ptx
// DEFINE: %{rounds} = 0
// DEFINE: %{run} = %tcc-run %t-%{stages}.ptx --block=128 --shared=40000 --arg=f16[16384]=random:1 \
// DEFINE:   --arg=s32[8]=3,1,4,1,5,2,6,0 --arg=f32[16384]=0 --arg=s32:%{rounds} --arg=s32[1] --schedule=random \
// DEFINE:   --save=2:%t-%{stages}-%{rounds} --print=4 > %t-sum-%{stages}-%{rounds}
// DEFINE: %{check} = cmp %t-1-%{rounds} %t-%{stages}-%{rounds} && cmp %t-sum-1-%{rounds} %t-sum-%{stages}-%{rounds}
// REDEFINE: %{stages} = 1
// RUN: %{compile}
// REDEFINE: %{rounds} = 0
// RUN: %{run}
// REDEFINE: %{rounds} = 1
// RUN: %{run}
// REDEFINE: %{rounds} = 2
// RUN: %{run}
// REDEFINE: %{rounds} = 3
// RUN: %{run}
// REDEFINE: %{rounds} = 4
// RUN: %{run}
// REDEFINE: %{rounds} = 7
// RUN: %{run}
// REDEFINE: %{stages} = 3
// RUN: %{compile}
// REDEFINE: %{rounds} = 0
// RUN: %{run}
// RUN: %{check}
// REDEFINE: %{rounds} = 1
// RUN: %{run}
// RUN: %{check}
// REDEFINE: %{rounds} = 2
// RUN: %{run}
// RUN: %{check}
// REDEFINE: %{rounds} = 3
// RUN: %{run}
// RUN: %{check}
// REDEFINE: %{rounds} = 4
// RUN: %{run}
// RUN: %{check}
// REDEFINE: %{rounds} = 7
// RUN: %{run}
// RUN: %{check}
// REDEFINE: %{stages} = 5
// RUN: %{compile}
// REDEFINE: %{rounds} = 0
// RUN: %{run}
// RUN: %{check}
// REDEFINE: %{rounds} = 1
// RUN: %{run}
// RUN: %{check}
// REDEFINE: %{rounds} = 2
// RUN: %{run}
// RUN: %{check}
// REDEFINE: %{rounds} = 3
// RUN: %{run}
// RUN: %{check}
// REDEFINE: %{rounds} = 4
// RUN: %{run}
// RUN: %{check}
// REDEFINE: %{rounds} = 7
// RUN: %{run}
// RUN: %{check}

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#x = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#y = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @indirect(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32>, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %steps: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c = arith.constant dense<0.0> : tensor<64x32xf32, #mma>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %e = tt.expand_dims %r {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
  %rr = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>>
  %ee = tt.expand_dims %rr {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
  %k64 = arith.constant dense<64> : tensor<64x1xi32, #b>
  %k64b = arith.constant dense<64> : tensor<32x1xi32, #b>
  %rows = arith.muli %ee, %k64 : tensor<64x1xi32, #b>
  %rr2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>>
  %ee2 = tt.expand_dims %rr2 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<32x1xi32, #b>
  %rows2 = arith.muli %ee2, %k64b : tensor<32x1xi32, #b>
  %axr = tt.broadcast %rows : tensor<64x1xi32, #b> -> tensor<64x32xi32, #b>
  %bxr = tt.broadcast %rows2 : tensor<32x1xi32, #b> -> tensor<32x32xi32, #b>
  %axc = tt.broadcast %e : tensor<1x32xi32, #b> -> tensor<64x32xi32, #b>
  %bxc = tt.broadcast %e : tensor<1x32xi32, #b> -> tensor<32x32xi32, #b>
  %ax = arith.addi %axr, %axc : tensor<64x32xi32, #b>
  %bx = arith.addi %bxr, %bxc : tensor<32x32xi32, #b>
  %sb = tt.splat %p : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #b>
  %pb0 = tt.addptr %sb, %bx : tensor<32x32x!tt.ptr<f16>, #b>, tensor<32x32xi32, #b>
  %c32 = arith.constant 32 : i32
  %inc = arith.constant dense<64> : tensor<32x32xi32, #b>
  %f:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c, %pb = %pb0, %st = %c0) -> (tensor<64x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #b>, i32) : i32 {
    %qi = tt.addptr %q, %i : !tt.ptr<i32>, i32
    %number = tt.load %qi : !tt.ptr<i32>
    %offset = arith.muli %number, %c32 : i32
    %at = tt.addptr %p, %offset : !tt.ptr<f16>, i32
    %sa = tt.splat %at : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #b>
    %pa = tt.addptr %sa, %ax : tensor<64x32x!tt.ptr<f16>, #b>, tensor<64x32xi32, #b>
    %a = tt.load %pa : tensor<64x32x!tt.ptr<f16>, #b>
    %b = tt.load %pb : tensor<32x32x!tt.ptr<f16>, #b>
    %ac = ttg.convert_layout %a : tensor<64x32xf16, #b> -> tensor<64x32xf16, #x>
    %bc = ttg.convert_layout %b : tensor<32x32xf16, #b> -> tensor<32x32xf16, #y>
    %d = tt.dot %ac, %bc, %acc : tensor<64x32xf16, #x> * tensor<32x32xf16, #y> -> tensor<64x32xf32, #mma>
    %pn = tt.addptr %pb, %inc : tensor<32x32x!tt.ptr<f16>, #b>, tensor<32x32xi32, #b>
    %s1 = arith.addi %st, %number : i32
    scf.yield %d, %pn, %s1 : tensor<64x32xf32, #mma>, tensor<32x32x!tt.ptr<f16>, #b>, i32
  }
  tt.store %steps, %f#2 : !tt.ptr<i32>
  %last = tt.load %f#1 : tensor<32x32x!tt.ptr<f16>, #b>
  %lf = arith.extf %last : tensor<32x32xf16, #b> to tensor<32x32xf32, #b>
  %so2 = tt.splat %out : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #b>
  %c8192 = arith.constant dense<8192> : tensor<32x32xi32, #b>
  %bx8 = arith.addi %bx, %c8192 : tensor<32x32xi32, #b>
  %po2 = tt.addptr %so2, %bx8 : tensor<32x32x!tt.ptr<f32>, #b>, tensor<32x32xi32, #b>
  tt.store %po2, %lf : tensor<32x32x!tt.ptr<f32>, #b>
  %so = tt.splat %out : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #b>
  %po = tt.addptr %so, %ax : tensor<64x32x!tt.ptr<f32>, #b>, tensor<64x32xi32, #b>
  %res = ttg.convert_layout %f#0 : tensor<64x32xf32, #mma> -> tensor<64x32xf32, #b>
  tt.store %po, %res : tensor<64x32x!tt.ptr<f32>, #b>
  tt.return
}
}
