// Tiles in shared memory are stored and loaded in all possible ways, with every kind of encoding. The emulator runs the
// test with all checks, and the results must equal the inputs.
// DEFINE: %{name} = swizzled
// DEFINE: %{encoding} = swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// DEFINE: %{compile} = sed 's/ENCODING/%{encoding}/' %s | tcc-opt --inline --symbol-dce --tcc-gpu-to-llvm=arch=80 -o %t-%{name}.mlir && \
// DEFINE:   tcc-translate --to-ptx --arch=80 %t-%{name}.mlir -o %t-%{name}.ptx
// DEFINE: %{run} = %tcc-run %t-%{name}.ptx --block=128 --shared=60000 --arg=f16[4096]=random --arg=f16[24576]=0 \
// DEFINE:   --schedule=random --save=0:%t-in --save=1:%t-out && cat %t-in %t-in %t-in %t-in %t-in %t-in > %t-all && cmp %t-all %t-out
// RUN: %{compile}
// RUN: %{run}
// RUN: FileCheck %s --check-prefix=SWIZZLED < %t-swizzled.ptx
// REDEFINE: %{name} = columns
// REDEFINE: %{encoding} = swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 4, order = [0, 1]}>
// RUN: %{compile}
// RUN: %{run}
// REDEFINE: %{name} = padded
// REDEFINE: %{encoding} = padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>
// RUN: %{compile}
// RUN: %{run}
// RUN: FileCheck %s --check-prefix=PADDED < %t-padded.ptx
// REDEFINE: %{name} = twice
// REDEFINE: %{encoding} = padded_shared<[64:+4, 512:+16] {order = [1, 0], shape = [64, 64]}>
// RUN: %{compile}
// RUN: %{run}
// REDEFINE: %{name} = turned
// REDEFINE: %{encoding} = padded_shared<[32:+8] {order = [0, 1], shape = [64, 64]}>
// RUN: %{compile}
// RUN: %{run}
// REDEFINE: %{name} = diagonal
// REDEFINE: %{encoding} = shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}, alignment = 32>
// RUN: %{compile}
// RUN: %{run}

// Accesses cover eight elements that are adjacent in registers and in memory, with and without padding.
// SWIZZLED: st.shared.v4.b32
// SWIZZLED: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16
// PADDED: st.shared.v4.b32
// PADDED: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16

#row = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#half = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#col = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#x = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#shared = #ttg.ENCODING
#smem = #ttg.shared_memory

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func private @offsets() -> tensor<64x64xi32, #row> {
  %c64 = arith.constant dense<64> : tensor<64x1xi32, #row>
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #row}>>
  %re = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<64x1xi32, #row>
  %rs = arith.muli %re, %c64 : tensor<64x1xi32, #row>
  %c = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #row}>>
  %ce = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x64xi32, #row>
  %rb = tt.broadcast %rs : tensor<64x1xi32, #row> -> tensor<64x64xi32, #row>
  %cb = tt.broadcast %ce : tensor<1x64xi32, #row> -> tensor<64x64xi32, #row>
  %o = arith.addi %rb, %cb : tensor<64x64xi32, #row>
  tt.return %o : tensor<64x64xi32, #row>
}

tt.func private @offsets_of_half() -> tensor<64x32xi32, #half> {
  %c64 = arith.constant dense<64> : tensor<64x1xi32, #half>
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #half}>>
  %re = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #half}>> -> tensor<64x1xi32, #half>
  %rs = arith.muli %re, %c64 : tensor<64x1xi32, #half>
  %c = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #half}>>
  %ce = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #half}>> -> tensor<1x32xi32, #half>
  %rb = tt.broadcast %rs : tensor<64x1xi32, #half> -> tensor<64x32xi32, #half>
  %cb = tt.broadcast %ce : tensor<1x32xi32, #half> -> tensor<64x32xi32, #half>
  %o = arith.addi %rb, %cb : tensor<64x32xi32, #half>
  tt.return %o : tensor<64x32xi32, #half>
}

tt.func public @ways(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
  %o = tt.call @offsets() : () -> tensor<64x64xi32, #row>
  %s = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #row>
  %a = tt.addptr %s, %o : tensor<64x64x!tt.ptr<f16>, #row>, tensor<64x64xi32, #row>
  %v = tt.load %a : tensor<64x64x!tt.ptr<f16>, #row>

  // Stored by the allocation, read along columns.
  %m0 = ttg.local_alloc %v : (tensor<64x64xf16, #row>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %l0 = ttg.local_load %m0 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #col>
  %v0 = ttg.convert_layout %l0 : tensor<64x64xf16, #col> -> tensor<64x64xf16, #row>
  %k0 = arith.constant 0 : i32
  %q0 = tt.addptr %q, %k0 : !tt.ptr<f16>, i32
  %s0 = tt.splat %q0 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #row>
  %a0 = tt.addptr %s0, %o : tensor<64x64x!tt.ptr<f16>, #row>, tensor<64x64xi32, #row>
  tt.store %a0, %v0 : tensor<64x64x!tt.ptr<f16>, #row>

  // Stored along columns, read along rows.
  %m1 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %c1 = ttg.convert_layout %v : tensor<64x64xf16, #row> -> tensor<64x64xf16, #col>
  ttg.local_store %c1, %m1 : tensor<64x64xf16, #col> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %v1 = ttg.local_load %m1 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #row>
  %k1 = arith.constant 4096 : i32
  %q1 = tt.addptr %q, %k1 : !tt.ptr<f16>, i32
  %s1 = tt.splat %q1 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #row>
  %a1 = tt.addptr %s1, %o : tensor<64x64x!tt.ptr<f16>, #row>, tensor<64x64xi32, #row>
  tt.store %a1, %v1 : tensor<64x64x!tt.ptr<f16>, #row>

  // Copied asynchronously.
  %m2 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %t2 = ttg.async_copy_global_to_local %a, %m2 : tensor<64x64x!tt.ptr<f16>, #row> -> <64x64xf16, #shared, #smem, mutable>
  %g2 = ttg.async_commit_group tokens %t2
  %w2 = ttg.async_wait %g2 {num = 0 : i32}
  %l2 = ttg.local_load %m2 token %w2 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #col>
  %v2 = ttg.convert_layout %l2 : tensor<64x64xf16, #col> -> tensor<64x64xf16, #row>
  %k2 = arith.constant 8192 : i32
  %q2 = tt.addptr %q, %k2 : !tt.ptr<f16>, i32
  %s2 = tt.splat %q2 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #row>
  %a2 = tt.addptr %s2, %o : tensor<64x64x!tt.ptr<f16>, #row>, tensor<64x64xi32, #row>
  tt.store %a2, %v2 : tensor<64x64x!tt.ptr<f16>, #row>

  // To the second of two tiles.
  %m3 = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
  %zero = tt.get_program_id x : i32
  %one = arith.constant 1 : i32
  %i3 = arith.addi %zero, %one : i32
  %d3 = ttg.memdesc_index %m3[%i3] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %t3 = ttg.async_copy_global_to_local %a, %d3 : tensor<64x64x!tt.ptr<f16>, #row> -> <64x64xf16, #shared, #smem, mutable>
  %g3 = ttg.async_commit_group tokens %t3
  %w3 = ttg.async_wait %g3 {num = 0 : i32}
  %v3 = ttg.local_load %d3 token %w3 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #row>
  %k3 = arith.constant 12288 : i32
  %q3 = tt.addptr %q, %k3 : !tt.ptr<f16>, i32
  %s3 = tt.splat %q3 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #row>
  %a3 = tt.addptr %s3, %o : tensor<64x64x!tt.ptr<f16>, #row>, tensor<64x64xi32, #row>
  tt.store %a3, %v3 : tensor<64x64x!tt.ptr<f16>, #row>

  // In two halves, read as an operand of a matrix unit.
  %m4 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %oh = tt.call @offsets_of_half() : () -> tensor<64x32xi32, #half>
  %sh = tt.splat %p : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #half>
  %left = tt.addptr %sh, %oh : tensor<64x32x!tt.ptr<f16>, #half>, tensor<64x32xi32, #half>
  %c32 = arith.constant dense<32> : tensor<64x32xi32, #half>
  %right = tt.addptr %left, %c32 : tensor<64x32x!tt.ptr<f16>, #half>, tensor<64x32xi32, #half>
  %dl = ttg.memdesc_subslice %m4[0, 0] : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable, 64x64>
  %dr = ttg.memdesc_subslice %m4[0, 32] : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable, 64x64>
  %tl = ttg.async_copy_global_to_local %left, %dl : tensor<64x32x!tt.ptr<f16>, #half> -> <64x32xf16, #shared, #smem, mutable, 64x64>
  %tr = ttg.async_copy_global_to_local %right, %dr : tensor<64x32x!tt.ptr<f16>, #half> -> <64x32xf16, #shared, #smem, mutable, 64x64>
  %g4 = ttg.async_commit_group tokens %tl, %tr
  %w4 = ttg.async_wait %g4 {num = 0 : i32}
  %l4 = ttg.local_load %m4 token %w4 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #x>
  %v4 = ttg.convert_layout %l4 : tensor<64x64xf16, #x> -> tensor<64x64xf16, #row>
  %k4 = arith.constant 16384 : i32
  %q4 = tt.addptr %q, %k4 : !tt.ptr<f16>, i32
  %s4 = tt.splat %q4 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #row>
  %a4 = tt.addptr %s4, %o : tensor<64x64x!tt.ptr<f16>, #row>, tensor<64x64xi32, #row>
  tt.store %a4, %v4 : tensor<64x64x!tt.ptr<f16>, #row>

  // Under a mask. Where it is false, the load returns the other value.
  %m5 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %bound = arith.constant dense<2000> : tensor<64x64xi32, #row>
  %mask = arith.cmpi slt, %o, %bound : tensor<64x64xi32, #row>
  %t5 = ttg.async_copy_global_to_local %a, %m5 mask %mask other %v : tensor<64x64x!tt.ptr<f16>, #row> -> <64x64xf16, #shared, #smem, mutable>
  %g5 = ttg.async_commit_group tokens %t5
  %w5 = ttg.async_wait %g5 {num = 0 : i32}
  %v5 = ttg.local_load %m5 token %w5 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #row>
  %k5 = arith.constant 20480 : i32
  %q5 = tt.addptr %q, %k5 : !tt.ptr<f16>, i32
  %s5 = tt.splat %q5 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #row>
  %a5 = tt.addptr %s5, %o : tensor<64x64x!tt.ptr<f16>, #row>, tensor<64x64xi32, #row>
  tt.store %a5, %v5 : tensor<64x64x!tt.ptr<f16>, #row>
  tt.return
}
}
