//===- EarlyLoads.h - loads that start iterations before their use --------------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_PIPELINER_EARLYLOADS_H
#define TILECC_LOWERING_PIPELINER_EARLYLOADS_H

#include "lowering/analysis/AxisInfo.h"
#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilecc::pipeline {

/// A load of a pipelined loop, and where it waits for its iteration.
struct EarlyLoad {
  tt::LoadOp load;
  int64_t ahead;             ///< iterations
  mlir::Value tiles;         ///< shared memory for `ahead` + 1 tiles; null if it waits in registers
  ttg::MemDescType tile;     ///< one of these; null if it waits in registers
  unsigned contiguity = 1;   ///< elements that one copy may take at once
  bool isReadBack = false;   ///< its iteration reads it from shared memory as what was loaded
};

/// Decides whether the load's tile goes to shared memory, and how it lies there. If operands of matrix units are all that
/// is made of it, it lies as these want it. Otherwise it is read back as it was loaded, in loops with products: tiles
/// that wait in registers would take those that the products need.
void chooseMemory(mlir::scf::ForOp loop, EarlyLoad &early, const AxisInfoAnalysis &axisInfo);

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_EARLYLOADS_H
