// RUN: tcc-opt %s --split-input-file --verify-diagnostics

#old = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func public @result(%a: !ttg.memdesc<64x64xf16, #shared, #smem>, %c: tensor<64x64xf32, #old>) {
  // expected-error @+1 {{leaves a result encoded #ttg.nvidia_mma with versionMajor = 3, or #ttg.blocked with a row for each thread, not }}
  %d = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #old>
  tt.return
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#swizzled = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func public @memory(%a: !ttg.memdesc<64x64xf16, #swizzled, #smem>, %c: tensor<64x64xf32, #mma>) {
  // expected-error @+1 {{takes tiles in shared memory encoded #ttg.nvmma_shared, not }}
  %d = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xf16, #swizzled, #smem> * !ttg.memdesc<64x64xf16, #swizzled, #smem> -> tensor<64x64xf32, #mma>
  tt.return
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func public @shapes(%a: !ttg.memdesc<64x64xf16, #shared, #smem>, %b: !ttg.memdesc<128x64xf16, #shared, #smem>, %c: tensor<64x64xf32, #mma>) {
  // expected-error @+1 {{multiplies MxK by KxN to MxN, not }}
  %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<128x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
  tt.return
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func public @instructions(%a: !ttg.memdesc<64x64xf16, #shared, #smem>, %c: tensor<64x64xf32, #mma>) {
  // expected-error @+1 {{computes whole instructions of 128 columns and 16 of the inner dimension, in 4 x 1 warps}}
  %d = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
  tt.return
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func public @registers(%a: tensor<64x64xf16, #blocked>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>, %c: tensor<64x64xf32, #mma>) {
  // expected-error @+1 {{takes its left operand from registers as operand 0 of the result's layout, not as }}
  %d = ttng.warp_group_dot %a, %b, %c : tensor<64x64xf16, #blocked> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
  tt.return
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func public @not_a_barrier(%a: !ttg.memdesc<2xi64, #flat, #smem, mutable>, %b: !ttg.memdesc<1xi64, #flat, #smem, mutable>) {
  // expected-error @+1 {{takes a barrier, a mutable tile of one i64 in shared memory, not }}
  ttng.init_barrier %a, 1 : !ttg.memdesc<2xi64, #flat, #smem, mutable>
  tt.return
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func public @no_arrivals(%b: !ttg.memdesc<1xi64, #flat, #smem, mutable>) {
  // expected-error @+1 {{counts from 1 to 1048575 arrivals, not 0}}
  ttng.init_barrier %b, 0 : !ttg.memdesc<1xi64, #flat, #smem, mutable>
  tt.return
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func public @another_block(%map: !tt.tensordesc<tensor<64x64xf16, #shared>>, %bar: !ttg.memdesc<1xi64, #flat, #smem, mutable>, %tile: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %i: i32, %p: i1) {
  // expected-error @+1 {{copies blocks 'tensor<64x64xf16, }}
  ttng.async_tma_copy_global_to_local %map[%i, %i] %tile, %bar, %p : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #flat, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#other = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func public @another_swizzle(%map: !tt.tensordesc<tensor<64x64xf16, #shared>>, %bar: !ttg.memdesc<1xi64, #flat, #smem, mutable>, %tile: !ttg.memdesc<64x64xf16, #other, #smem, mutable>, %i: i32, %p: i1) {
  // expected-error @+1 {{has memory that is laid out otherwise than the descriptor says}}
  ttng.async_tma_copy_global_to_local %map[%i, %i] %tile, %bar, %p : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #flat, #smem, mutable> -> !ttg.memdesc<64x64xf16, #other, #smem, mutable>
  tt.return
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func public @to_a_constant(%map: !tt.tensordesc<tensor<64x64xf16, #shared>>, %bar: !ttg.memdesc<1xi64, #flat, #smem, mutable>, %tile: !ttg.memdesc<64x64xf16, #shared, #smem>, %i: i32, %p: i1) {
  // expected-error @+1 {{copies to mutable memory, not}}
  ttng.async_tma_copy_global_to_local %map[%i, %i] %tile, %bar, %p : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #flat, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem>
  tt.return
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func public @too_few_coordinates(%map: !tt.tensordesc<tensor<64x64xf16, #shared>>, %tile: !ttg.memdesc<64x64xf16, #shared, #smem>, %i: i32) {
  // expected-error @+1 {{has 1 coordinates of blocks of rank 2}}
  ttng.async_tma_copy_local_to_global %map[%i] %tile : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem>
  tt.return
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func public @bits_of_floats(%map: !tt.tensordesc<tensor<64x64xf16, #shared>>, %tile: !ttg.memdesc<64x64xf16, #shared, #smem>, %i: i32) {
  // expected-error @+1 {{cannot do 'xor' on elements of type 'f16'}}
  ttng.async_tma_reduce xor, %map[%i, %i] %tile : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem>
  tt.return
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @other_block(%map: !tt.tensordesc<tensor<64x128xf16, #shared>>, %tile: tensor<64x64xf16, #mma>, %slots: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>, %i: i32) {
  // expected-error @+1 {{copies the tile 'tensor<64x64xf16, #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>>' to a block 'tensor<64x128xf16, }}
  ttng.async_tma_store_tile %map[%i, %i] %tile through %slots : !tt.tensordesc<tensor<64x128xf16, #shared>>, tensor<64x64xf16, #mma>, !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
  tt.return
}
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @no_slots(%map: !tt.tensordesc<tensor<64x64xf16, #shared>>, %tile: tensor<64x64xf16, #mma>, %slot: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %i: i32) {
  // expected-error @+1 {{puts parts of a matrix into mutable slots of them, not '!ttg.memdesc<64x64xf16, }}
  ttng.async_tma_store_tile %map[%i, %i] %tile through %slot : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  tt.return
}
}

// -----

tt.func public @other_tiles(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{takes and gives parts of one tile, not 'tensor<64x64xf16>' and 'tensor<64x64xf16>'}}
  %y = ttng.redistribute %x [0] to [-1] : tensor<64x64xf16> -> tensor<64x64xf16>
  tt.return
}

// -----

tt.func public @sum_of_pointers(%x: tensor<64x!tt.ptr<f16>>, %n: i32) {
  // expected-error @+1 {{adds numbers, not elements of 'tensor<64x!tt.ptr<f16>>'}}
  %y = ttng.sum_over_blocks %x, %n : tensor<64x!tt.ptr<f16>>
  tt.return
}

// -----

tt.func public @sum_in_branch(%x: tensor<64xf16>, %n: i32, %c: i1) {
  scf.if %c {
    // expected-error @+1 {{ends blocks, which loops and branches around it do not expect}}
    %y = ttng.sum_over_blocks %x, %n : tensor<64xf16>
  }
  tt.return
}

// -----

tt.func public @no_axis(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{has a number that is no axis: -2}}
  %y = ttng.redistribute %x [-1] to [-2] : tensor<64x64xf16> -> tensor<64x64xf16>
  tt.return
}

// -----

tt.func public @too_few_strides(%map: !tt.ptr<i8>, %p: !tt.ptr<f16>, %n: i32) {
  // expected-error @+1 {{has for a tensor of 2 axes as many sizes of a block and steps, and one stride less, not 2, 2 and 0}}
  ttng.tensormap_create %map, %p, [%n, %n], [%n, %n], [], [%n, %n] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i32, i32) -> ()
  tt.return
}

// -----

tt.func public @no_axes(%map: !tt.ptr<i8>, %p: !tt.ptr<f16>) {
  // expected-error @+1 {{describes tensors of 1 to 5 axes, not 0}}
  ttng.tensormap_create %map, %p, [], [], [], [] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>) -> ()
  tt.return
}

// -----

tt.func public @no_such_fill(%map: !tt.ptr<i8>, %p: !tt.ptr<f16>, %n: i32) {
  // expected-error @+1 {{fill_mode is 0 to 1, not 2}}
  ttng.tensormap_create %map, %p, [%n], [%n], [], [%n] {elem_type = 6 : i32, fill_mode = 2 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32) -> ()
  tt.return
}

// -----

#columns = #ttg.blocked<{sizePerThread = [64, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func public @columns(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x128xf16, #shared, #smem>, %c: tensor<128x128xf32, #columns>) {
  // expected-error @+1 {{that no instruction moves to tensor memory}}
  %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #columns>
  tt.return
}
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func public @arrival_of_no_product(%b: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
  // expected-error @+1 {{is executed by asynchronous dots: it names the tiles that they read, has a count of 1, and is not executed by each warp}}
  ttng.arrive_barrier %b, 1 {byDots} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
  tt.return
}
