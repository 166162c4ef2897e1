//===- DistributionPlan.h - how every tile of a kernel is distributed over a cluster ------------------------*- C++ ===//
#ifndef TILECC_LOWERING_CLUSTERS_DISTRIBUTIONPLAN_H
#define TILECC_LOWERING_CLUSTERS_DISTRIBUTIONPLAN_H

#include "lowering/clusters/Distribution.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace tilecc {

/// The distribution that each tile and each tensor descriptor of a kernel has where it is made. Some operations decide:
/// products, then reductions and scans, then accesses to memory. From them it spreads to what they need and to what is
/// made of them, until it meets what is decided already; there the tile is needed in two distributions.
///
/// Where the kernel is TTGIR, encodings have decided everything.
class DistributionPlan {
public:
  /// For a cluster of 2^`bits` blocks.
  static DistributionPlan decide(tt::FuncOp func, unsigned bits);
  /// What encodings say; reports tiles whose parts this form does not have.
  static mlir::FailureOr<DistributionPlan> read(tt::FuncOp func, unsigned bits);

  /// What nothing decides is copied.
  Distribution get(mlir::Value value) const;
  /// Says what became of a value that an operation cannot make as planned.
  void set(mlir::Value value, const Distribution &distribution) { chosen.insert_or_assign(value, distribution); }
  /// A tile that every block can compute any part of by itself, by cheap arithmetic on scalars and positions.
  bool isCheap(mlir::Value value);

private:
  DistributionPlan(tt::FuncOp func, unsigned bits) : func(func), bits(bits) {}
  void tieRegions(mlir::Operation *op);
  void decide(mlir::Value value, const Distribution &distribution);
  void spread();
  void spreadFrom(mlir::Value value);
  void decideProducts();
  void decideReductions();
  void decideAccesses();

  tt::FuncOp func;
  unsigned bits;
  llvm::DenseMap<mlir::Value, Distribution> chosen;
  llvm::DenseMap<mlir::Value, bool> cheap;
  llvm::SmallVector<mlir::Value> worklist;
  /// Values that have one type: what a loop carries, seen from within and from behind it.
  llvm::EquivalenceClasses<mlir::Value> tied;
  /// What is passed to such a value, by it; and such values, by what is passed to them.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> passed, passedTo;
};

/// Halves a tile of `shape` 2^`bits` times, along the first of `axes` until a part has `least` elements along it, then
/// the next, and so on; what is left are copies.
Distribution halveAlong(llvm::ArrayRef<std::pair<int32_t, int64_t>> axesAndLeast, llvm::ArrayRef<int64_t> shape,
                        unsigned bits);

} // namespace tilecc

#endif
