//===- KernelAttributes.h - what passes tell each other of a kernel ----------------------------------------*- C++ -*--===//
//
// Discardable attributes that come from the language or from a pass over TTIR and are gone before code is.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_KERNELATTRIBUTES_H
#define TILECC_LOWERING_DIALECTS_KERNELATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tilecc::tt {

/// Of a pointer argument: memory that the kernel has for itself. No other argument points into it, it holds nothing when the
/// kernel begins, and nobody looks at what it holds afterwards. [[tt::temporary]]
inline constexpr llvm::StringLiteral temporaryAttr = "tt.temporary";

/// Of a kernel: what different arguments point into has no byte in common, as far as it is accessed and one of them is written.
inline constexpr llvm::StringLiteral distinctArgumentsAttr = "tt.distinct_arguments";

/// Of a kernel: launches have no more blocks than the GPU has multiprocessors, so that a block may take all shared memory of one.
inline constexpr llvm::StringLiteral fewBlocksAttr = "tt.few_blocks";

/// Of a kernel: its launches may have arguments of which no tensor map of an image can be made, so that threads copy.
inline constexpr llvm::StringLiteral noImagesAttr = "tt.no_images";

/// On a product of floating-point numbers: it is rounded, and does not become one operation with a sum.
inline constexpr llvm::StringLiteral roundsEachAttr = "tt.rounds_each";

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_KERNELATTRIBUTES_H
