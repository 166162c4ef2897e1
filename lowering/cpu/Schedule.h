// Which tiles are formulas and which get memory.
//
// A formula costs nothing until a root evaluates it, but it is evaluated anew by each root. This analysis finds, for
// every tile, the roots that need it, and gives a buffer to values that are expensive and needed more than once, and to
// loads that would otherwise be evaluated after a store that comes later in the program.
#ifndef TILECC_LOWERING_CPU_SCHEDULE_H
#define TILECC_LOWERING_CPU_SCHEDULE_H

#include "lowering/cpu/Affine.h"
#include "lowering/dialects/TT.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace tilecc::cpu {

inline bool isTile(mlir::Value v) { return mlir::isa<mlir::RankedTensorType>(v.getType()); }
inline mlir::RankedTensorType tileType(mlir::Value v) { return mlir::cast<mlir::RankedTensorType>(v.getType()); }

/// Whether the operation's result is a formula of its operands' elements; all others that handle tiles are roots.
bool isFormula(mlir::Operation *op);

class Schedule {
public:
  Schedule(tt::FuncOp func, AffineAnalysis &affine);

  AffineAnalysis &getAffine() const { return affine; }

  /// Whether a formula has operations that take long, such as exponentials, where it is evaluated.
  bool isExpensive(mlir::Value v) const { return heavy.contains(v.getDefiningOp()); }

  /// The formula's elements are computed where its operation stands.
  bool isMaterialized(mlir::Operation *op) const { return materialized.contains(op); }
  /// Formulas whose elements are kept while the root's nest computes them: others need them later.
  llvm::ArrayRef<mlir::Value> riders(mlir::Operation *root) const {
    auto it = ridersOf.find(root);
    return it == ridersOf.end() ? llvm::ArrayRef<mlir::Value>() : llvm::ArrayRef<mlir::Value>(it->second);
  }
  /// Loads that the store's nest does itself, element by element.
  llvm::ArrayRef<tt::LoadOp> fusedLoads(mlir::Operation *store) const {
    auto it = fusedLoadsOf.find(store);
    return it == fusedLoadsOf.end() ? llvm::ArrayRef<tt::LoadOp>() : llvm::ArrayRef<tt::LoadOp>(it->second);
  }

private:
  AffineAnalysis &affine;

  struct Demand {
    llvm::SmallSetVector<mlir::Operation *, 4> roots;
    bool widened = false;   // through a broadcast: each element is needed many times
    bool sameShape = true;  // as the roots' nests
  };
  void decide(mlir::Operation *op);
  bool canFuse(tt::LoadOp load, const Demand &demand) const;
  unsigned costOf(mlir::Operation *op);

  llvm::DenseMap<mlir::Operation *, Demand> demands;
  llvm::DenseMap<mlir::Operation *, unsigned> costs, position;
  llvm::DenseSet<mlir::Operation *> materialized, heavy;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> riderRoot;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> ridersOf;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<tt::LoadOp>> fusedLoadsOf;
};

} // namespace tilecc::cpu

#endif // TILECC_LOWERING_CPU_SCHEDULE_H
