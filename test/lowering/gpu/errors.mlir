// Inconsistent IR is rejected with an error at its line, whichever tool has written it.
// RUN: tcc-opt %s --split-input-file --verify-diagnostics --convert-triton-gpu-to-llvm

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  tt.func public @no_layout(%x: f32) {
    // expected-error @+1 {{'tt.splat' op has a tile without a layout: 'tensor<128xf32>'}}
    %0 = tt.splat %x : f32 -> tensor<128xf32>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 8 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  tt.func public @warps(%x: f32) {
    // expected-error @+1 {{has a layout for 4 warps of 32 threads in a module for 8 of 32}}
    %0 = tt.splat %x : f32 -> tensor<128xf32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.slice<{dim = 0, parent = #b}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  tt.func public @expand(%x: f32) {
    %0 = tt.splat %x : f32 -> tensor<128xf32, #s>
    // expected-error @+1 {{'tt.expand_dims' op has a result whose layout does not follow from its operands'}}
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xf32, #s> -> tensor<128x1xf32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  tt.func public @dot(%x: f32) {
    %a = tt.splat %x : f32 -> tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #b}>>
    %c = tt.splat %x : f32 -> tensor<16x16xf32, #b>
    // expected-error @+1 {{'tt.dot' op needs operand 1 encoded as operand 1 of the result's layout}}
    %d = tt.dot %a, %a, %c : tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #b}>> * tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #b}>> -> tensor<16x16xf32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:86", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 131072 : i32} {
  tt.func public @memory() {
    %0 = arith.constant dense<0.0> : tensor<128x128xf64, #b>
    // expected-error @+1 {{the kernel needs 131072 bytes of shared memory, and cuda:86 has 101376; use smaller tiles}}
    %1 = ttg.convert_layout %0 {allocation.offset = 0 : i32} : tensor<128x128xf64, #b> -> tensor<128x128xf64, #c>
    tt.return
  }
}

// -----

// expected-error @+1 {{there is no GPU target 'metal:3'}}
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "metal:3", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
}

// -----

// expected-error @+1 {{there is no GPU target 'hip:gfx900'; AMD's that this tcc knows are gfx90a, gfx942, gfx950, gfx1100, gfx1201}}
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx900", "ttg.threads-per-warp" = 64 : i32, ttg.shared = 0 : i32} {
}

// -----

// expected-error @+1 {{is made for warps of 32 threads, and those of hip:gfx942 have 64}}
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
}

// -----

// expected-error @+1 {{needs ttg.target and allocated shared memory (ttg.shared)}}
module {
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  // expected-error @+1 {{has a parameter of type 'tensor<128xf32}}
  tt.func public @parameter(%x: tensor<128xf32, #b>) {
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  tt.func public @constants() {
    // expected-error @+1 {{is a tile of different constants, which is not supported}}
    %0 = arith.constant dense<[1, 2]> : tensor<2xi32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  tt.func public @types(%x: f32, %y: f16) {
    %a = tt.splat %x : f32 -> tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #b}>>
    %b = tt.splat %x : f32 -> tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #b}>>
    %c = tt.splat %y : f16 -> tensor<16x16xf16, #b>
    // expected-error @+1 {{'tt.dot' op cannot sum products of 'f32' and 'f32' as 'f16'}}
    %d = tt.dot %a, %b, %c : tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #b}>> * tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #b}>> -> tensor<16x16xf16, #b>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  // expected-error @+1 {{returns a value; functions of a kernel have to be inlined into it}}
  tt.func private @callee(%x: i32) -> i32 {
    tt.return %x : i32
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  tt.func public @caller() {
    // expected-error @+1 {{is left; functions of a kernel have to be inlined into it}}
    tt.call @callee() : () -> ()
    tt.return
  }
  tt.func private @callee() {
    tt.return
  }
}

// -----

// Kernels that would take hours to compile are errors.
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  tt.func public @large_tile() {
    // expected-error @+1 {{each thread would hold 8192 elements of a tile of 1048576 over 4 warps, and more than 1024 cannot be compiled; use smaller tiles or more warps}}
    %0 = tt.make_range {start = 0 : i32, end = 1048576 : i32} : tensor<1048576xi32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [32], order = [0]}>
module attributes {"ttg.num-warps" = 32 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  // expected-error @+1 {{the kernel would be about 133122 instructions, and more than 131072 cannot be compiled; use smaller tiles or more warps}}
  tt.func public @long_scan() {
    %0 = tt.make_range {start = 0 : i32, end = 1048576 : i32} : tensor<1048576xi32, #b>
    %1 = "tt.scan"(%0) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%x: i32, %y: i32):
      %s = arith.addi %x, %y : i32
      tt.scan.return %s : i32
    }) : (tensor<1048576xi32, #b>) -> tensor<1048576xi32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  tt.func public @blocks(%x: f32, %c: i1) {
    %0 = tt.splat %x : f32 -> tensor<128xf32, #b>
    // expected-error @+1 {{'tt.map_elementwise' op has several blocks, which have to be structured first}}
    %1 = "tt.map_elementwise"(%0) <{pack = 1 : i32}> ({
    ^bb0(%a: f32):
      cf.br ^bb1
    ^bb1:
      tt.map_elementwise.return %a : f32
    }) : (tensor<128xf32, #b>) -> tensor<128xf32, #b>
    tt.return
  }
}
