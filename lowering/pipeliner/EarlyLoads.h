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
};

/// Decides how the load's tile lies in shared memory, if it goes there: it does if operands of matrix units are all that is
/// made of it, and lies as these want it.
void chooseMemory(mlir::scf::ForOp loop, EarlyLoad &early, const AxisInfoAnalysis &axisInfo);

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_EARLYLOADS_H
