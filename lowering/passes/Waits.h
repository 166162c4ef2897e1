//===- Waits.h - loops of TTIR that wait for memory -----------------------------------------------------*- C++ -*-===//
#ifndef TILECC_LOWERING_PASSES_WAITS_H
#define TILECC_LOWERING_PASSES_WAITS_H

#include "lowering/dialects/tt/SignalOps.h"

namespace tilecc {

/// Returns an i1 that is true if a scalar, or any element of a tile, is true.
mlir::Value isAny(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

/// Replaces a wait by a loop that loads all signals until each is large enough. The loop carries no values.
void expandWait(tt::WaitSignalOp wait);

} // namespace tilecc

#endif // TILECC_LOWERING_PASSES_WAITS_H
