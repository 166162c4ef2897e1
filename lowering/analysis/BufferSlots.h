//===- BufferSlots.h - slots of multi-buffered allocations ----------------------------------------------*- C++ -*-===//
//
// The pipeliner calls these functions to create slot indices, and barrier insertion calls them to recognize slot
// indices.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_BUFFERSLOTS_H
#define TILECC_LOWERING_ANALYSIS_BUFFERSLOTS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Returns the slot after `slot` in a buffer of `count` slots: slot + 1 >= count ? 0 : slot + 1. In a buffer of one
/// slot, that is `slot` itself.
mlir::Value createNextSlot(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, int64_t count);

/// Matches the result of createNextSlot. Returns the previous slot, or null.
mlir::Value matchNextSlot(mlir::Value next, int64_t count);

/// The origin of a view of shared memory: the first value that is not a view (an operation's result or a block
/// argument), and the index operation between them that selects a slot, which may be null.
struct ViewedTile {
  mlir::Value memory;
  ttg::MemDescIndexOp index;
};
ViewedTile getViewedTile(mlir::Value view);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_BUFFERSLOTS_H
