// RUN: tcc-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{must have the same, non-zero length}}
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// -----

// expected-error @+1 {{must be powers of two, and this has 3}}
#b = #ttg.blocked<{sizePerThread = [3], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// -----

// expected-error @+1 {{order must name each axis once}}
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 1]}>

// -----

// expected-error @+1 {{CTAsPerCGA, CTASplitNum and CTAOrder must have a number for each of 1 axes}}
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CTAsPerCGA = [2]}>

// -----

// expected-error @+1 {{CTAsPerCGA and CTASplitNum must be powers of two, and no axis has more parts than blocks}}
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CTAsPerCGA = [2], CTASplitNum = [4], CTAOrder = [0]}>

// -----

// expected-error @+1 {{CGALayout has 2 numbers for 1 axes}}
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[0, 1]]}>

// -----

// expected-error @+1 {{each bit of a block's rank must add a power of two along one axis}}
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 1], [0, 1]]}>

// -----

// expected-error @+1 {{the blocks must have all parts of a tile between them}}
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[2]]}>

// -----

// expected-error @+1 {{order must name each axis once}}
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CTAsPerCGA = [1], CTASplitNum = [1], CTAOrder = [1]}>

// -----

// expected-error @+1 {{'CTAs' is not a field of #ttg.blocked that is supported here}}
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CTAs = [2]}>

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// expected-error @+1 {{a layout of rank 1 on a tile of rank 2}}
tt.func @f(%a: tensor<4x4xf32, #b>) {
  tt.return
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// expected-error @+1 {{must be powers of two, and this has one of 48}}
tt.func @f(%a: tensor<48xf32, #b>) {
  tt.return
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// expected-error @+1 {{cannot slice axis 0 off a layout of rank 1}}
tt.func @f(%a: tensor<16xf32, #ttg.slice<{dim = 0, parent = #b}>>) {
  tt.return
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @+1 {{a dot has operands 0 and 1, not 2}}
tt.func @f(%a: tensor<16x16xf32, #ttg.dot_op<{opIdx = 2, parent = #b}>>) {
  tt.return
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @f(%a: tensor<16xf32>) {
  // expected-error @+1 {{operand #0 must be a tile with a layout}}
  %0 = ttg.convert_layout %a : tensor<16xf32> -> tensor<16xf32, #b>
  tt.return
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @f(%a: tensor<16xi8, #b>) {
  // expected-error @+1 {{makes two numbers of each byte along axis 0, not 'tensor<16xf16}}
  %0 = ttg.fp4_to_fp %a {axis = 0 : i32} : tensor<16xi8, #b> -> tensor<16xf16, #b>
  tt.return
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @f(%a: tensor<16xi16, #b>) {
  // expected-error @+1 {{makes f16, bf16 or f32 of pairs in i8, not}}
  %0 = ttg.fp4_to_fp %a {axis = 0 : i32} : tensor<16xi16, #b> -> tensor<32xf16, #b>
  tt.return
}

// -----

tt.func @f() {
  // expected-error @+1 {{needs some bytes at a multiple of a power of two: not 16 at 3}}
  %0 = ttg.global_scratch_alloc {alignment = 3 : i32, nbytes = 16 : i32} : !tt.ptr<i8>
  tt.return
}
