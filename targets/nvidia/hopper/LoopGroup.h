//===- LoopGroup.h - loops one after the other that one partition loads for -----------------------------------*- C++ -*-----===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_LOOPGROUP_H
#define TILECC_TARGETS_NVIDIA_HOPPER_LOOPGROUP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include <memory>

namespace tilecc::pipeline {

class SpecializedLoop;

/// Loops of one block, one after the other, that one partition loads for, into the same slots.
class LoopGroup {
public:
  explicit LoopGroup(std::unique_ptr<SpecializedLoop> loop);
  LoopGroup(LoopGroup &&);
  LoopGroup &operator=(LoopGroup &&);
  ~LoopGroup();

  /// Adds `loop`, which comes behind the others, if the partition can go on with it.
  bool add(std::unique_ptr<SpecializedLoop> &loop);
  llvm::ArrayRef<std::unique_ptr<SpecializedLoop>> getLoops() const { return loops; }
  mlir::scf::ForOp getFirst() const;
  mlir::scf::ForOp getLast() const;
  /// The registers that each thread of the partition needs.
  int32_t getRegisters() const;

  // What SpecializedLoop has for one loop. Positions are those of the group.
  void prepare(mlir::OpBuilder &at);
  bool hasAcceleratorCopy() const;
  void collectCaptures(llvm::SetVector<mlir::Value> &captured);
  size_t getNumFilled() const;
  llvm::SmallVector<mlir::Value> writePartition(mlir::OpBuilder &at, const mlir::IRMapping &known, mlir::ValueRange filled);
  size_t getNumRead() const;
  llvm::SmallVector<mlir::Value> writeProgram(mlir::ValueRange read);
  void destroySlots(mlir::OpBuilder &at);

private:
  std::vector<std::unique_ptr<SpecializedLoop>> loops;
};

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_LOOPGROUP_H
