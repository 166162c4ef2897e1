//===- OuterLoop.h - a loop around a pipelined one -----------------------------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_PIPELINER_OUTERLOOP_H
#define TILECC_LOWERING_PIPELINER_OUTERLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tilecc::pipeline {

/// The loop around a pipelined one, whose iterations a program takes one after the other (the tiles of a persistent program).
/// Computes again, for another of its iterations, what the pipelined loop begins with.
class OuterLoop {
public:
  OuterLoop(mlir::scf::ForOp outer, mlir::scf::ForOp inner) : outer(outer), inner(inner) {}

  mlir::scf::ForOp getLoop() const { return outer; }
  bool isOutside(mlir::Value value) { return !outer->isAncestor(value.getParentRegion()->getParentOp()); }

  /// Whether `value`, of the inner loop's first iterations, follows from the number of the outer iteration alone.
  bool knowsAhead(mlir::Value value);
  /// Whether the inner loop's bounds are known ahead, too, and it is the only loop.
  bool isWorthwhile();

  /// `value`, which is from outside of the inner loop, in the iteration that setOtherIteration() has named.
  mlir::Value inOtherIteration(mlir::OpBuilder &builder, mlir::Value value);
  void setOtherIteration(mlir::Value number);

  /// Has the loop carry more values, which begin as `inits` and whose next ones handOn() says.
  void carry(mlir::ValueRange inits);
  mlir::ValueRange getCarried();
  void handOn(mlir::ValueRange values);

private:
  bool knowsAhead(mlir::Value value, llvm::SmallDenseSet<mlir::Value> &seen);

  mlir::scf::ForOp outer, inner;
  mlir::IRMapping other;
  unsigned numCarried = 0;
};

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_OUTERLOOP_H
