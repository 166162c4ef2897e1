//===- OperandInShared.h - matrix descriptors of operands in shared memory ------------------------------*- C++ -*-===//
//
// wgmma and tcgen05 read an operand from shared memory through a descriptor of 64 bits, which contains the address and
// the arrangement of the boxes of swizzled rows (PTX ISA, matrix descriptor). A step along any axis is an addition to
// the address. This works because boxes are aligned to the period of the swizzle, and the hardware swizzles addresses,
// not coordinates.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_OPERANDINSHARED_H
#define TILECC_TARGETS_NVIDIA_OPERANDINSHARED_H

#include "lowering/gpu/Lowering.h"

namespace tilecc {

/// The unit that reads the descriptor. Some fields differ between units.
enum class MatrixUnit { Wgmma, Tcgen05 };

/// Returns the lower half of a descriptor for `address` (i32): 18 bits of the address, in units of 16 bytes.
mlir::Value getDescriptorAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address);

class OperandInShared {
public:
  /// `alongK` is the axis of the operand that the dot contracts.
  OperandInShared(mlir::OpBuilder &builder, mlir::Location loc, ttg::MemDescType type, SharedTile tile, unsigned alongK,
                  MatrixUnit unit);

  bool isKMajor() const { return encoding.getContiguousAxis() == alongK; }

  /// Returns the descriptor of the part of the operand that begins `k` elements along the contracted axis and `line`
  /// elements along the other axis, plus `moved` (i32, in units of descriptors; may be null). Only the lower halves are
  /// added, because the sum has no carry into the upper half. (ptxas 13.0 was observed to lose the upper half of a
  /// 64-bit sum when registers were scarce.)
  mlir::Value getDescriptor(unsigned k, unsigned line, mlir::Value moved = {});

  /// Returns the distance from the beginning of the operand, in units of descriptors, of line `group` (i32) * `lines`
  /// along the other axis. Groups with fewer lines than a swizzled row has elements share rows.
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
  mlir::Value base; ///< the lower half of the descriptor of the whole operand
};

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_OPERANDINSHARED_H
