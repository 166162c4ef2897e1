//===- DistributionPlan.h - chooses the distribution of every tile of a kernel --------------------------*- C++ -*-===//
//
// The pass tritongpu-plan-cta makes such a plan for each kernel that runs on several thread blocks, and rewrites the
// kernel accordingly.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_CLUSTERS_DISTRIBUTIONPLAN_H
#define TILECC_LOWERING_CLUSTERS_DISTRIBUTIONPLAN_H

#include "lowering/clusters/Distribution.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace tilecc {

/// The distribution of each tile and tensor descriptor of a kernel, at its definition. For TTIR, distributions are
/// chosen for dots first, then for reductions and scans, and then for accesses to memory. Each choice propagates to
/// operands and users until it reaches a value whose distribution has already been chosen; if the two differ, that
/// value must be redistributed. For TTGIR, the encodings determine all distributions.
class DistributionPlan {
public:
  /// Chooses distributions over a cluster of 2^`bits` blocks.
  static DistributionPlan decide(tt::FuncOp func, unsigned bits);
  /// Distributes `value` as `distribution`, and all values whose distribution follows from that. Every block has a copy
  /// of each remaining tile.
  static DistributionPlan follow(tt::FuncOp func, mlir::Value value, const Distribution &distribution);
  /// Reads the distributions from the encodings. Reports an error for a tile whose parts cannot be described by a
  /// Distribution.
  static mlir::FailureOr<DistributionPlan> read(tt::FuncOp func, unsigned bits);

  /// Returns the distribution of `value`. If none has been chosen, all blocks have copies.
  Distribution get(mlir::Value value) const;
  /// Records the actual distribution of a value that an operation cannot produce as planned.
  void set(mlir::Value value, const Distribution &distribution) { chosen.insert_or_assign(value, distribution); }
  /// Returns true if every block can compute any part of the tile `value` without data from other blocks, by cheap
  /// arithmetic on scalars and on positions within the tile.
  bool isCheap(mlir::Value value);

private:
  DistributionPlan(tt::FuncOp func, unsigned bits) : func(func), bits(bits) {}
  void tieRegions(mlir::Operation *op);
  void decide(mlir::Value value, const Distribution &distribution);
  void spread();
  void spreadFrom(mlir::Value value);
  void decideDots();
  void decideReductions();
  void decideAccesses();

  tt::FuncOp func;
  unsigned bits;
  llvm::DenseMap<mlir::Value, Distribution> chosen;
  llvm::DenseMap<mlir::Value, bool> cheap;
  llvm::SmallVector<mlir::Value> worklist;
  /// Values that must have the same type: a loop-carried value inside the loop, and the loop's result.
  llvm::EquivalenceClasses<mlir::Value> tied;
  /// `passed`: for each result or argument of control flow, the values that are passed to it. `passedTo`: the inverse.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> passed, passedTo;
};

/// Returns a distribution that halves a tile of `shape` up to `bits` times. It halves along the first of the given axes
/// until a part has only as many elements along it as the number that accompanies the axis, then along the next axis,
/// and so on. The remaining bits select copies.
Distribution halveAlong(llvm::ArrayRef<std::pair<int32_t, int64_t>> axesAndLeast, llvm::ArrayRef<int64_t> shape,
                        unsigned bits);

} // namespace tilecc

#endif
