//===- BlockSharing.h - programs that share a thread block ----------------------------------------------*- C++ -*-===//
//
// Used to decide which programs can share a block, and to write loops whose loads they share.
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
/// The same, once programs have numbers in their block (ttng.program_in_block).
bool isCommon(mlir::Value value, mlir::scf::ForOp loop);

/// Returns true if the kernel uses its program id along an axis of the grid.
bool asksForProgram(tt::FuncOp func, tt::ProgramIDDim along);

/// Returns true if tensor maps copy operands of the loop's dots from addresses from which programs that are adjacent
/// along an axis of the grid load too.
bool loadsSame(mlir::scf::ForOp loop, tt::ProgramIDDim along);

/// The iterations of a loop that the programs of a block execute together, because they share its loads. Each program
/// has its own bounds. The producer loads for all of them, from the first to the last iteration that any program
/// executes.
class BlockIterations {
public:
  explicit BlockIterations(mlir::scf::ForOp loop) : loop(loop) {}

  /// Returns true if each program can compute the bounds of all programs before the loop. `mayBegin`: programs may
  /// begin at different iterations.
  bool analyze(const AxisInfoAnalysis &axisInfo, bool mayBegin);
  /// Returns true if all programs execute the same iterations.
  bool areSame() const { return same; }
  /// Computes the bounds at the position of `builder`.
  void create(mlir::OpBuilder &builder);

  /// The values that the producer must capture, and the block's bounds.
  llvm::ArrayRef<mlir::Value> getCaptures() const { return captures; }
  mlir::Value getBegin() const { return begin; }
  mlir::Value getEnd() const { return end; }
  /// Returns an i1 that is true if any program executes `iteration`; null if one always does. `mapping` maps the
  /// captures.
  mlir::Value createIsMade(mlir::OpBuilder &builder, mlir::Value iteration, const mlir::IRMapping &mapping) const;
  /// The first iteration of this program, and the first iteration after its last one. For a program without iterations,
  /// both are the first iteration of the block.
  mlir::Value getOwnBegin() const { return ownBegin; }
  mlir::Value getOwnEnd() const { return ownEnd; }

private:
  bool canCompute(mlir::Value value);
  mlir::Value createFor(mlir::OpBuilder &builder, mlir::Value value, unsigned program, mlir::IRMapping &mapping);

  mlir::scf::ForOp loop;
  bool same = true;
  /// of each program; an interval without an end if it executes none
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> bounds;
  llvm::SmallVector<mlir::Value> captures;
  mlir::Value begin, end, ownBegin, ownEnd;
};

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_BLOCKSHARING_H
