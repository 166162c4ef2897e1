//===- DistributionPlan.h - chooses the distribution of every tile of a kernel --------------------------*- C++ -*-===//
//
// The pass tritongpu-plan-cta makes a plan, and rewrites the kernel accordingly.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_CLUSTERS_DISTRIBUTIONPLAN_H
#define TILECC_LOWERING_CLUSTERS_DISTRIBUTIONPLAN_H

#include "lowering/clusters/Distribution.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace tilecc {

/// The distribution of each tile and tensor descriptor of a kernel at its definition. Decisions start at dots, then at
/// reductions and scans, and then at accesses to memory. A decision propagates to operands and users until it reaches
/// values that have been decided already; a tile there is needed in two distributions. If the kernel is TTGIR, its
/// encodings determine all distributions.
class DistributionPlan {
public:
  /// Chooses distributions over a cluster of 2^`bits` blocks.
  static DistributionPlan decide(tt::FuncOp func, unsigned bits);
  /// Distributes `value` as `distribution`, and all values whose distribution follows from it. Each block has a copy of
  /// every other tile.
  static DistributionPlan follow(tt::FuncOp func, mlir::Value value, const Distribution &distribution);
  /// Reads the distributions from the encodings. Reports tiles whose parts do not form such a distribution.
  static mlir::FailureOr<DistributionPlan> read(tt::FuncOp func, unsigned bits);

  /// Returns the distribution of `value`; copies if nothing has decided it.
  Distribution get(mlir::Value value) const;
  /// Records the actual distribution of a value that an operation cannot produce as planned.
  void set(mlir::Value value, const Distribution &distribution) { chosen.insert_or_assign(value, distribution); }
  /// Returns true if every block can compute any part of the tile `value` without data from other blocks, by cheap
  /// arithmetic on scalars and positions.
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

/// Halves a tile of `shape` 2^`bits` times: along the first of `axes` until a part has only `least` elements along it,
/// then along the next one, and so on. The remaining bits select copies.
Distribution halveAlong(llvm::ArrayRef<std::pair<int32_t, int64_t>> axesAndLeast, llvm::ArrayRef<int64_t> shape,
                        unsigned bits);

} // namespace tilecc

#endif
