//===- LoopSlice.h - recomputes values of a loop in another loop ----------------------------------------*- C++ -*-===//
//
// The loop of a producer partition recomputes addresses and masks by slices of the program's loop.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_LOOPSLICE_H
#define TILECC_TARGETS_NVIDIA_HOPPER_LOOPSLICE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace tilecc::pipeline {

/// The operations, in a loop and before it, from which certain values are computed, so that other warps can recompute
/// these values. Either a given number of warps computes whole tiles, whose layouts are adapted to that number, or any
/// number of warps computes only the first element of each tile.
class LoopSlice {
public:
  /// `warps` is the number of warps that compute whole tiles; 0 means that only first elements are computed. If
  /// `isInPlace`, the slice is recomputed inside the loop itself, where all scalars are available, and not in other
  /// warps.
  LoopSlice(mlir::scf::ForOp loop, unsigned warps, bool isInPlace = false)
      : loop(loop), warps(warps), isInPlace(isInPlace) {}

  /// Adds `value`. Returns false if it cannot be recomputed, because it is loaded or depends on side effects.
  bool add(mlir::Value value);
  /// Returns the scalars from outside the loop that the slice uses or contains, except constants.
  llvm::ArrayRef<mlir::Value> getCaptures() const { return captures.getArrayRef(); }
  /// Returns true if the slice depends on the number of previous iterations.
  bool isCarried() const { return !carried.empty(); }

  /// Computes the invariants before the loop, and returns the initial values of the loop-carried values. `mapping` maps
  /// the captures.
  llvm::SmallVector<mlir::Value> createInits(mlir::OpBuilder &builder, mlir::IRMapping &mapping);
  /// Maps the slice's carried values to those of the new loop.
  void mapCarried(mlir::ValueRange arguments, mlir::IRMapping &mapping);
  /// Computes `value`, before the new loop or in it.
  mlir::Value create(mlir::OpBuilder &builder, mlir::Value value, mlir::IRMapping &mapping);
  /// Returns the values for the new loop to yield.
  llvm::SmallVector<mlir::Value> createYields(mlir::OpBuilder &builder, mlir::IRMapping &mapping);

private:
  bool isInside(mlir::Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }
  /// Returns the type that values of `type` have in the slice; null if there is none.
  mlir::Type getType(mlir::Type type);
  mlir::Attribute getEncoding(mlir::Attribute encoding);

  mlir::scf::ForOp loop;
  unsigned warps;
  bool isInPlace;
  llvm::SetVector<mlir::Value> computed;
  llvm::SetVector<mlir::Value> captures;
  llvm::SmallVector<unsigned> carried; ///< numbers of the loop-carried values that the slice needs
};

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_LOOPSLICE_H
