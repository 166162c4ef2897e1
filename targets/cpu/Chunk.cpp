//===- Chunk.cpp - positions in a tile and their elements ---------------------------------------------------------===//
//
// This file implements queries about chunks and lanes. They emit no code.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Chunk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace tilecc::cpu;

bool Chunk::isInRowOf(const Chunk &other) const {
  if (vecDim != other.vecDim || index.size() != other.index.size())
    return false;
  for (auto [d, i] : enumerate(index))
    if (static_cast<int>(d) != vecDim && i != other.index[d])
      return false;
  return true;
}

bool Lane::isContiguous(unsigned bytes) const {
  auto *step = dyn_cast_or_null<ConstantInt>(kind == Strided ? stride : nullptr);
  return step && step->equalsInt(bytes);
}

bool tilecc::cpu::isTrue(Value *v) {
  auto *constant = dyn_cast<Constant>(v);
  return constant && constant->isAllOnesValue();
}
