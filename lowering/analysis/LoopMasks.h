//===- LoopMasks.h - finds the iterations in which a mask is all true -----------------------------------*- C++ -*-===//
//
// The pass triton-split-loops (passes/SplitLoops.cpp) uses this analysis to split off the iterations that need no mask.
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
  AddressRange rest; ///< its terms are values from outside the loop; its constant is `first`

  bool isOfFirst() const { return factor < 0; } ///< true: holds for the first iterations; false: for the last
};

/// A comparison in a loop, and the value (`wanted`) that makes the mask unnecessary in an iteration, if the comparison
/// has it for all elements.
struct LoopMask {
  mlir::arith::CmpIOp compare;
  bool wanted;
  bool isCostly; ///< the comparison selects elements of a large tile
  llvm::SmallVector<LoopCondition, 2> conditions; ///< `compare` has the value `wanted` if all of these hold
};

/// The comparisons from which the masks in a loop are computed, and the iterations in which each of them has the same
/// value for all elements. Index arithmetic is assumed not to overflow, as the language specifies.
/// An scf.for that compares its bounds as unsigned numbers is not analyzed.
class LoopMasks {
public:
  explicit LoopMasks(mlir::scf::ForOp loop);

  /// Returns the comparisons that have the wanted value in all iterations.
  llvm::ArrayRef<LoopMask> getAlways() const { return always; }
  /// Returns the comparisons that, as far as the analysis can prove, have the wanted value in some iterations. Their
  /// `conditions` omit those that always hold.
  llvm::ArrayRef<LoopMask> getSometimes() const { return sometimes; }

  /// Returns true if `sum`, whose terms are values from outside the loop, is known to be at most `most`.
  bool isAtMost(const std::optional<AddressRange> &sum, int64_t most);
  /// Returns the range of a scalar from outside the loop, expressed by the values from which the scalar is computed.
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
