//===- SharedEncodings.h - chooses the swizzle of tiles in shared memory --------------------------------*- C++ -*-===//
//
// Passes that store operands of matrix units to shared memory choose their encodings with these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_SHAREDENCODINGS_H
#define TILECC_LOWERING_ANALYSIS_SHAREDENCODINGS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

class GpuFacts;

/// Returns the axes of an encoded tile, the fastest first: the order in which a thread's registers, and then lanes,
/// move along them. Threads write elements that are adjacent in this order together.
llvm::SmallVector<unsigned> getMemoryOrder(mlir::RankedTensorType tile);
/// Returns the order of axes in which threads should write a tile to shared memory for a matrix unit. It is the order
/// of getMemoryOrder(), except for 16-bit elements, which matrix units read by rows and by columns equally well. For
/// 16-bit elements, the axis along which a thread has the most adjacent elements comes first.
llvm::SmallVector<unsigned> getStoreOrder(mlir::RankedTensorType tile);

/// Returns true if the result of `convert` is an operand of a matrix unit, possibly after a transposition that moves no
/// elements.
bool makesMatrixOperand(ttg::ConvertLayoutOp convert);

/// Returns the swizzle with which a warp loads `tile` in the fewest wavefronts. Only swizzles that keep runs of 16
/// bytes along `order[0]` together are considered, because wide stores and asynchronous copies need such runs.
mlir::Attribute chooseSharedEncoding(mlir::RankedTensorType tile, llvm::ArrayRef<unsigned> order);
/// Returns the encoding with which threads store the tile in the layout of `from`, and then load it in the layout of
/// `to`, an operand of a matrix unit, in the fewest wavefronts.
mlir::Attribute chooseSharedEncoding(mlir::RankedTensorType from, mlir::RankedTensorType to, const GpuFacts &facts);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_SHAREDENCODINGS_H
