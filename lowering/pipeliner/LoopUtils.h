//===- LoopUtils.h - what the passes of software pipelining ask of a loop -------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_PIPELINER_LOOPUTILS_H
#define TILECC_LOWERING_PIPELINER_LOOPUTILS_H

#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilecc::pipeline {

/// True for an operation that may run again, earlier, with other operands: it computes and nothing else.
bool isRepeatable(mlir::Operation *op);

/// Whether an iteration itself has products of warpgroups.
bool hasWarpGroupProducts(mlir::scf::ForOp loop);

/// Returns true if the result of `product`, an operation of `loop`, is nothing but the accumulator of the next iteration.
bool isRunningSum(mlir::scf::ForOp loop, ttng::WarpGroupDotOp product);

/// Whether an iteration has a loop that has them.
bool isAroundProducts(mlir::scf::ForOp loop);

/// Calls `visit` with every value from outside of `op` that it computes from, its regions included.
void forEachInput(mlir::Operation *op, llvm::function_ref<void(mlir::Value)> visit);

/// True if what `op` computes from comes, in the same iteration of `loop`, from an operation for which `isSource` holds.
bool followsFrom(mlir::scf::ForOp loop, mlir::Operation *op, llvm::function_ref<bool(mlir::Operation *)> isSource);

/// `step` times a number of iterations.
mlir::Value multiplyStep(mlir::OpBuilder &builder, mlir::scf::ForOp loop, int64_t iterations);

/// Whether `loop` has an iteration at `value`, compared as it compares, when it ends at `bound`.
mlir::Value isBelow(mlir::OpBuilder &builder, mlir::scf::ForOp loop, mlir::Value value, mlir::Value bound);

/// What is below it has as many more iterations as `ahead`, if the loop has any at all. Unsigned bounds end at 0.
mlir::Value getUpperBoundOf(mlir::OpBuilder &builder, mlir::scf::ForOp loop, int64_t ahead);

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_LOOPUTILS_H
