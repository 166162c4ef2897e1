//===- KernelAttributes.h - attributes through which passes describe a kernel ---------------------------*- C++ -*-===//
//
// Discardable attributes that come from the language or from a pass over TTIR. Code generation removes them.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_KERNELATTRIBUTES_H
#define TILECC_LOWERING_DIALECTS_KERNELATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tilecc::tt {

/// On a pointer argument: only the kernel uses this memory. No other argument points into it, its initial contents are
/// undefined, and nothing reads it afterwards. [[tt::temporary]]
inline constexpr llvm::StringLiteral temporaryAttr = "tt.temporary";

/// On a kernel: memory accessed through different arguments does not overlap if it is written.
inline constexpr llvm::StringLiteral distinctArgumentsAttr = "tt.distinct_arguments";

/// On a kernel: launches have at most as many blocks as the GPU has multiprocessors, so a block may use all shared
/// memory of its multiprocessor.
inline constexpr llvm::StringLiteral fewBlocksAttr = "tt.few_blocks";

/// On a kernel: a launch may run only some consecutive programs of the grid.
inline constexpr llvm::StringLiteral numberedAttr = "tt.numbered";

/// On a kernel: the GPU runs all blocks of a launch at the same time, so no block runs another program afterwards.
inline constexpr llvm::StringLiteral oneWaveAttr = "tt.one_wave";

/// On a kernel of which a multiprocessor runs only one block at a time, so that no other block needs the shared memory.
/// If the source requests fewer stages, loops get this number of stages, or as many as fit.
inline constexpr llvm::StringLiteral leastStagesAttr = "tt.least_stages";

/// On a kernel: the arguments of a launch may describe an image for which no tensor map can be created, so threads copy
/// the image instead.
inline constexpr llvm::StringLiteral noImagesAttr = "tt.no_images";

/// On a floating-point product: it is rounded and must not be contracted with an addition.
inline constexpr llvm::StringLiteral roundsEachAttr = "tt.rounds_each";

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_KERNELATTRIBUTES_H
