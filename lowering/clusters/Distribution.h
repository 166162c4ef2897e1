//===- Distribution.h - which part of a tile each thread block of a cluster has -------------------------*- C++ -*-===//
//
// A program may run on several thread blocks (tt::num_ctas), a power of two. Each bit of a block's rank either halves
// the tile along one axis, or selects between copies: blocks that differ only in that bit have the same part. Among the
// bits that halve the same axis, the lowest bit of the rank is the lowest bit of the part number. Parts are contiguous,
// so a block's part is a tile too.
//
// In TTIR nothing says which part a block has; DistributionPlan decides. The encodings of TTGIR may say it: the block
// is an input of their layouts (CGALayout). A part has the encoding of the whole without the block.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_CLUSTERS_DISTRIBUTION_H
#define TILECC_LOWERING_CLUSTERS_DISTRIBUTION_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

class Distribution {
public:
  /// Used in place of an axis. Copies: blocks that differ in the bit have copies. First: only the block whose bit is 0
  /// has a valid part (only for an operand of ttng.redistribute).
  enum : int32_t { Copies = -1, First = -2 };

  explicit Distribution(llvm::ArrayRef<int32_t> axes) : axes(axes) {}
  /// Each of 2^bits blocks has a copy of the whole tile.
  static Distribution copies(unsigned bits) { return Distribution(llvm::SmallVector<int32_t>(bits, Copies)); }

  /// Reads the distribution over 2^bits blocks from the layout of a tile in registers or in shared memory. A layout
  /// without blocks means copies. Returns nothing if parts are not contiguous, or not in this order.
  static std::optional<Distribution> read(const LinearLayout &layout, unsigned bits);

  /// Returns what each bit of the rank selects, lowest bit first: half of an axis, or Copies.
  llvm::ArrayRef<int32_t> getAxes() const { return axes; }
  /// Returns the mask of the rank's bits that select along `axis` (or that are Copies).
  uint32_t getBits(int32_t axis) const;
  bool divides(int32_t axis) const { return getBits(axis) != 0; }
  bool hasCopies() const { return divides(Copies); }

  /// Returns the distribution with `function` applied to every axis.
  Distribution mapAxes(llvm::function_ref<int32_t(int32_t)> function) const;
  /// Returns the distribution with Copies in place of `axis`.
  Distribution without(int32_t axis) const;

  /// Returns true if a tile of `shape` can have this distribution.
  bool fits(llvm::ArrayRef<int64_t> shape) const;
  /// Returns the shape of a block's part of a tile of `shape`.
  llvm::SmallVector<int64_t> getPart(llvm::ArrayRef<int64_t> shape) const;
  /// Returns the type of a block's part of a tile in registers or in shared memory, or of a descriptor of a tensor that
  /// is accessed in such tiles. Other types are returned unchanged. An encoding is replaced by that of the part.
  mlir::Type getPart(mlir::Type type) const;

  bool operator==(const Distribution &other) const { return axes == other.axes; }
  bool operator!=(const Distribution &other) const { return axes != other.axes; }

private:
  llvm::SmallVector<int32_t, 4> axes;
};

/// Returns the shape that is distributed: that of a tile, or that of the block that a descriptor accesses. Returns
/// nothing for other types.
std::optional<llvm::ArrayRef<int64_t>> getDistributedShape(mlir::Type type);

/// Returns the layout of such a type, if it has one.
std::optional<LinearLayout> getDistributedLayout(mlir::Type type);

/// Returns how the operands of `op` must be distributed so that each block can compute its part of the results,
/// distributed as `result`, from its own parts. There is one entry per operand; the entries of scalars are not used. If
/// `op` has no such results, `result` is the distribution of the tile that it stores. Returns nothing if blocks would
/// need parts of other blocks.
std::optional<llvm::SmallVector<Distribution>> getOperandDistributions(mlir::Operation *op, const Distribution &result);

/// Returns how the results of `op` are distributed if operand `number` is distributed as `operand`, by the same rules;
/// nothing if the rules do not determine it.
std::optional<Distribution> getResultDistribution(mlir::Operation *op, unsigned number, const Distribution &operand);

/// Returns false for an operation on tiles without distribution rules.
bool hasDistributionRules(mlir::Operation *op);

/// Attaches the rules for operations that do not keep elements in place (ClusterInterfaces.td).
void registerDistributionModels(mlir::DialectRegistry &registry);

} // namespace tilecc

#include "lowering/clusters/ClusterInterfaces.h.inc"

#endif
