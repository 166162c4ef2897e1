//===- DotChains.cpp - dots whose left operand depends on another dot ---------------------------------------------===//

#include "lowering/analysis/DotChains.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

llvm::SmallVector<tilecc::DotChain> tilecc::findDotChains(Operation *root) {
  SmallVector<DotChain> chains;
  root->walk([&](tt::DotOp dot) {
    llvm::SetVector<Operation *> sources;
    BackwardSliceOptions inBlock;
    inBlock.omitBlockArguments = true;
    inBlock.filter = [&](Operation *op) { return op->getBlock() == dot->getBlock(); };
    if (!dot->getParentOfType<LoopLikeOpInterface>() || failed(getBackwardSlice(dot.getA(), &sources, inBlock)))
      return;
    for (Operation *source : sources)
      if (auto first = dyn_cast<tt::DotOp>(source))
        chains.push_back({first, dot});
  });
  return chains;
}
