//===- BufferSlots.h - buffers of several tiles, used one after the other -------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_ANALYSIS_BUFFERSLOTS_H
#define TILECC_LOWERING_ANALYSIS_BUFFERSLOTS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// The slot behind `slot` in a buffer of `count` tiles: slot + 1 >= count ? 0 : slot + 1.
mlir::Value createNextSlot(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, int64_t count);

/// Recognizes what createNextSlot makes; returns the slot before, or null.
mlir::Value matchNextSlot(mlir::Value next, int64_t count);

/// Where a view of shared memory comes from: the operation that is no view any more, or the block argument, and on the way
/// there the tile of a buffer of several; null where there is none.
struct ViewedTile {
  mlir::Value memory;
  ttg::MemDescIndexOp index;
};
ViewedTile getViewedTile(mlir::Value view);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_BUFFERSLOTS_H
