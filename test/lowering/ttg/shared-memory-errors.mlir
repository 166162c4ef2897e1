// RUN: tcc-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{versionMajor = 4 is not supported: matrix units are used by mma.sync, which is versionMajor = 2, and wgmma, which is 3}}
#mma = #ttg.nvidia_mma<{versionMajor = 4, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>

// -----

// expected-error @+1 {{a warpgroup is four warps along the rows of a matrix, and warpsPerCTA = [2, 2] has none}}
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 64, 16]}>

// -----

// expected-error @+1 {{instrShape of wgmma must be [16, columns, depth], columns a power of two from 8 to 256}}
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 512, 16]}>

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
// expected-error @+1 {{wgmma takes its right operand from shared memory, not from registers}}
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>

// -----

// expected-error @+1 {{swizzlingByteWidth must be 0, 32, 64 or 128, not 48}}
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 48, transposed = false, elementBitWidth = 16}>

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
// expected-error @+1 {{rows of 64 elements on a tile that has 32}}
tt.func private @f(!ttg.memdesc<32x64xf16, #shared, #smem>)

// -----

// expected-error @+1 {{instrShape must be [16, 8], or [1, 16, 8] for batches}}
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [8, 8]}>

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
// expected-error @+1 {{kWidth must be a power of two up to 16, not 0}}
tt.func @f(%a: tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma}>>) {
  tt.return
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @+1 {{kWidth is for operands of matrix units}}
tt.func @f(%a: tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #b, kWidth = 2}>>) {
  tt.return
}

// -----

// expected-error @+1 {{each basis of a distributed layout must be a power of two along one axis}}
#l = #ttg.linear<{register = [[0, 1]], lane = [[1, 2]], warp = [], block = []}>

// -----

// expected-error @+1 {{a linear layout must reach every element}}
#l = #ttg.linear<{register = [[0, 2]], lane = [[1, 0]], warp = [], block = []}>

// -----

// expected-error @+1 {{the bases of a layout must have one length, and these have 2 and 1}}
#l = #ttg.linear<{register = [[0, 1]], lane = [[1]], warp = [], block = []}>

// -----

// expected-error @+1 {{a layout needs at least one basis, to tell its rank}}
#l = #ttg.linear<{register = [], lane = [], warp = [], block = []}>

// -----

// expected-error @+1 {{a linear layout must reach every element}}
#l = #ttg.linear<{register = [[0, 1]], lane = [[1, 0]], warp = [], block = [[4, 0]]}>

// -----

// The blocks must have either different elements or the same elements, not a mixture.
// expected-error @+1 {{must place each element once}}
#s = #ttg.shared_linear<{offset = [[0, 1], [1, 0]], block = [[4, 0]]}, alignment = 16>

// -----

// expected-error @+1 {{vec, perPhase and maxPhase must be powers of two, and this has 3}}
#s = #ttg.swizzled_shared<{vec = 3, perPhase = 1, maxPhase = 1, order = [1, 0]}>

// -----

// expected-error @+1 {{has two paddings for runs of 64}}
#s = #ttg.padded_shared<[64:+8, 64:+4] {order = [1, 0], shape = [64, 64]}>

// -----

// expected-error @+1 {{needs 'order' and 'shape', or the bases of 'offset'}}
#s = #ttg.padded_shared<[64:+8] {shape = [64, 64]}>

// -----

// expected-error @+1 {{must place each element once}}
#s = #ttg.shared_linear<{offset = [[0, 1], [0, 1], [1, 0]]}, alignment = 16>

// -----

#smem = #ttg.shared_memory
// expected-error @+1 {{a tile in memory needs an encoding of that memory, not}}
tt.func @f(%a: !ttg.memdesc<64x64xf32, #smem, #smem>) {
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// expected-error @+1 {{cannot be in "here"}}
tt.func @f(%a: !ttg.memdesc<64x64xf32, #s, "here">) {
  tt.return
}

// -----

#s = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{a layout of tiles that have 64 along an axis on a tile that has 32}}
tt.func @f(%a: !ttg.memdesc<32x64xf32, #s, #smem>) {
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f() {
  // expected-error @+1 {{without a tile must be mutable, or nothing could be written}}
  %0 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem>
  tt.return
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%x: tensor<64x64xf32, #b>) {
  // expected-error @+1 {{needs a tile of the shape and type that it has in memory}}
  %0 = ttg.local_alloc %x : (tensor<64x64xf32, #b>) -> !ttg.memdesc<64x32xf32, #s, #smem>
  tt.return
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%x: tensor<64x64xf32, #b>, %to: !ttg.memdesc<64x64xf32, #s, #smem>) {
  // expected-error @+1 {{writes memory that is not mutable}}
  ttg.local_store %x, %to : tensor<64x64xf32, #b> -> !ttg.memdesc<64x64xf32, #s, #smem>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%x: !ttg.memdesc<64x64xf32, #s, #smem, mutable>, %i: i32) {
  // expected-error @+1 {{takes one of several whole tiles, along the first axis}}
  %0 = ttg.memdesc_index %x[%i] : !ttg.memdesc<64x64xf32, #s, #smem, mutable> -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%x: !ttg.memdesc<64x64xf32, #s, #smem, mutable>) {
  // expected-error @+1 {{takes a part aligned to its own size: not 32 of 64 at 16}}
  %0 = ttg.memdesc_subslice %x[0, 16] : !ttg.memdesc<64x64xf32, #s, #smem, mutable> -> !ttg.memdesc<64x32xf32, #s, #smem, mutable, 64x64>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%x: !ttg.memdesc<64x64xf32, #s, #smem>) {
  // expected-error @+1 {{leaves elements where they are: permuted}}
  %0 = ttg.memdesc_trans %x {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf32, #s, #smem> -> !ttg.memdesc<64x64xf32, #s, #smem>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%x: !ttg.memdesc<64x64xf32, #s, #smem>) {
  // expected-error @+1 {{needs an order that names each axis of a tile once}}
  %0 = ttg.memdesc_trans %x {order = array<i32: 1, 1>} : !ttg.memdesc<64x64xf32, #s, #smem> -> !ttg.memdesc<64x64xf32, #s, #smem>
  tt.return
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%x: tensor<64x64x!tt.ptr<f32>, #b>, %to: !ttg.memdesc<64x64xf32, #s, #smem>) {
  // expected-error @+1 {{writes memory that is not mutable}}
  %0 = ttg.async_copy_global_to_local %x, %to : tensor<64x64x!tt.ptr<f32>, #b> -> <64x64xf32, #s, #smem>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f(%x: !ttg.memdesc<64xf32, #s, #smem>) {
  // expected-error @+1 {{takes 256 bytes for 512}}
  %0 = ttg.memdesc_reinterpret %x : !ttg.memdesc<64xf32, #s, #smem> -> !ttg.memdesc<64xi64, #s, #smem>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @f(%x: !ttg.memdesc<32x64xf32, #s, #smem, 64x64>) {
  // expected-error @+1 {{needs whole tiles without padding, unlike}}
  %0 = ttg.memdesc_reinterpret %x : !ttg.memdesc<32x64xf32, #s, #smem, 64x64> -> !ttg.memdesc<32x64xi32, #s, #smem>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
tt.func @f(%x: !ttg.memdesc<64xf32, #s, #smem>) {
  // expected-error @+1 {{must keep the memory space, and not make memory mutable}}
  %0 = ttg.memdesc_reinterpret %x : !ttg.memdesc<64xf32, #s, #smem> -> !ttg.memdesc<64xi32, #s, #smem, mutable>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#tma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
tt.func @f(%x: !ttg.memdesc<64x64xf16, #s, #smem>) {
  // expected-error @+1 {{takes a place aligned to 16 bytes for a tile that is aligned to 1024}}
  %0 = ttg.memdesc_reinterpret %x : !ttg.memdesc<64x64xf16, #s, #smem> -> !ttg.memdesc<64x64xf16, #tma, #smem>
  tt.return
}
