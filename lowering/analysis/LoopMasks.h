//===- LoopMasks.h - finds the iterations in which a mask is all true -----------------------------------*- C++ -*-===//
//
// The pass that splits loops (passes/SplitLoops.cpp) uses this analysis.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_LOOPMASKS_H
#define TILECC_LOWERING_ANALYSIS_LOOPMASKS_H

#include "lowering/analysis/AddressRange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <vector>

namespace tilecc {

/// factor * i + rest >= 0, where i is the induction variable.
struct LoopCondition {
  int64_t factor;
  AddressRange rest; ///< terms from outside the loop, and one constant: first

  bool isOfFirst() const { return factor < 0; } ///< holds for the first iterations; otherwise for the last ones
};

/// A comparison in a loop, and the value that it has for all elements in iterations that need no mask.
struct LoopMask {
  mlir::arith::CmpIOp compare;
  bool wanted;
  bool isCostly; ///< it selects elements of a large tile
  llvm::SmallVector<LoopCondition, 2> conditions; ///< it selects elements of a large tile
};

/// The comparisons from which the masks in a loop are computed, and the iterations in which they are uniform. Index
/// arithmetic is assumed not to overflow, as the language specifies. Loops with unsigned comparisons are not analyzed.
class LoopMasks {
public:
  explicit LoopMasks(mlir::scf::ForOp loop);

  /// Returns the masks that have the wanted value in all iterations.
  llvm::ArrayRef<LoopMask> getAlways() const { return always; }
  /// Returns the masks that have it in some iterations, as far as the analysis can prove. Conditions that always hold
  /// are omitted.
  llvm::ArrayRef<LoopMask> getSometimes() const { return sometimes; }

  /// Returns true if `sum`, whose terms are from outside the loop, is known to be at most `most`.
  bool isAtMost(const std::optional<AddressRange> &sum, int64_t most);
  /// Returns the range of a scalar from outside the loop, in terms of the values from which it is computed.
  std::optional<AddressRange> expand(mlir::Value value) { return getRange(value, /*looksInto=*/true); }
  std::optional<AddressRange> expand(const AddressRange &range);

  /// Returns the value of a constant, if it fits into 32 bits.
  static std::optional<int64_t> getNumber(mlir::Value value);
  static AddressRange makeRange(int64_t number);

private:
  std::optional<AddressRange> getRange(mlir::Value value, bool looksInto);
  bool isCounterTruncated(mlir::Value value);
  std::optional<AddressRange> getRangeOfCarried(mlir::BlockArgument argument);
  std::optional<AddressRange> getLast();
  std::optional<AddressRange> evaluate(const LoopCondition &condition, const std::optional<AddressRange> &at);
  llvm::SmallVector<LoopCondition, 2> getConditions(LoopMask mask);
  void classify(LoopMask mask);

  mlir::scf::ForOp loop;
  std::optional<int64_t> step;
  std::optional<AddressRange> lowest, highest; ///< the induction variable in the first and last iteration
  std::vector<LoopMask> always, sometimes;
};

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_LOOPMASKS_H
