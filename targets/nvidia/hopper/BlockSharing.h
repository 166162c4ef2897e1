//===- BlockSharing.h - programs that share a thread block ----------------------------------------------*- C++ -*-===//
//
// If adjacent programs load the same data, one thread block can run them and load the data once. Each program is then
// executed by a consumer warp group of its own. ShareBlocks.cpp uses these analyses to decide which programs one block
// can run. SpecializedLoop.cpp uses them to rewrite the loops whose loads these programs share.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_BLOCKSHARING_H
#define TILECC_TARGETS_NVIDIA_HOPPER_BLOCKSHARING_H

#include "lowering/analysis/AxisInfo.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tilecc::pipeline {

/// Returns true if `value` is the same for all programs of a block, in each iteration of `loop`. The programs differ
/// only in the results of operations for which `isOwn` returns true.
bool isCommon(mlir::Value value, mlir::scf::ForOp loop, llvm::function_ref<bool(mlir::Operation *)> isOwn);
/// Does the same for kernels in which programs already have numbers within their block (ttng.program_in_block).
bool isCommon(mlir::Value value, mlir::scf::ForOp loop);

/// Returns true if the kernel uses the index of its program along an axis of the grid.
bool asksForProgram(tt::FuncOp func, tt::ProgramIDDim along);

/// Returns true if the loop copies the operands of its dots through tensor maps, and the copied blocks are the same for
/// programs that are adjacent along the axis `along` of the grid.
bool loadsSame(mlir::scf::ForOp loop, tt::ProgramIDDim along);

/// The iterations of a loop whose loads the programs of a block share. Each program has its own bounds. The producer
/// loads for all programs, from the first to the last iteration that any of them executes.
class BlockIterations {
public:
  explicit BlockIterations(mlir::scf::ForOp loop) : loop(loop) {}

  /// Returns true if each program can compute, before the loop, the bounds of all programs of the block. If `mayBegin`
  /// is true, programs may begin at different iterations.
  bool analyze(const AxisInfoAnalysis &axisInfo, bool mayBegin);
  /// Returns true if all programs execute the same iterations.
  bool areSame() const { return same; }
  /// Computes the bounds at the position of `builder`.
  void create(mlir::OpBuilder &builder);

  /// Returns the values that the producer must capture.
  llvm::ArrayRef<mlir::Value> getCaptures() const { return captures; }
  /// Returns the first iteration of the block, and the first one after its last.
  mlir::Value getBegin() const { return begin; }
  mlir::Value getEnd() const { return end; }
  /// Returns an i1 that is true if any program executes `iteration`, or null if that is always the case. `mapping` maps
  /// the captures.
  mlir::Value createIsMade(mlir::OpBuilder &builder, mlir::Value iteration, const mlir::IRMapping &mapping) const;
  /// Returns the first iteration of this program, and the first iteration after its last one. If the program has no
  /// iterations, both are the first iteration of the block.
  mlir::Value getOwnBegin() const { return ownBegin; }
  mlir::Value getOwnEnd() const { return ownEnd; }

private:
  bool canCompute(mlir::Value value);
  mlir::Value createFor(mlir::OpBuilder &builder, mlir::Value value, unsigned program, mlir::IRMapping &mapping);

  mlir::scf::ForOp loop;
  bool same = true;
  /// The lower and upper bound of each program. If the program executes no iterations, they are the largest and the
  /// smallest integer.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> bounds;
  llvm::SmallVector<mlir::Value> captures;
  mlir::Value begin, end, ownBegin, ownEnd;
};

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_BLOCKSHARING_H
