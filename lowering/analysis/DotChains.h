//===- DotChains.h - dots whose left operand depends on another dot -------------------------------------*- C++ -*-===//

#ifndef TILECC_LOWERING_ANALYSIS_DOTCHAINS_H
#define TILECC_LOWERING_ANALYSIS_DOTCHAINS_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// Two dots of the same iteration of a loop, where the left operand of `second` depends on the result of `first`, as in
/// attention.
struct DotChain {
  tt::DotOp first, second;
};

/// Returns the chains in `root`, in program order of the second dots.
llvm::SmallVector<DotChain> findDotChains(mlir::Operation *root);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_DOTCHAINS_H
