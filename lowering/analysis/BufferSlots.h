//===- BufferSlots.h - slots of multi-buffered allocations ----------------------------------------------*- C++ -*-===//
//
// A multi-buffered allocation has several slots, which iterations use in turn. The pipeliner creates slot indices with
// these functions, and barrier insertion recognizes them, so that it knows which slots are different.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_BUFFERSLOTS_H
#define TILECC_LOWERING_ANALYSIS_BUFFERSLOTS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Returns the slot after `slot` in a buffer of `count` slots: slot + 1 >= count ? 0 : slot + 1. In a buffer of one
/// slot, that is `slot` itself.
mlir::Value createNextSlot(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, int64_t count);

/// If `next` is the result of createNextSlot, returns its operand, the previous slot; otherwise returns null.
mlir::Value matchNextSlot(mlir::Value next, int64_t count);

/// The origin of a view of shared memory. `memory` is the first value that is not a view: the result of another
/// operation, or a block argument. `index` is the operation between `memory` and the view that selects a slot; it may
/// be null.
struct ViewedTile {
  mlir::Value memory;
  ttg::MemDescIndexOp index;
};
ViewedTile getViewedTile(mlir::Value view);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_BUFFERSLOTS_H
