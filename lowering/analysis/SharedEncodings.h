//===- SharedEncodings.h - how a tile should lie in shared memory --------------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_ANALYSIS_SHAREDENCODINGS_H
#define TILECC_LOWERING_ANALYSIS_SHAREDENCODINGS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// The axes of an encoded tile from the one along which a thread's registers, and then lanes, move first: the order in
/// which neighbours are written at once.
llvm::SmallVector<unsigned> getMemoryOrder(mlir::RankedTensorType tile);
/// The order in which threads best write a tile to shared memory for a matrix unit: that one, but of 16-bit elements, which the units
/// take by rows and by columns, the axis comes first along which a thread has most neighbours.
llvm::SmallVector<unsigned> getStoreOrder(mlir::RankedTensorType tile);

/// Whether `convert` makes an operand of matrix units, or what a transposition makes one of without moving elements.
bool makesMatrixOperand(ttg::ConvertLayoutOp convert);

/// The swizzle under which a warp loads `tile` with the fewest wavefronts, of those that keep runs of 16 bytes along
/// `order[0]` together (which wide stores and asynchronous copies need).
ttg::SwizzledSharedEncodingAttr chooseSharedEncoding(mlir::RankedTensorType tile, llvm::ArrayRef<unsigned> order);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_SHAREDENCODINGS_H
