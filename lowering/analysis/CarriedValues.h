//===- CarriedValues.h - values that control flow carries -----------------------------------------------*- C++ -*-===//
//
// Passes that change or follow a value through loops and branches use these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_CARRIEDVALUES_H
#define TILECC_LOWERING_ANALYSIS_CARRIEDVALUES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace tilecc {

/// A value that control flow carries: the block arguments and operation results that hold it, and the operands that
/// pass it on. All have the same type.
struct Slot {
  llvm::SmallVector<mlir::Value, 2> values;
  llvm::SmallVector<mlir::OpOperand *, 2> feeders;
};

/// Returns the slot that contains `value`, if there is one.
std::optional<Slot> getSlot(mlir::Value value);

/// Returns the slot to which `use` passes a value, if there is one.
std::optional<Slot> getFedSlot(mlir::OpOperand &use);

/// Returns the value of `argument` when its block is entered from `predecessor`, or null if it is not known.
mlir::Value getPassed(mlir::Block *predecessor, mlir::BlockArgument argument);

/// Returns the values that control flow, structured or not, may directly pass to `value`. The result contains null for
/// a value that is not known. It is empty if control flow does not carry `value`, that is, for the result of any other
/// operation and for an argument of a function.
llvm::SmallVector<mlir::Value> getIncoming(mlir::Value value);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_CARRIEDVALUES_H
