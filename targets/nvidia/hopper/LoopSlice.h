//===- LoopSlice.h - a part of what a loop computes, for a loop of its own -------------------------------*- C++ -*-----===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_LOOPSLICE_H
#define TILECC_TARGETS_NVIDIA_HOPPER_LOOPSLICE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace tilecc::pipeline {

/// What a loop, and tiles in front of it, compute of some values, to be computed again by other warps: by as many as the tiles'
/// layouts are changed for, or by any, of each tile the first element alone.
class LoopSlice {
public:
  /// `warps`: that compute tiles; 0 for first elements. `isInPlace`: the loop itself computes them, and has all scalars.
  LoopSlice(mlir::scf::ForOp loop, unsigned warps, bool isInPlace = false) : loop(loop), warps(warps), isInPlace(isInPlace) {}

  /// Adds `value`; false if it cannot be computed apart: it is loaded, or something has effects on the way.
  bool add(mlir::Value value);
  /// Scalars from in front of the loop that the slice computes from or consists of. Constants are not among them.
  llvm::ArrayRef<mlir::Value> getCaptures() const { return captures.getArrayRef(); }
  /// Whether it follows from how many iterations there were.
  bool isCarried() const { return !carried.empty(); }

  /// `mapping` has the captures. Computes what stays the same, in front of the loop, and returns what the loop carries.
  llvm::SmallVector<mlir::Value> createInits(mlir::OpBuilder &builder, mlir::IRMapping &mapping);
  /// Names what the new loop carries.
  void mapCarried(mlir::ValueRange arguments, mlir::IRMapping &mapping);
  /// Computes `value`, in front of the new loop or in it.
  mlir::Value create(mlir::OpBuilder &builder, mlir::Value value, mlir::IRMapping &mapping);
  /// What the new loop yields.
  llvm::SmallVector<mlir::Value> createYields(mlir::OpBuilder &builder, mlir::IRMapping &mapping);

private:
  bool isInside(mlir::Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }
  /// The type of `type`'s values in the slice; null where none follows.
  mlir::Type getType(mlir::Type type);
  mlir::Attribute getEncoding(mlir::Attribute encoding);

  mlir::scf::ForOp loop;
  unsigned warps;
  bool isInPlace;
  llvm::SetVector<mlir::Value> computed;
  llvm::SetVector<mlir::Value> captures;
  llvm::SmallVector<unsigned> carried; ///< by number
};

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_LOOPSLICE_H
