//===- SharedOperands.h - operands that a matrix unit reads from shared memory --------------------------*- C++ -*-===//
//
// The pass tritongpu-accelerate-matmul uses this class. A loaded tile is copied to shared memory in the order that it
// has in global memory; if the matrix unit needs it transposed, only its axes are renamed, and no data moves.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_SHAREDOPERANDS_H
#define TILECC_TARGETS_NVIDIA_SHAREDOPERANDS_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

/// Stores the operands of one dot to shared memory, in the encodings that wgmma and tcgen05 can read.
class SharedOperands {
public:
  explicit SharedOperands(mlir::Operation *dot) : dot(dot), builder(dot) {}

  /// Returns the value from which layout conversions compute `operand`.
  static mlir::Value getSource(mlir::Value operand);

  /// The tile whose memory serves as an operand, as it is or with its axes exchanged, and the encoding of that memory.
  struct Source {
    mlir::Value tile;
    ttg::NVMMASharedEncodingAttr encoding; ///< null if the unit cannot read the tile
  };
  /// `contracted` is the axis of the operand that the dot contracts.
  Source find(mlir::Value operand, unsigned contracted) const { return find(operand, contracted, /*inOrder=*/true); }
  bool canHold(mlir::Value operand, unsigned contracted) const { return bool(find(operand, contracted).encoding); }

  /// Stores an operand. If it is the transpose of a tile, the tile is stored untransposed, and the result is a
  /// transposed view.
  mlir::Value store(mlir::Value operand, unsigned contracted) { return store(operand, find(operand, contracted)); }
  /// Stores an operand such that elements that are adjacent along the contracted axis are adjacent in memory,
  /// regardless of their order in registers.
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
