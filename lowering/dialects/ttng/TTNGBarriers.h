//===- TTNGBarriers.h - what the operations on barriers in memory share -------------------------------------*- C++
//-*-//
#ifndef TILECC_LOWERING_DIALECTS_TTNGBARRIERS_H
#define TILECC_LOWERING_DIALECTS_TTNGBARRIERS_H

#include "lowering/dialects/ttng/TTNG.h"

namespace tilecc::ttng {

/// Adds the effects of an operation on a barrier: only setting it up and giving it back write its memory as far as
/// other accesses are concerned; nothing moves across any of them.
void addBarrierEffects(llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects,
                       mlir::OpOperand &barrier, bool isWrite);

/// Reports a memdesc that is no barrier.
mlir::LogicalResult verifyBarrier(mlir::Operation *op, ttg::MemDescType type);

} // namespace tilecc::ttng

#endif // TILECC_LOWERING_DIALECTS_TTNGBARRIERS_H
