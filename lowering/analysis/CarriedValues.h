//===- CarriedValues.h - values that control flow carries ---------------------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_ANALYSIS_CARRIEDVALUES_H
#define TILECC_LOWERING_ANALYSIS_CARRIEDVALUES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace tilecc {

/// A place through which control flow carries a value: the block arguments and results that stand for it, and the
/// operands that feed it. All have one type.
struct Slot {
  llvm::SmallVector<mlir::Value, 2> values;
  llvm::SmallVector<mlir::OpOperand *, 2> feeders;
};

/// The slot that `value` stands for, if it stands for one.
std::optional<Slot> getSlot(mlir::Value value);

/// The slot that `use` feeds, if it feeds one.
std::optional<Slot> getFedSlot(mlir::OpOperand &use);

/// The value that `argument` has when its block is reached from `predecessor`; null if that is not known.
mlir::Value getPassed(mlir::Block *predecessor, mlir::BlockArgument argument);

/// The values that may reach `value` by control flow, structured or not, one step back; null among them for one that is
/// not known. None if control flow does not carry it: an operation's result, or the argument of a function.
llvm::SmallVector<mlir::Value> getIncoming(mlir::Value value);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_CARRIEDVALUES_H
