//===- LoopGroup.h - consecutive loops that share one producer partition --------------------------------*- C++ -*-===//
//
// A kernel may have several loops of dots, one after the other. SpecializeLoops.cpp creates one producer partition for
// each group of such loops.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_LOOPGROUP_H
#define TILECC_TARGETS_NVIDIA_HOPPER_LOOPGROUP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include <memory>

namespace tilecc::pipeline {

class SpecializedLoop;

/// Consecutive loops of one IR block. One partition loads the operands of all of them, into the same slots.
class LoopGroup {
public:
  explicit LoopGroup(std::unique_ptr<SpecializedLoop> loop);
  LoopGroup(LoopGroup &&);
  LoopGroup &operator=(LoopGroup &&);
  ~LoopGroup();

  /// Adds `loop`, which comes after the loops of the group. Returns false, and leaves `loop` to the caller, if the
  /// group's partition cannot also load the operands of `loop` into the same slots.
  bool add(std::unique_ptr<SpecializedLoop> &loop);
  llvm::ArrayRef<std::unique_ptr<SpecializedLoop>> getLoops() const { return loops; }
  mlir::scf::ForOp getFirst() const;
  mlir::scf::ForOp getLast() const;
  /// Returns true if the two blocks of a pair (a cluster of two) together load tiles that both need.
  bool isPaired() const;
  /// Returns the number of registers that each thread of the partition needs.
  int32_t getRegisters() const;

  // These functions correspond to those of SpecializedLoop, for the whole group. All loops advance the same positions.
  void prepare(mlir::OpBuilder &at);
  bool hasAcceleratorCopy() const;
  void collectCaptures(llvm::SetVector<mlir::Value> &captured);
  size_t getNumFilled() const;
  llvm::SmallVector<mlir::Value> writePartition(mlir::OpBuilder &at, const mlir::IRMapping &known,
                                                mlir::ValueRange filled);
  size_t getNumRead() const;
  llvm::SmallVector<mlir::Value> writeProgram(mlir::ValueRange read);
  void destroySlots(mlir::OpBuilder &at);

private:
  std::vector<std::unique_ptr<SpecializedLoop>> loops;
};

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_LOOPGROUP_H
