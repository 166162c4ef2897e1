//===- DotChains.h - dots whose left operand depends on another dot -------------------------------------*- C++ -*-===//
//
// In attention, the result of one dot becomes the left operand of the next. Passes that divide the rows of such kernels
// or choose warps for them use this file.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_ANALYSIS_DOTCHAINS_H
#define TILECC_LOWERING_ANALYSIS_DOTCHAINS_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// Two dots in the same iteration of a loop. The left operand of `second` depends on the result of `first`, as in
/// attention.
struct DotChain {
  tt::DotOp first, second;
};

/// Returns all chains in `root`, ordered by the position of their second dot.
llvm::SmallVector<DotChain> findDotChains(mlir::Operation *root);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_DOTCHAINS_H
