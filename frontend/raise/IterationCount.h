//===- IterationCount.h - the number of iterations of LLVM's loops ------------------------------------*- C++ -*-===//

#ifndef TILECC_FRONTEND_RAISE_ITERATIONCOUNT_H
#define TILECC_FRONTEND_RAISE_ITERATIONCOUNT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace tilecc {

/// Returns the number of iterations after which `loop` ends at the latest, or 0 if that is not a small constant. Some
/// exits, such as `break`, may end the loop earlier. LLVM can unroll such a loop.
inline unsigned countConstantIterations(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  llvm::SmallVector<llvm::BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  unsigned least = 0;
  for (llvm::BasicBlock *block : exiting)
    if (unsigned count = evolution.getSmallConstantTripCount(&loop, block); count && (!least || count < least))
      least = count;
  return least;
}

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_ITERATIONCOUNT_H
