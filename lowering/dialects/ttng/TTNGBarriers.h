//===- TTNGBarriers.h - helpers of the operations on barriers in memory ---------------------------------*- C++ -*-===//
#ifndef TILECC_LOWERING_DIALECTS_TTNGBARRIERS_H
#define TILECC_LOWERING_DIALECTS_TTNGBARRIERS_H

#include "lowering/dialects/ttng/TTNG.h"

namespace tilecc::ttng {

/// Adds the memory effects of an operation on an mbarrier. Only initializing and invalidating the mbarrier count as
/// writes to its memory. No access is moved across any of these operations.
void addBarrierEffects(llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects,
                       mlir::OpOperand &barrier, bool isWrite);

/// Reports a memdesc that is not a barrier.
mlir::LogicalResult verifyBarrier(mlir::Operation *op, ttg::MemDescType type);

} // namespace tilecc::ttng

#endif // TILECC_LOWERING_DIALECTS_TTNGBARRIERS_H
