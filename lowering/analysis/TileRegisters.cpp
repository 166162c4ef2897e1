//===- TileRegisters.cpp - the registers that a thread needs for a tile -------------------------------------------===//
//
// Passes that start loads early use these numbers to decide whether the results fit into registers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/TileRegisters.h"
#include "lowering/dialects/tt/TT.h"
#include <algorithm>

using namespace mlir;

namespace tilecc {

unsigned getBitsInMemory(RankedTensorType type) { return std::max(8u, tt::getElementBits(type.getElementType())); }

int64_t getPackedRegisters(RankedTensorType type) {
  return llvm::divideCeil(ttg::getElementsPerThread(type) * getBitsInMemory(type), 32);
}

} // namespace tilecc
