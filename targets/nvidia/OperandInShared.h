//===- OperandInShared.h - matrix descriptors of operands in shared memory ------------------------------*- C++ -*-===//
//
// wgmma and tcgen05 read operands from shared memory by descriptors of 64 bits: an address, and the arrangement of the
// boxes of swizzled rows (PTX ISA, matrix descriptor). A step along any axis is an addition to the address, since boxes
// are aligned to the swizzle's period: the hardware swizzles addresses, not coordinates.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_OPERANDINSHARED_H
#define TILECC_TARGETS_NVIDIA_OPERANDINSHARED_H

#include "lowering/gpu/Lowering.h"

namespace tilecc {

/// The unit that reads the descriptor: some fields differ.
enum class MatrixUnit { Wgmma, Tcgen05 };

/// Returns the lower half of a descriptor for `address` (i32): 18 bits of it, in units of 16 bytes.
mlir::Value getDescriptorAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address);

class OperandInShared {
public:
  /// `alongK` is the axis that the dot contracts.
  OperandInShared(mlir::OpBuilder &builder, mlir::Location loc, ttg::MemDescType type, SharedTile tile, unsigned alongK,
                  MatrixUnit unit);

  bool isKMajor() const { return encoding.getContiguousAxis() == alongK; }

  /// Returns the descriptor of the part that begins `k` elements along the contracted axis and `line` along the other
  /// axis, plus `moved` (i32, in units of descriptors; may be null). Only the lower halves are added, because the sum
  /// has no carry. (ptxas 13.0 was observed to lose the upper half of a 64-bit sum when registers were scarce.)
  mlir::Value getDescriptor(unsigned k, unsigned line, mlir::Value moved = {});

  /// Returns the distance from the beginning, in units of descriptors, of `group` (i32) times `lines` along the other
  /// axis. Groups that have fewer lines than a swizzled row has elements share rows.
  mlir::Value getDistance(mlir::Value group, unsigned lines) const;

private:
  uint64_t getOffset(unsigned k, unsigned line) const;
  uint64_t getShape() const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  ttg::NVMMASharedEncodingAttr encoding;
  unsigned alongK;
  MatrixUnit unit;
  uint64_t elementBytes, rowBytes, boxBytes;
  mlir::Value base; ///< the lower half
};

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_OPERANDINSHARED_H
