//===- Distribution.h - which part of a tile each thread block of a cluster has -----------------------------*- C++ ===//
//
// A program may be run by several thread blocks (tt::num_ctas), a power of two. Every bit of a block's rank among them
// halves the tile along one axis, or does not: then blocks that differ in the bit have copies. Of the bits that halve
// the same axis the lowest is the lowest of the part's number, and parts are contiguous, so that a block's part is a
// tile, too.
//
// In TTIR nothing says which part a block has: DistributionPlan decides. The encodings of TTGIR may say it: the block is an
// input of their layouts (CGALayout), and a part is encoded as the whole, without the blocks.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_CLUSTERS_DISTRIBUTION_H
#define TILECC_LOWERING_CLUSTERS_DISTRIBUTION_H

#include "lowering/dialects/ttg/TTG.h"

namespace tilecc {

class Distribution {
public:
  /// In place of an axis: blocks that differ in the bit have copies; or only the one counts whose bit is 0 (an operand
  /// of ttng.redistribute alone).
  enum : int32_t { Copies = -1, First = -2 };

  explicit Distribution(llvm::ArrayRef<int32_t> axes) : axes(axes) {}
  /// Every one of 2^bits blocks has a copy.
  static Distribution copies(unsigned bits) { return Distribution(llvm::SmallVector<int32_t>(bits, Copies)); }

  /// What the layout of a tile, in registers or in shared memory, says of 2^bits blocks; what says nothing is each block's own.
  /// Nothing if parts are not contiguous, or not in this order.
  static std::optional<Distribution> read(const LinearLayout &layout, unsigned bits);

  /// What each bit of the rank, the lowest first, selects a half of: an axis, or Copies.
  llvm::ArrayRef<int32_t> getAxes() const { return axes; }
  /// The bits of the rank that select along `axis`, or that are Copies, as a mask.
  uint32_t getBits(int32_t axis) const;
  bool divides(int32_t axis) const { return getBits(axis) != 0; }
  bool hasCopies() const { return divides(Copies); }

  /// With every axis replaced by what `function` makes of it.
  Distribution mapAxes(llvm::function_ref<int32_t(int32_t)> function) const;
  /// The same, but copies along `axis`.
  Distribution without(int32_t axis) const;

  /// Whether a tile of `shape` can be divided so.
  bool fits(llvm::ArrayRef<int64_t> shape) const;
  /// A block's part of a tile of `shape`.
  llvm::SmallVector<int64_t> getPart(llvm::ArrayRef<int64_t> shape) const;
  /// The same of a type: a tile, in registers or in shared memory, or the descriptor of a tensor that is accessed in such
  /// tiles; others stay. An encoding becomes that of a part.
  mlir::Type getPart(mlir::Type type) const;

  bool operator==(const Distribution &other) const { return axes == other.axes; }
  bool operator!=(const Distribution &other) const { return axes != other.axes; }

private:
  llvm::SmallVector<int32_t, 4> axes;
};

/// The shape of what is distributed of a value: of a tile, or of the blocks that a descriptor gives access to. Nothing
/// for others.
std::optional<llvm::ArrayRef<int64_t>> getDistributedShape(mlir::Type type);

/// The layout of such a type, if it has one.
std::optional<LinearLayout> getDistributedLayout(mlir::Type type);

/// How the operands of `op` have to be distributed for each block to compute its part of the results, distributed as
/// `result`, from what it has; one for each operand, of which those of scalars do not matter. For an operation without
/// such results, `result` is the distribution of what it stores. Nothing if blocks would need what others have.
std::optional<llvm::SmallVector<Distribution>> getOperandDistributions(mlir::Operation *op, const Distribution &result);

/// How the results of `op` are distributed if its operand `number` is distributed as `operand`, by the same rule;
/// nothing if none follows.
std::optional<Distribution> getResultDistribution(mlir::Operation *op, unsigned number, const Distribution &operand);

/// Returns false for an operation on tiles whose rules nobody has said.
bool hasDistributionRules(mlir::Operation *op);

/// Attaches the rules of operations that do not keep elements in their places (ClusterInterfaces.td).
void registerDistributionModels(mlir::DialectRegistry &registry);

} // namespace tilecc

#include "lowering/clusters/ClusterInterfaces.h.inc"

#endif
