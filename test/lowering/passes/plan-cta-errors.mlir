// RUN: tcc-opt %s --split-input-file --verify-diagnostics --tritongpu-plan-cta=num-ctas=2
// RUN: not tcc-opt %s --split-input-file --tritongpu-plan-cta=num-ctas=3 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: the thread blocks of a program must be a power of two up to 16, not 3

tt.func private @helper(i32) -> i32
tt.func public @f(%x: i32) {
  // expected-error @+1 {{a program of several thread blocks (num_ctas) cannot call functions that are not inlined}}
  %0 = tt.call @helper(%x) : (i32) -> i32
  tt.return
}

// -----

// expected-error @+1 {{a kernel takes no tiles; of several thread blocks (num_ctas) each would have a part}}
tt.func public @tiles(%p: !tt.ptr<f32>, %x: tensor<64xf32>) {
  tt.return
}

// -----

// An operation without a distribution rule is not assumed to keep elements in place.
tt.func public @unknown(%p: !tt.ptr<i32>) {
  %x = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' has no rule for how its tiles are distributed over the thread blocks}}
  %y = builtin.unrealized_conversion_cast %x : tensor<64xi32> to tensor<64xi32>
  %pointers = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  tt.store %pointers, %y : tensor<64x!tt.ptr<i32>>
  tt.return
}

// -----

// The distribution in encodings.
#interleaved = #ttg.linear<{register = [[1], [2]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]], block = [[4]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @interleaved() {
    // expected-error @+1 {{the 2 blocks of a program (ttg.num-ctas) cannot have their parts of 'tensor<1024xi32,}}
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #interleaved>
    tt.return
  }
}

// -----

#parts = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @count() {
    // expected-error @+1 {{has a layout for 2 thread blocks where tiles are distributed over 4}}
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #parts>
    tt.return
  }
}

// -----

#parts = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#whole = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @some() {
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #parts>
    // expected-error @+1 {{has a layout for 1 thread blocks where tiles are distributed over 2}}
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #whole>
    tt.return
  }
}

// -----

// Rows of the right operand are distributed, which each block needs completely.
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = [[1, 0]], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rows() {
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
    %a = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // expected-error @+1 {{the blocks of a program (ttg.num-ctas) would access what others have in shared memory}}
    %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
    tt.return
  }
}

// -----

// A part of a distributed tile.
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @slice() {
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    // expected-error @+1 {{cannot have their parts of '!ttg.memdesc<32x64xf32,}}
    %b = ttg.memdesc_subslice %a[0, 0] : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf32, #shared, #smem, mutable, 64x64>
    tt.return
  }
}

// -----

tt.func public @f(%n: i32) {
  // expected-error @+1 {{a program of several thread blocks ([[tt::num_ctas]]) cannot call code for threads, which is for one block}}
  tt.call_threads all "f"(%n) : (i32) -> ()
  tt.return
}
