//===- LoopUtils.h - queries on loops for software pipelining -------------------------------------------*- C++ -*-===//
//
// The passes that pipeline loops, and those that specialize warps for them, share these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PIPELINER_LOOPUTILS_H
#define TILECC_LOWERING_PIPELINER_LOOPUTILS_H

#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilecc::pipeline {

/// Returns true if `op` is pure computation, so that a clone of it can run earlier with other operands.
bool isRepeatable(mlir::Operation *op);

/// Returns true if the body of the loop itself contains warp-group dots.
bool hasWarpGroupDots(mlir::scf::ForOp loop);

/// Returns true if the result of `dot`, an operation of `loop`, is used only as the accumulator of the next iteration's
/// dot.
bool isRunningSum(mlir::scf::ForOp loop, ttng::WarpGroupDotOp dot);
/// Does the same for any operation that adds to `accumulator` and returns `sum`.
bool isRunningSum(mlir::scf::ForOp loop, mlir::Value accumulator, mlir::Value sum);

/// Returns true if the body of the loop contains another loop with warp-group dots.
bool containsLoopOfDots(mlir::scf::ForOp loop);

/// Calls `visit` with every value defined outside `op` that `op` or its regions use.
void forEachInput(mlir::Operation *op, llvm::function_ref<void(mlir::Value)> visit);

/// Returns true if `op` depends, within one iteration of `loop`, on an operation for which `isSource` returns true.
bool followsFrom(mlir::scf::ForOp loop, mlir::Operation *op, llvm::function_ref<bool(mlir::Operation *)> isSource);

/// Returns the step of the loop multiplied by a number of iterations.
mlir::Value multiplyStep(mlir::OpBuilder &builder, mlir::scf::ForOp loop, int64_t iterations);

/// Returns an i1: `value` < `bound`, compared with the signedness of the loop. If `bound` is the upper bound of the
/// loop, the result is true if the loop executes the iteration whose induction variable is `value`.
mlir::Value isBelow(mlir::OpBuilder &builder, mlir::scf::ForOp loop, mlir::Value value, mlir::Value bound);

/// Returns an upper bound of the loop that excludes its last `ahead` iterations, so that every remaining iteration is
/// followed by at least `ahead` others. An unsigned bound saturates at 0.
mlir::Value getUpperBoundOf(mlir::OpBuilder &builder, mlir::scf::ForOp loop, int64_t ahead);

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_LOOPUTILS_H
