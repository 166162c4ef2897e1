//===- OuterLoop.h - the loop around a pipelined loop ---------------------------------------------------*- C++ -*-===//
//
// Copies for the next iteration of an outer loop, such as the loop over the tiles of a persistent kernel, can start
// before the inner loop has finished the current tile. The pipeliner uses this class to compute what these copies need.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PIPELINER_OUTERLOOP_H
#define TILECC_LOWERING_PIPELINER_OUTERLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tilecc::pipeline {

/// The loop that contains a pipelined loop. It recomputes the values that the pipelined loop uses for another iteration
/// of the outer loop.
class OuterLoop {
public:
  OuterLoop(mlir::scf::ForOp outer, mlir::scf::ForOp inner) : outer(outer), inner(inner) {}

  mlir::scf::ForOp getLoop() const { return outer; }
  bool isOutside(mlir::Value value) { return !outer->isAncestor(value.getParentRegion()->getParentOp()); }

  /// Returns true if `value`, which the first iterations of the inner loop use, depends only on the induction variable
  /// of the outer loop, so that it can be computed for the next iteration in advance.
  bool knowsAhead(mlir::Value value);
  /// Returns true if the bounds of the inner loop can be computed in advance too, and it is the only inner loop.
  bool isWorthwhile();

  /// Returns what `value`, which is defined outside the inner loop, is in the selected iteration of the outer loop.
  mlir::Value inOtherIteration(mlir::OpBuilder &builder, mlir::Value value);
  /// Selects the iteration of the outer loop whose induction variable is `number`; it exists if `runs` is true. Null
  /// selects the current iteration.
  void setOtherIteration(mlir::Value number, mlir::Value runs);
  /// Selects the next iteration. Returns an i1 that is true if there is a next iteration.
  mlir::Value startNext(mlir::OpBuilder &builder);

  /// Returns what `value`, which is defined outside the inner loop, is in the current iteration if `isThis` is true,
  /// and otherwise what it is in the next iteration, which must be selected. The value is recomputed from the induction
  /// variable and the slow values (see carry()), so that no other values have to be carried.
  mlir::Value inEitherIteration(mlir::OpBuilder &builder, mlir::Value value, mlir::Value isThis,
                                mlir::IRMapping &known);

  /// Makes the outer loop carry additional values with the initial values `inits`; handOn() sets their next values. The
  /// loop also carries the slow values that have been requested so far, for the current and for the next iteration.
  /// Slow values are results of divisions and of loads from tables, from which the coordinates of tiles are computed;
  /// they take hundreds of cycles. Each iteration therefore computes the slow values of the iteration after the next
  /// one, overlapped with its dots.
  void carry(mlir::OpBuilder &builder, mlir::ValueRange inits);
  mlir::ValueRange getCarried();
  size_t getNumSlow() const { return slow.size(); }
  mlir::Type getSlowType(size_t number) const { return slow[number]->getResult(0).getType(); }
  /// Returns the slow values of the iteration after the next one, which must be selected. They are computed only if
  /// `condition` is true; otherwise the result is `otherwise`.
  llvm::SmallVector<mlir::Value> createSlow(mlir::OpBuilder &builder, mlir::Value condition,
                                            mlir::ValueRange otherwise);
  /// Sets the next values of the carried values. Called at the end of an iteration, after the copies for the next
  /// iteration have started.
  void handOn(mlir::ValueRange values, mlir::ValueRange laterSlow);

private:
  bool knowsAhead(mlir::Value value, llvm::SmallDenseSet<mlir::Value> &seen);
  bool mayLoadAhead(mlir::Operation *op);

  void createNext(mlir::OpBuilder &builder, mlir::Value number);
  mlir::ValueRange getSlow(unsigned ahead);

  mlir::scf::ForOp outer, inner;
  mlir::IRMapping other;
  mlir::Value runs;
  unsigned numCarried = 0;
  llvm::SmallVector<mlir::Operation *> slow; ///< operations in the loop's body that compute slow values
};

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_OUTERLOOP_H
