//===- Distribution.h - distributes a tile over the thread blocks of a cluster --------------------------*- C++ -*-===//
//
// A program may run on several thread blocks (tt::num_ctas), a power of two. Each bit of a block's rank either halves
// the tile along one axis, or selects between copies: blocks that differ only in that bit have the same part. Among the
// bits that halve the same axis, the lowest bit of the rank is the lowest bit of the part number. Parts are contiguous,
// so a block's part is a tile too.
//
// TTIR does not specify the part of each block; DistributionPlan decides. The encodings of TTGIR may specify it: the
// block is an input of their layouts (CGALayout). The encoding of a part is that of the whole tile without this input.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_CLUSTERS_DISTRIBUTION_H
#define TILECC_LOWERING_CLUSTERS_DISTRIBUTION_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

class Distribution {
public:
  /// Values that describe a bit of the rank and are used in place of an axis. Copies: blocks whose ranks differ only in
  /// this bit have copies of the same part. First: only the block in whose rank this bit is 0 has a valid part (only
  /// for an operand of ttng.redistribute).
  enum : int32_t { Copies = -1, First = -2 };

  explicit Distribution(llvm::ArrayRef<int32_t> axes) : axes(axes) {}
  /// Returns the distribution in which each of 2^bits blocks has a copy of the whole tile.
  static Distribution copies(unsigned bits) { return Distribution(llvm::SmallVector<int32_t>(bits, Copies)); }

  /// Reads the distribution over 2^bits blocks from the layout of a tile in registers or in shared memory. If the
  /// layout has no block input, all blocks have copies. Returns nothing if parts are not contiguous, or not in the
  /// order of ranks.
  static std::optional<Distribution> read(const LinearLayout &layout, unsigned bits);

  /// Returns what each bit of the rank selects, lowest bit first: half of an axis, or Copies.
  llvm::ArrayRef<int32_t> getAxes() const { return axes; }
  /// Returns the mask of the rank's bits that select a part along `axis` (or, for Copies, of those that select copies).
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

/// Returns the layout of a type that getDistributedShape() accepts, if it has one.
std::optional<LinearLayout> getDistributedLayout(mlir::Type type);

/// Returns the distributions that the operands of `op` must have so that each block can compute its part of the
/// results, distributed as `result`, from its own parts. There is one entry per operand; the entries of scalars are not
/// used. If `op` has no distributed results, `result` is the distribution of the tile that it stores. Returns nothing
/// if blocks would need parts of other blocks.
std::optional<llvm::SmallVector<Distribution>> getOperandDistributions(mlir::Operation *op, const Distribution &result);

/// Returns the distribution of the results of `op` if operand `number` is distributed as `operand`, by the same rules.
/// Returns nothing if the rules do not determine it.
std::optional<Distribution> getResultDistribution(mlir::Operation *op, unsigned number, const Distribution &operand);

/// Returns true if `op` has distribution rules, or does not use tiles.
bool hasDistributionRules(mlir::Operation *op);

/// Attaches the rules for operations that do not keep elements in place (ClusterInterfaces.td).
void registerDistributionModels(mlir::DialectRegistry &registry);

} // namespace tilecc

#include "lowering/clusters/ClusterInterfaces.h.inc"

#endif
