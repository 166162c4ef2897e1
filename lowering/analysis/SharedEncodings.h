//===- SharedEncodings.h - chooses the swizzle of tiles in shared memory --------------------------------*- C++ -*-===//
//
// Passes that put operands of matrix units into shared memory call these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_SHAREDENCODINGS_H
#define TILECC_LOWERING_ANALYSIS_SHAREDENCODINGS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

class GpuFacts;

/// Returns the axes of an encoded tile in the order in which a thread's registers, and then lanes, move along them.
/// Adjacent elements in this order are written together.
llvm::SmallVector<unsigned> getMemoryOrder(mlir::RankedTensorType tile);
/// Returns the axis order in which threads should write a tile to shared memory for a matrix unit. It is the memory
/// order, except for 16-bit elements, which the units read by rows and by columns equally well. For these, the axis
/// along which a thread has the most adjacent elements comes first.
llvm::SmallVector<unsigned> getStoreOrder(mlir::RankedTensorType tile);

/// Returns true if `convert` makes an operand of a matrix unit, or a tile that becomes one by a transposition that
/// moves nothing.
bool makesMatrixOperand(ttg::ConvertLayoutOp convert);

/// Returns the swizzle with which a warp loads `tile` in the fewest wavefronts, among those that keep runs of 16 bytes
/// along `order[0]` together (as wide stores and asynchronous copies need).
mlir::Attribute chooseSharedEncoding(mlir::RankedTensorType tile, llvm::ArrayRef<unsigned> order);
/// Returns the encoding with which threads store `from` and then load `to`, the same tile as an operand of a matrix
/// unit, in the fewest wavefronts.
mlir::Attribute chooseSharedEncoding(mlir::RankedTensorType from, mlir::RankedTensorType to, const GpuFacts &facts);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_SHAREDENCODINGS_H
