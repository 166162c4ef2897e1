//===- PartialReductions.h - the part of a reduction that each thread does alone ------------------------*- C++ -*-===//
//
// Used by passes that move the exchange between threads out of a loop.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PASSES_PARTIALREDUCTIONS_H
#define TILECC_LOWERING_PASSES_PARTIALREDUCTIONS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Returns the bits of the coordinate along the reduced axis that lane and warp determine. Returns nothing if one bit
/// of a lane, warp or register changes several bits of the coordinate.
std::optional<uint64_t> getBitsOfThreads(tt::ReduceOp reduce);

/// Reduces `source` with the combiner of `like`, along the axis `along`.
mlir::Value createReduce(mlir::OpBuilder &builder, tt::ReduceOp like, mlir::Value source, unsigned along);

/// Performs the part of `reduce`, which has one source, that stays within threads. The reduced axis keeps one element
/// for each thread that holds part of it; `ofThreads` are the bits that distinguish these threads.
mlir::Value createReduceWithinThreads(mlir::OpBuilder &builder, tt::ReduceOp reduce, uint64_t ofThreads);

} // namespace tilecc

#endif // TILECC_LOWERING_PASSES_PARTIALREDUCTIONS_H
