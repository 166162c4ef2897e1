//===- BlockSharing.h - programs that share a block, and what they have in common ---------------------------*- C++ -*-----===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_BLOCKSHARING_H
#define TILECC_TARGETS_NVIDIA_HOPPER_BLOCKSHARING_H

#include "lowering/analysis/AxisInfo.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tilecc::pipeline {

/// Whether all programs of a block have the same `value`, in each iteration of `loop`, where results of operations that `isOwn` names
/// are what differs between them.
bool isCommon(mlir::Value value, mlir::scf::ForOp loop, llvm::function_ref<bool(mlir::Operation *)> isOwn);
/// The same, once programs have numbers in their block (ttng.program_in_block).
bool isCommon(mlir::Value value, mlir::scf::ForOp loop);

/// Whether the kernel asks for its program's index along an axis of the grid.
bool asksForProgram(tt::FuncOp func, tt::ProgramIDDim along);

/// Whether the operands of the loop's products are copied by tensor maps from where neighbours along an axis of the grid load, too.
bool loadsSame(mlir::scf::ForOp loop, tt::ProgramIDDim along);

/// What `create` creates is done by one of the programs that share the block.
void createForOneProgram(mlir::OpBuilder &builder, mlir::Location loc, llvm::function_ref<void()> create);

/// The iterations that the programs of a block make of a loop whose loads they share: each makes those between bounds of its own,
/// and others load for all of them, from the first iteration to the last that any program makes.
class BlockIterations {
public:
  explicit BlockIterations(mlir::scf::ForOp loop) : loop(loop) {}

  /// Whether the programs' bounds can be computed in front of the loop, by all of them. `mayBegin`: whether programs may begin at
  /// iterations of their own.
  bool analyze(const AxisInfoAnalysis &axisInfo, bool mayBegin);
  /// All programs make the same iterations.
  bool areSame() const { return same; }
  /// Computes the bounds, where `builder` is.
  void create(mlir::OpBuilder &builder);

  /// What to name for who loads, and the block's bounds.
  llvm::ArrayRef<mlir::Value> getCaptures() const { return captures; }
  mlir::Value getBegin() const { return begin; }
  mlir::Value getEnd() const { return end; }
  /// Whether any program makes `iteration`, for who has the captures under the names that `mapping` gives them; null where one does
  /// in any case.
  mlir::Value createIsMade(mlir::OpBuilder &builder, mlir::Value iteration, const mlir::IRMapping &mapping) const;
  /// Where this program begins, and the first iteration behind its last. One that makes none begins and ends with the block.
  mlir::Value getOwnBegin() const { return ownBegin; }
  mlir::Value getOwnEnd() const { return ownEnd; }

private:
  bool canCompute(mlir::Value value);
  mlir::Value createFor(mlir::OpBuilder &builder, mlir::Value value, unsigned program, mlir::IRMapping &mapping);

  mlir::scf::ForOp loop;
  bool same = true;
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> bounds; ///< of the programs; an interval without end if they make none
  llvm::SmallVector<mlir::Value> captures;
  mlir::Value begin, end, ownBegin, ownEnd;
};

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_BLOCKSHARING_H
