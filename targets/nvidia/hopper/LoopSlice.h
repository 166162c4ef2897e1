//===- LoopSlice.h - a slice of a loop's computations for another loop ----------------------------------*- C++ -*-===//
//
// Used to compute addresses and masks in the loop of a producer partition.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_LOOPSLICE_H
#define TILECC_TARGETS_NVIDIA_HOPPER_LOOPSLICE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace tilecc::pipeline {

/// The part of a loop, and of tiles defined before it, that computes some values, so that other warps can recompute
/// them. Either a given number of warps computes whole tiles, whose layouts are adapted to it, or any warps compute
/// only the first element of each tile.
class LoopSlice {
public:
  /// `warps`: the number of warps that compute tiles; 0 for first elements. `isInPlace`: the loop itself recomputes
  /// them, and all scalars are available.
  LoopSlice(mlir::scf::ForOp loop, unsigned warps, bool isInPlace = false)
      : loop(loop), warps(warps), isInPlace(isInPlace) {}

  /// Adds `value`. Returns false if it cannot be recomputed, because it is loaded or depends on side effects.
  bool add(mlir::Value value);
  /// Returns the scalars from outside the loop that the slice uses or consists of, except constants.
  llvm::ArrayRef<mlir::Value> getCaptures() const { return captures.getArrayRef(); }
  /// Returns true if the slice depends on the number of previous iterations.
  bool isCarried() const { return !carried.empty(); }

  /// Computes the invariants in front of the loop, and returns the initial loop-carried values. `mapping` has the
  /// captures.
  llvm::SmallVector<mlir::Value> createInits(mlir::OpBuilder &builder, mlir::IRMapping &mapping);
  /// Maps the slice's carried values to those of the new loop.
  void mapCarried(mlir::ValueRange arguments, mlir::IRMapping &mapping);
  /// Computes `value`, in front of the new loop or in it.
  mlir::Value create(mlir::OpBuilder &builder, mlir::Value value, mlir::IRMapping &mapping);
  /// Returns the values for the new loop to yield.
  llvm::SmallVector<mlir::Value> createYields(mlir::OpBuilder &builder, mlir::IRMapping &mapping);

private:
  bool isInside(mlir::Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }
  /// Returns the type of `type`'s values in the slice; null if there is none.
  mlir::Type getType(mlir::Type type);
  mlir::Attribute getEncoding(mlir::Attribute encoding);

  mlir::scf::ForOp loop;
  unsigned warps;
  bool isInPlace;
  llvm::SetVector<mlir::Value> computed;
  llvm::SetVector<mlir::Value> captures;
  llvm::SmallVector<unsigned> carried; ///< by argument number
};

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_LOOPSLICE_H
