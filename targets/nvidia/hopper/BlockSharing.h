//===- BlockSharing.h - programs that share a thread block ----------------------------------------------*- C++ -*-===//
//
// ShareBlocks.cpp uses these analyses to decide which programs can share a block, and SpecializedLoop.cpp to rewrite
// loops whose loads they share.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_BLOCKSHARING_H
#define TILECC_TARGETS_NVIDIA_HOPPER_BLOCKSHARING_H

#include "lowering/analysis/AxisInfo.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tilecc::pipeline {

/// Returns true if `value` is the same for all programs of a block in each iteration of `loop`. Only the results of
/// operations for which `isOwn` holds differ between programs.
bool isCommon(mlir::Value value, mlir::scf::ForOp loop, llvm::function_ref<bool(mlir::Operation *)> isOwn);
/// Overload for kernels whose programs already have numbers within their block (ttng.program_in_block).
bool isCommon(mlir::Value value, mlir::scf::ForOp loop);

/// Returns true if the kernel uses its program id along an axis of the grid.
bool asksForProgram(tt::FuncOp func, tt::ProgramIDDim along);

/// Returns true if the loop copies the operands of its dots by tensor maps, from addresses that are the same for
/// programs that are adjacent along the axis `along` of the grid.
bool loadsSame(mlir::scf::ForOp loop, tt::ProgramIDDim along);

/// The iterations of a loop whose loads the programs of a block share. Each program has its own bounds. The producer
/// loads for all programs, from the first to the last iteration that any of them executes.
class BlockIterations {
public:
  explicit BlockIterations(mlir::scf::ForOp loop) : loop(loop) {}

  /// Returns true if each program can compute the bounds of all programs before the loop. If `mayBegin`, programs may
  /// begin at different iterations.
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
  /// Returns an i1 that is true if any program executes `iteration`; null if that is always true. `mapping` maps the
  /// captures.
  mlir::Value createIsMade(mlir::OpBuilder &builder, mlir::Value iteration, const mlir::IRMapping &mapping) const;
  /// Returns the first iteration of this program, and the first iteration after its last one. For a program without
  /// iterations, both are the first iteration of the block.
  mlir::Value getOwnBegin() const { return ownBegin; }
  mlir::Value getOwnEnd() const { return ownEnd; }

private:
  bool canCompute(mlir::Value value);
  mlir::Value createFor(mlir::OpBuilder &builder, mlir::Value value, unsigned program, mlir::IRMapping &mapping);

  mlir::scf::ForOp loop;
  bool same = true;
  /// The lower and upper bounds of each program; if it executes no iterations, the largest and smallest integer.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> bounds;
  llvm::SmallVector<mlir::Value> captures;
  mlir::Value begin, end, ownBegin, ownEnd;
};

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_BLOCKSHARING_H
