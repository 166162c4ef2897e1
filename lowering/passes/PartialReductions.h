//===- PartialReductions.h - the part of a reduction that each thread does alone ------------------------*- C++ -*-===//
//
// Some passes move the exchange of elements between threads out of a loop, so that each iteration reduces only within
// threads. They share these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PASSES_PARTIALREDUCTIONS_H
#define TILECC_LOWERING_PASSES_PARTIALREDUCTIONS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Returns the bits of the coordinate along the reduced axis that the lane and the warp determine. Returns nothing if
/// some bit of a register, lane or warp changes several bits of the coordinate.
std::optional<uint64_t> getBitsOfThreads(tt::ReduceOp reduce);

/// Creates a reduction of `source` along axis `along`, with a copy of the combiner of `like`.
mlir::Value createReduce(mlir::OpBuilder &builder, tt::ReduceOp like, mlir::Value source, unsigned along);

/// Creates the part of `reduce`, which has one source, that each thread computes alone. In the result, the reduced axis
/// has one element for each thread that holds a part of it; `ofThreads` are the bits that distinguish these threads.
mlir::Value createReduceWithinThreads(mlir::OpBuilder &builder, tt::ReduceOp reduce, uint64_t ofThreads);

} // namespace tilecc

#endif // TILECC_LOWERING_PASSES_PARTIALREDUCTIONS_H
