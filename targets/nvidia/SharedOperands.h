//===- SharedOperands.h - operands that a matrix unit reads from shared memory --------------------------*- C++ -*-===//
//
// Part of tritongpu-accelerate-matmul. A loaded tile is copied to shared memory in the order of global memory, so
// operands are never transposed.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_SHAREDOPERANDS_H
#define TILECC_TARGETS_NVIDIA_SHAREDOPERANDS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Stores operands of one dot to shared memory, in the encodings that wgmma and tcgen05 read.
class SharedOperands {
public:
  explicit SharedOperands(mlir::Operation *dot) : dot(dot), builder(dot) {}

  /// Returns the source of an operand before layout conversions.
  static mlir::Value getSource(mlir::Value operand);

  /// The tile that is the operand, or whose transpose is, and its encoding in shared memory.
  struct Source {
    mlir::Value tile;
    ttg::NVMMASharedEncodingAttr encoding; ///< null if the unit cannot read the tile
  };
  /// `contracted` is the operand's axis that the dot contracts.
  Source find(mlir::Value operand, unsigned contracted) const { return find(operand, contracted, /*inOrder=*/true); }
  bool canHold(mlir::Value operand, unsigned contracted) const { return bool(find(operand, contracted).encoding); }

  /// Stores an operand. A transposed tile is stored untransposed, and its axes are renamed.
  mlir::Value store(mlir::Value operand, unsigned contracted) { return store(operand, find(operand, contracted)); }
  /// Stores an operand such that adjacent elements along the contracted axis are adjacent in memory, regardless of the
  /// order of its elements in registers.
  mlir::Value storeAlongK(mlir::Value operand, unsigned contracted) {
    return store(operand, find(operand, contracted, /*inOrder=*/false));
  }

private:
  Source find(mlir::Value operand, unsigned contracted, bool inOrder) const;
  mlir::Value store(mlir::Value operand, Source source);

  mlir::Operation *dot;
  mlir::OpBuilder builder;
};

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_SHAREDOPERANDS_H
