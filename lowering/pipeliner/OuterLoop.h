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

  /// `value`, which is from outside of the inner loop, in the iteration that was named last.
  mlir::Value inOtherIteration(mlir::OpBuilder &builder, mlir::Value value);
  /// Names the iteration `number`, if it `runs`; null: the one that the loop is in.
  void setOtherIteration(mlir::Value number, mlir::Value runs);
  /// Names the next iteration; whether it runs.
  mlir::Value startNext(mlir::OpBuilder &builder);

  /// `value`, which is from outside of the inner loop, in the iteration that the loop is in, if it `isThis`, or else in the next one,
  /// which has been named. Computed anew, from the number and what is slow, so that nothing more has to be kept.
  mlir::Value inEitherIteration(mlir::OpBuilder &builder, mlir::Value value, mlir::Value isThis, mlir::IRMapping &known);

  /// Has the loop carry more values, which begin as `inits` and whose next ones handOn() says. What is slow, divisions and loads
  /// from tables, from which tiles have their coordinates, takes hundreds of cycles: what was asked for until then is carried,
  /// too, as is the next iteration's. An iteration then makes that of the one behind the next, beside its products.
  void carry(mlir::OpBuilder &builder, mlir::ValueRange inits);
  mlir::ValueRange getCarried();
  size_t getNumSlow() const { return slow.size(); }
  mlir::Type getSlowType(size_t number) const { return slow[number]->getResult(0).getType(); }
  /// What is slow of the iteration behind the next, which has been named, made where `condition` holds; else what is there.
  llvm::SmallVector<mlir::Value> createSlow(mlir::OpBuilder &builder, mlir::Value condition, mlir::ValueRange otherwise);
  /// At the end of an iteration, where the next one's copies have started.
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
  llvm::SmallVector<mlir::Operation *> slow; ///< of the loop's body
};

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_OUTERLOOP_H
