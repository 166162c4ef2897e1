//===- OperandInShared.h - a matrix in shared memory as matrix units see it ---------------------------------*- C++
//-*-//
//
// wgmma and tcgen05 read operands from shared memory by descriptors of 64 bits: an address, and how the boxes of
// swizzled rows lie (PTX ISA, matrix descriptor). A step along any axis is an addition to the address, since boxes are
// aligned to the swizzle's period: the hardware swizzles addresses, not coordinates.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_OPERANDINSHARED_H
#define TILECC_TARGETS_NVIDIA_OPERANDINSHARED_H

#include "lowering/gpu/Lowering.h"

namespace tilecc {

/// Whose descriptors: some fields differ.
enum class MatrixUnit { Wgmma, Tcgen05 };

class OperandInShared {
public:
  /// `alongK`: the axis that the product contracts.
  OperandInShared(mlir::OpBuilder &builder, mlir::Location loc, ttg::MemDescType type, SharedTile tile, unsigned alongK,
                  MatrixUnit unit);

  bool isKMajor() const { return encoding.getContiguousAxis() == alongK; }

  /// The descriptor of what begins `k` elements along the contracted axis and `line` along the other one, plus `moved`
  /// (i32, in descriptors' units; may be null). Sums are those of the lower half, since none carries out of it; and
  /// ptxas (13.0) has been seen to lose the upper half of sums of both, where registers were short.
  mlir::Value getDescriptor(unsigned k, unsigned line, mlir::Value moved = {});

  /// How far `group` (i32) times `lines` along the axis that is not contracted is from the begin, in descriptors'
  /// units. Groups of fewer lines than a swizzled row has elements share rows.
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
