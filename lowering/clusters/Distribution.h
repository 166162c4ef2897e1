//===- Distribution.h - distributes a tile over the thread blocks of a cluster --------------------------*- C++ -*-===//
//
// A program may run on several thread blocks (tt::num_ctas); their number is a power of two. Each bit of a block's rank
// either halves the tile along one axis, or selects between copies: blocks whose ranks differ only in such a bit have
// the same part. If several bits halve the same axis, the lowest of them is the lowest bit of the part's number along
// this axis. Parts are contiguous, so a block's part is a tile too.
//
// TTIR does not say which part each block has; DistributionPlan decides. In TTGIR, encodings may say so: their layouts
// then have the block as an additional input (CGALayout). The encoding of a part is that of the whole tile without this
// input.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_CLUSTERS_DISTRIBUTION_H
#define TILECC_LOWERING_CLUSTERS_DISTRIBUTION_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

class Distribution {
public:
  /// Special values, used in place of an axis, that describe what a bit of the rank selects. Copies: blocks whose ranks
  /// differ only in this bit have copies of the same part. First (only for an operand of ttng.redistribute): only the
  /// block whose rank has 0 in this bit has a valid part.
  enum : int32_t { Copies = -1, First = -2 };

  explicit Distribution(llvm::ArrayRef<int32_t> axes) : axes(axes) {}
  /// Returns the distribution in which each of 2^bits blocks has a copy of the whole tile.
  static Distribution copies(unsigned bits) { return Distribution(llvm::SmallVector<int32_t>(bits, Copies)); }

  /// Reads the distribution over 2^bits blocks from the layout of a tile in registers or in shared memory. If the
  /// layout has no block input, all blocks have copies. Returns nothing if parts are not contiguous, or not in the
  /// order of ranks.
  static std::optional<Distribution> read(const LinearLayout &layout, unsigned bits);

  /// Returns what each bit of the rank selects, lowest bit first: an axis that the bit halves, or Copies.
  llvm::ArrayRef<int32_t> getAxes() const { return axes; }
  /// Returns the mask of the rank's bits that halve `axis`; for Copies, the mask of the bits that select copies.
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

/// Returns the shape that is distributed: the shape of a tile, or that of the tensor block that a descriptor accesses.
/// Returns nothing for other types.
std::optional<llvm::ArrayRef<int64_t>> getDistributedShape(mlir::Type type);

/// Returns the layout of a type that getDistributedShape() accepts, if it has one.
std::optional<LinearLayout> getDistributedLayout(mlir::Type type);

/// Returns the distributions that the operands of `op` must have so that each block can compute its part of the
/// results, distributed as `result`, from its own parts. There is one entry per operand; the entries of scalars are not
/// used. If `op` has no distributed results, `result` is the distribution of the tile that it stores. Returns nothing
/// if blocks would need parts of other blocks.
std::optional<llvm::SmallVector<Distribution>> getOperandDistributions(mlir::Operation *op, const Distribution &result);

/// Returns the distribution of the results of `op` if operand `number` is distributed as `operand`. The rules are those
/// of getOperandDistributions(). Returns nothing if they do not determine the result.
std::optional<Distribution> getResultDistribution(mlir::Operation *op, unsigned number, const Distribution &operand);

/// Returns true if `op` has distribution rules, or does not use tiles.
bool hasDistributionRules(mlir::Operation *op);

/// Attaches the rules of operations that move elements (ClusterInterfaces.td). The others need no rules, because each
/// result element depends only on operand elements at the same position.
void registerDistributionModels(mlir::DialectRegistry &registry);

} // namespace tilecc

#include "lowering/clusters/ClusterInterfaces.h.inc"

#endif
