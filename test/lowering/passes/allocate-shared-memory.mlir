// The offsets of scratch space, and the barriers that are needed.
// RUN: tcc-opt %s --tritongpu-lower-control-flow --allocate-shared-memory | FileCheck %s --check-prefix=ALLOC
// RUN: tcc-opt %s --tritongpu-lower-control-flow --allocate-shared-memory --tritongpu-membar | FileCheck %s --check-prefix=BARRIER

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>

// Two buffers take more than 32 KiB together, so they overlap: each has 64 columns of 64 doubles, without padding.
// ALLOC: module attributes {{.*}}ttg.shared = 32768 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {

// Two consecutive conversions use the same memory: the second one may not write before all threads have read.
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

// In a loop, a conversion conflicts with itself in the next iteration.
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

// An existing barrier is enough.
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

// So is debug_barrier.
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

// A barrier on one path only: on the other path nothing is pending, but the barrier behind cannot know which path was
// taken.
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

// A swizzle requires an alignment of 1024 bytes, so the barrier, which comes first, is allocated behind the tile.
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
