//===- KernelAttributes.h - attributes through which passes describe a kernel ---------------------------*- C++ -*-===//
//
// These discardable attributes come from the source or from passes over TTIR. Code generation removes them.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_KERNELATTRIBUTES_H
#define TILECC_LOWERING_DIALECTS_KERNELATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tilecc::tt {

/// On a pointer argument: the memory is temporary storage of this kernel ([[tt::temporary]]). No other argument points
/// into it, its initial contents are undefined, and nothing reads it after the kernel.
inline constexpr llvm::StringLiteral temporaryAttr = "tt.temporary";

/// On a kernel: if two arguments access overlapping memory, the kernel only reads that memory.
inline constexpr llvm::StringLiteral distinctArgumentsAttr = "tt.distinct_arguments";

/// On a kernel: a launch has at most as many blocks as the GPU has multiprocessors, so each block may use all shared
/// memory of its multiprocessor.
inline constexpr llvm::StringLiteral fewBlocksAttr = "tt.few_blocks";

/// On a kernel with fewBlocksAttr: each program runs on one block. Without this attribute, several blocks may share the
/// iterations of a loop.
inline constexpr llvm::StringLiteral oneBlockAttr = "tt.one_block";

/// On a kernel: rows of tensors that it loads do not begin with cache lines, so that copies take twice as long.
inline constexpr llvm::StringLiteral crossesLinesAttr = "tt.crosses_lines";
/// The number of elements of the smallest tile of a dot for which pairs of blocks then share copies.
inline constexpr int64_t smallestTileInPairs = 128 * 128;

/// On a kernel: a launch may run only some consecutive programs of the grid.
inline constexpr llvm::StringLiteral numberedAttr = "tt.numbered";

/// On a kernel whose programs may each run on several blocks, which share the iterations of a loop: a block executes at
/// least this many iterations. If there are fewer, further blocks have nothing to do.
inline constexpr llvm::StringLiteral leastIterationsAttr = "tt.least_iterations";

/// On a kernel: before it accesses global memory, it waits until the previous launch in its stream has ended. So a
/// launch may begin earlier.
inline constexpr llvm::StringLiteral waitsAttr = "tt.waits";

/// On a kernel: the GPU runs all blocks of a launch at the same time, so no block needs to run a second program.
inline constexpr llvm::StringLiteral oneWaveAttr = "tt.one_wave";

/// On a kernel: the minimum number of stages of its loops, or as many as fit, even if the source requests fewer. It is
/// set if a multiprocessor runs only one block of the kernel at a time, so that no other block needs the shared memory.
inline constexpr llvm::StringLiteral leastStagesAttr = "tt.least_stages";

/// On a kernel: the arguments of a launch may describe an image for which no tensor map can be created. Threads then
/// copy the image instead.
inline constexpr llvm::StringLiteral noImagesAttr = "tt.no_images";

/// On an integer argument: the largest value that it may have. It is not negative.
inline constexpr llvm::StringLiteral atMostAttr = "tt.at_most";

/// On a floating-point multiplication: its result is rounded, so it must not be contracted with an addition.
inline constexpr llvm::StringLiteral roundsEachAttr = "tt.rounds_each";

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_KERNELATTRIBUTES_H
