// Where scratch space lies, and where barriers have to be.
// RUN: tcc-opt %s --tritongpu-lower-control-flow --allocate-shared-memory | FileCheck %s --check-prefix=ALLOC
// RUN: tcc-opt %s --tritongpu-lower-control-flow --allocate-shared-memory --tritongpu-membar | FileCheck %s --check-prefix=BARRIER

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>

// Two are more than 32 KiB together, so they overlap: 64 columns of 64 doubles each, without padding.
// ALLOC: module attributes {{.*}}ttg.shared = 32768 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Two conversions, one behind the other, in the same place: the second may not write before all have read.
// ALLOC-LABEL: @same_place
// ALLOC: ttg.convert_layout {{.*}}allocation.offset = 0 : i32}
// ALLOC: ttg.convert_layout {{.*}}allocation.offset = 0 : i32}
// BARRIER-LABEL: @same_place
// BARRIER-NOT: local_barrier
// BARRIER: ttg.convert_layout
// BARRIER-NEXT: ttg.local_barrier
// BARRIER-NEXT: ttg.convert_layout
// BARRIER-NEXT: tt.return
tt.func public @same_place(%x: tensor<64x64xf64, #b>) {
  %0 = ttg.convert_layout %x : tensor<64x64xf64, #b> -> tensor<64x64xf64, #c>
  %1 = ttg.convert_layout %x : tensor<64x64xf64, #b> -> tensor<64x64xf64, #c>
  tt.return
}

// Around a loop a conversion meets itself.
// BARRIER-LABEL: @loop
// BARRIER: ^bb2
// BARRIER: ttg.local_barrier
// BARRIER-NEXT: ttg.convert_layout
tt.func public @loop(%x: tensor<64x64xf64, #b>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = ttg.convert_layout %x : tensor<64x64xf64, #b> -> tensor<64x64xf64, #c>
  }
  tt.return
}

// A barrier that is there already serves.
// BARRIER-LABEL: @given
// BARRIER: ttg.convert_layout
// BARRIER-NEXT: ttg.local_barrier
// BARRIER-NEXT: ttg.convert_layout
// BARRIER-NEXT: tt.return
tt.func public @given(%x: tensor<64x64xf64, #b>) {
  %0 = ttg.convert_layout %x : tensor<64x64xf64, #b> -> tensor<64x64xf64, #c>
  ttg.local_barrier
  %1 = ttg.convert_layout %x : tensor<64x64xf64, #b> -> tensor<64x64xf64, #c>
  tt.return
}

// The language's barrier, too.
// BARRIER-LABEL: @of_the_language
// BARRIER: ttg.convert_layout
// BARRIER-NEXT: gpu.barrier
// BARRIER-NEXT: ttg.convert_layout
// BARRIER-NEXT: tt.return
tt.func public @of_the_language(%x: tensor<64x64xf64, #b>) {
  %0 = ttg.convert_layout %x : tensor<64x64xf64, #b> -> tensor<64x64xf64, #c>
  gpu.barrier
  %1 = ttg.convert_layout %x : tensor<64x64xf64, #b> -> tensor<64x64xf64, #c>
  tt.return
}

// On one path only: the other arrives with nothing pending, but the barrier cannot know.
// BARRIER-LABEL: @branch
// BARRIER: ttg.convert_layout
// BARRIER: ttg.local_barrier
// BARRIER-NEXT: ttg.convert_layout
tt.func public @branch(%x: tensor<64x64xf64, #b>, %c: i1) {
  scf.if %c {
    %0 = ttg.convert_layout %x : tensor<64x64xf64, #b> -> tensor<64x64xf64, #c>
  }
  %1 = ttg.convert_layout %x : tensor<64x64xf64, #b> -> tensor<64x64xf64, #c>
  tt.return
}

// A swizzle's phase begins where the tile does, every 1024 bytes: so the barrier, which comes first, lies behind.
// ALLOC-LABEL: @aligned
// ALLOC: ttg.local_alloc {allocation.offset = 8192 : i32} : () -> !ttg.memdesc<1xi64
// ALLOC: ttg.local_alloc {allocation.offset = 0 : i32} : () -> !ttg.memdesc<64x64xf16
tt.func public @aligned() {
  %0 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #barrier, #smem, mutable>
  %1 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>
  ttg.local_dealloc %1 : !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>
  ttg.local_dealloc %0 : !ttg.memdesc<1xi64, #barrier, #smem, mutable>
  tt.return
}
}
