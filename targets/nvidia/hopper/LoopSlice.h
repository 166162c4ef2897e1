//===- LoopSlice.h - recomputes values of a loop in another loop ----------------------------------------*- C++ -*-===//
//
// A producer partition has its own loop, which recomputes the addresses and masks of the program's loop. This class
// extracts the operations that it needs: a slice of the program's loop.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_LOOPSLICE_H
#define TILECC_TARGETS_NVIDIA_HOPPER_LOOPSLICE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace tilecc::pipeline {

/// The operations, in a loop and before it, from which certain values are computed. Other warps can recompute these
/// values by executing copies of the operations. There are two ways: a given number of warps computes whole tiles,
/// whose layouts are adapted to that number; or any number of warps computes only the first element of each tile.
class LoopSlice {
public:
  /// `warps` is the number of warps that compute whole tiles; 0 means that only first elements are computed. If
  /// `isInPlace` is true, the slice is recomputed inside the loop itself, where all scalars are available, and not by
  /// other warps.
  LoopSlice(mlir::scf::ForOp loop, unsigned warps, bool isInPlace = false)
      : loop(loop), warps(warps), isInPlace(isInPlace) {}

  /// Adds `value` to the values that are recomputed. Returns false if this is impossible, because `value` is loaded or
  /// depends on side effects.
  bool add(mlir::Value value);
  /// Returns the scalars defined outside the loop that the slice uses or contains, except constants.
  llvm::ArrayRef<mlir::Value> getCaptures() const { return captures.getArrayRef(); }
  /// Returns true if the slice contains loop-carried values.
  bool isCarried() const { return !carried.empty(); }

  /// Computes the values that do not change in the loop, and returns the initial values of the loop-carried ones.
  /// `mapping` maps the captures.
  llvm::SmallVector<mlir::Value> createInits(mlir::OpBuilder &builder, mlir::IRMapping &mapping);
  /// Maps the loop-carried values of the slice to the arguments of the new loop.
  void mapCarried(mlir::ValueRange arguments, mlir::IRMapping &mapping);
  /// Computes `value`, before the new loop or inside it.
  mlir::Value create(mlir::OpBuilder &builder, mlir::Value value, mlir::IRMapping &mapping);
  /// Returns the values that the new loop must yield.
  llvm::SmallVector<mlir::Value> createYields(mlir::OpBuilder &builder, mlir::IRMapping &mapping);

private:
  bool isInside(mlir::Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }
  /// Returns the type that a value of type `type` has in the slice, or null if it cannot be in the slice.
  mlir::Type getType(mlir::Type type);
  mlir::Attribute getEncoding(mlir::Attribute encoding);

  mlir::scf::ForOp loop;
  unsigned warps;
  bool isInPlace;
  llvm::SetVector<mlir::Value> computed;
  llvm::SetVector<mlir::Value> captures;
  llvm::SmallVector<unsigned> carried; ///< the numbers of the loop-carried values that the slice needs
};

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_LOOPSLICE_H
