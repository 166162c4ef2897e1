//===- LoopUtils.h - queries on loops for software pipelining -------------------------------------------*- C++ -*-===//
//
// The passes that pipeline or specialize loops use these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PIPELINER_LOOPUTILS_H
#define TILECC_LOWERING_PIPELINER_LOOPUTILS_H

#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilecc::pipeline {

/// Returns true if `op` only computes, so that it can be cloned to run earlier with other operands.
bool isRepeatable(mlir::Operation *op);

/// Returns true if the body of the loop itself contains warp-group dots.
bool hasWarpGroupDots(mlir::scf::ForOp loop);

/// Returns true if the only use of the result of `dot`, an operation of `loop`, is as the accumulator of the next
/// iteration.
bool isRunningSum(mlir::scf::ForOp loop, ttng::WarpGroupDotOp dot);
/// Overload for any operation that adds to `accumulator` and returns `sum`.
bool isRunningSum(mlir::scf::ForOp loop, mlir::Value accumulator, mlir::Value sum);

/// Returns true if the body contains a loop with warp-group dots.
bool containsLoopOfDots(mlir::scf::ForOp loop);

/// Calls `visit` with every value defined outside `op` that `op` or its regions use.
void forEachInput(mlir::Operation *op, llvm::function_ref<void(mlir::Value)> visit);

/// Returns true if `op` depends, within one iteration of `loop`, on an operation for which `isSource` holds.
bool followsFrom(mlir::scf::ForOp loop, mlir::Operation *op, llvm::function_ref<bool(mlir::Operation *)> isSource);

/// Returns the step of the loop times a number of iterations.
mlir::Value multiplyStep(mlir::OpBuilder &builder, mlir::scf::ForOp loop, int64_t iterations);

/// Returns an i1: `value < bound` with the loop's signedness. It is true if a loop with upper bound `bound` executes
/// the iteration whose induction variable is `value`.
mlir::Value isBelow(mlir::OpBuilder &builder, mlir::scf::ForOp loop, mlir::Value value, mlir::Value bound);

/// Returns the upper bound of the iterations that are followed by at least `ahead` more. An unsigned bound saturates at
/// 0.
mlir::Value getUpperBoundOf(mlir::OpBuilder &builder, mlir::scf::ForOp loop, int64_t ahead);

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_LOOPUTILS_H
