//===- PartialReductions.h - what threads reduce of their own ---------------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_PASSES_PARTIALREDUCTIONS_H
#define TILECC_LOWERING_PASSES_PARTIALREDUCTIONS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// The bits of a place along the reduced axis that lanes and warps move; nothing where a lane, warp or register moves
/// several.
std::optional<uint64_t> getBitsOfThreads(tt::ReduceOp reduce);

/// Reduces `source` like `like` along an axis that may be another.
mlir::Value createReduce(mlir::OpBuilder &builder, tt::ReduceOp like, mlir::Value source, unsigned along);

/// Reduces what `reduce` does, which has one source, as far as it is one thread's: what is left of the axis are the
/// threads that share it, of which `ofThreads` are the bits.
mlir::Value createReduceWithinThreads(mlir::OpBuilder &builder, tt::ReduceOp reduce, uint64_t ofThreads);

} // namespace tilecc

#endif // TILECC_LOWERING_PASSES_PARTIALREDUCTIONS_H
