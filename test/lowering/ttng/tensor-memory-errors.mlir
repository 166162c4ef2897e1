// RUN: tcc-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{a dot has blocks of 64 or 128 rows in tensor memory, not 32}}
#tmem = #ttng.tensor_memory_encoding<blockM = 32, blockN = 128, colStride = 1>

// -----

// expected-error @+1 {{a block in tensor memory has a power of two of columns, up to 512, not 96}}
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 96, colStride = 1>

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
// expected-error @+1 {{a matrix of 64 rows in blocks of 128}}
tt.func @f(%a: !ttg.memdesc<64x128xf32, #tmem, #ttng.tensor_memory>) {
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
// expected-error @+1 {{cannot be in #ttg.shared_memory}}
tt.func @f(%a: !ttg.memdesc<128x128xf32, #tmem, #ttg.shared_memory>) {
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
tt.func @f(%a: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory>) {
  // expected-error @+1 {{takes a tile in shared memory, not}}
  %tile = ttg.local_load %a : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory> -> tensor<128x128xf32, #blocked>
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
tt.func @f(%a: !ttg.memdesc<128x64xbf16, #shared, #ttg.shared_memory>, %b: !ttg.memdesc<32x128xbf16, #shared, #ttg.shared_memory>,
           %d: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, %p: i1) {
  // expected-error @+1 {{multiplies MxK by KxN to MxN, not}}
  ttng.tc_gen5_mma %a, %b, %d, %p, %p : !ttg.memdesc<128x64xbf16, #shared, #ttg.shared_memory>, !ttg.memdesc<32x128xbf16, #shared, #ttg.shared_memory>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#part = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
tt.func @f(%a: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory>) {
  // expected-error @+1 {{takes a part aligned to its own size: not 64 of 128 columns at 32}}
  %part = ttng.tmem_subslice %a {N = 32 : i32} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory> -> !ttg.memdesc<128x64xf32, #part, #ttng.tensor_memory, 128x128>
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#part = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
tt.func @f(%a: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory>) {
  // expected-error @+1 {{takes columns of a whole matrix, whose shape ends the type}}
  %part = ttng.tmem_subslice %a {N = 0 : i32} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory> -> !ttg.memdesc<128x64xf32, #part, #ttng.tensor_memory>
  tt.return
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
tt.func @f(%a: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory>) {
  // expected-error @+1 {{takes columns of a matrix whose rows are not divided into blocks}}
  %part = ttng.tmem_subslice %a {N = 0 : i32} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, 128x128>
  tt.return
}
