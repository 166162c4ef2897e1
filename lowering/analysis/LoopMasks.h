//===- LoopMasks.h - in which iterations of a loop a mask lets everything through -------------------*- C++ -*-----===//
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
  AddressRange rest; ///< terms from outside of the loop, and one number: first

  bool isOfFirst() const { return factor < 0; } ///< holds for the first iterations, or else for the last ones
};

/// A comparison in an iteration, and the value that it has for all elements where the iteration needs no mask.
struct LoopMask {
  mlir::arith::CmpIOp compare;
  bool wanted;
  bool isCostly;                                  ///< elements of a large tile are selected by it
  llvm::SmallVector<LoopCondition, 2> conditions; ///< together they make the comparison be as wanted
};

/// The comparisons that masks in an iteration of a loop are made of, and what is known of them. Index arithmetic is
/// taken not to overflow, as the language has it. Nothing is known of a loop that counts without sign.
class LoopMasks {
public:
  explicit LoopMasks(mlir::scf::ForOp loop);

  /// Masks that are as wanted in all iterations.
  llvm::ArrayRef<LoopMask> getAlways() const { return always; }
  /// Masks that are in some iterations, as far as is known; without conditions that always hold.
  llvm::ArrayRef<LoopMask> getSometimes() const { return sometimes; }

  /// Whether `sum`, of terms from outside, is at most `most` for certain.
  bool isAtMost(const std::optional<AddressRange> &sum, int64_t most);
  /// The range of a scalar from outside, by what it is computed from.
  std::optional<AddressRange> expand(mlir::Value value) { return getRange(value, /*looksInto=*/true); }
  std::optional<AddressRange> expand(const AddressRange &range);

  /// A number that a constant is, if it has 32 bits.
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
  std::optional<AddressRange> lowest, highest; ///< the induction variable in the first and in the last iteration
  std::vector<LoopMask> always, sometimes;
};

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_LOOPMASKS_H
