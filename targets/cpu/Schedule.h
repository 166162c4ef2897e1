//===-- Schedule.h - which tiles are formulas and which get memory --------------------------------------*- C++ -*-===//
//
// A formula costs nothing until a root evaluates it, but each root evaluates it anew. This analysis finds the roots
// that need each tile. It gives buffers to values that are expensive and needed more than once, and to loads that would
// otherwise be evaluated after a later store. Sort steps that exchange adjacent elements stay in registers; only
// exchanges across more than a register go through memory.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_CPU_SCHEDULE_H
#define TILECC_TARGETS_CPU_SCHEDULE_H

#include "targets/cpu/Affine.h"
#include "targets/cpu/JoinPrograms.h"
#include "lowering/dialects/tt/TT.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace tilecc::cpu {

inline bool isTile(mlir::Value v) { return mlir::isa<mlir::RankedTensorType>(v.getType()); }
inline mlir::RankedTensorType tileType(mlir::Value v) { return mlir::cast<mlir::RankedTensorType>(v.getType()); }

/// Whether the operation's result is its operand's elements in other places: of another shape, in another order, some
/// of them or some of them repeatedly.
inline bool isMovement(mlir::Operation *op) { return mlir::isa_and_nonnull<tt::IndexingMap>(op); }

/// The reshape that is the only user of a join or concatenation, also through a transpose, and that writes its parts to
/// their places in the reshape's result. Null if there is none.
mlir::Operation *findPlacer(mlir::Operation *op);

/// Whether the operation's result is a formula of its operands' elements; all others that handle tiles are roots.
bool isFormula(mlir::Operation *op);
/// Whether `v` differs between programs, as far as its block shows.
bool dependsOnProgram(mlir::Value v);
/// Whether a region on elements is a formula, which can be applied to vectors; one with control flow is to scalars.
bool isVectorizable(mlir::Region &region);

class Schedule {
public:
  /// `lanes` is the number of lanes of the processor's registers.
  Schedule(tt::FuncOp func, AffineAnalysis &affine, unsigned lanes, Twins twins = {});

  AffineAnalysis &getAffine() const { return affine; }
  const Twins &getTwins() const { return twins; }

  /// Whether a formula contains slow operations, such as exponentials, where it is evaluated.
  bool isExpensive(mlir::Value v) const { return heavy.contains(v.getDefiningOp()); }

  /// The formula's elements are computed where its operation stands.
  bool isMaterialized(mlir::Operation *op) const { return materialized.contains(op); }
  /// Of formulas whose elements change places with others of the same vector: the dimension that vectors must be along
  /// where they are evaluated, which is in nests of such formulas alone. Else none.
  std::optional<int> getExchangedDim(mlir::Operation *op) const {
    auto it = exchangedDims.find(op);
    return it == exchangedDims.end() ? std::nullopt : std::optional(it->second);
  }
  /// Formulas whose elements are kept while the root's nest computes them: others need them later.
  llvm::ArrayRef<mlir::Value> sideOutputs(mlir::Operation *root) const {
    auto it = sideOutputsOf.find(root);
    return it == sideOutputsOf.end() ? llvm::ArrayRef<mlir::Value>() : llvm::ArrayRef<mlir::Value>(it->second);
  }
  /// The last operation of `op`'s block that reads its results, directly or by formulas, whatever block they are in;
  /// null if that cannot be told.
  mlir::Operation *findLastReader(mlir::Operation *op) const;
  /// Loads that the store's nest does itself, element by element.
  llvm::ArrayRef<tt::LoadOp> fusedLoads(mlir::Operation *store) const {
    auto it = fusedLoadsOf.find(store);
    return it == fusedLoadsOf.end() ? llvm::ArrayRef<tt::LoadOp>() : llvm::ArrayRef<tt::LoadOp>(it->second);
  }
  /// Where they load an element, its roots want one at the same place in the tile.
  bool keepsPlaces(tt::LoadOp load) const {
    auto it = demands.find(load);
    return it != demands.end() && it->second.sameShape;
  }

private:
  AffineAnalysis &affine;
  const unsigned lanes;
  const Twins twins;

  struct Demand {
    llvm::SmallSetVector<mlir::Operation *, 4> roots;
    bool widened = false;   // through a broadcast: each element is needed many times
    bool sameShape = true;  // as the roots' nests, and in the same order
  };
  void findExchanges(mlir::Operation *op);
  void decide(mlir::Operation *op);
  bool canFuse(tt::LoadOp load, const Demand &demand) const;
  unsigned costOf(mlir::Operation *op);

  llvm::DenseMap<mlir::Operation *, Demand> demands;
  llvm::DenseMap<mlir::Operation *, unsigned> costs, position;
  llvm::DenseSet<mlir::Operation *> materialized, heavy;
  llvm::DenseMap<mlir::Operation *, int> exchangedDims;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> sideOutputRoot;
  mutable llvm::DenseMap<mlir::Operation *, mlir::Operation *> lastReaders;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> sideOutputsOf;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<tt::LoadOp>> fusedLoadsOf;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_SCHEDULE_H
