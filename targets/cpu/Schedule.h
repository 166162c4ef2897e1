//===-- Schedule.h - decides which tiles get memory -----------------------------------------------------*- C++ -*-===//
//
// A formula costs nothing until a root evaluates it, but each root evaluates it anew. This analysis finds out which
// roots need each tile. It gives buffers to values that are expensive and needed more than once, and to loads that
// would otherwise be evaluated after a later store. Steps of a sort that exchange adjacent elements stay in registers;
// only steps that exchange elements of different registers go through memory.
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

/// Returns true if an operation only moves the elements of its operand: it reshapes, reorders, selects or repeats them.
inline bool isMovement(mlir::Operation *op) { return mlir::isa_and_nonnull<tt::IndexingMap>(op); }

/// Some joins and concatenations have a reshape as their only user, possibly through a transpose. That reshape can
/// write the parts directly to their positions in its result. Returns this reshape, or null if there is none.
mlir::Operation *findPlacer(mlir::Operation *op);

/// Returns true if the operation's result is a formula of the elements of its operands. All other operations on tiles
/// are roots.
bool isFormula(mlir::Operation *op);
/// Returns true if `v` is computed from a program id. The analysis stops at block arguments.
bool dependsOnProgram(mlir::Value v);
/// Returns true if a region on elements is a formula that can be applied to vectors. A region with control flow can be
/// applied only to scalars.
bool isVectorizable(mlir::Region &region);

class Schedule {
public:
  /// `lanes` is the number of lanes of the processor's vector registers.
  Schedule(tt::FuncOp func, AffineAnalysis &affine, unsigned lanes, Twins twins = {});

  AffineAnalysis &getAffine() const { return affine; }
  const Twins &getTwins() const { return twins; }

  /// Returns true if the formula of `v` contains slow operations, such as exponentials.
  bool isExpensive(mlir::Value v) const { return heavy.contains(v.getDefiningOp()); }

  /// Returns true if the elements of this formula are computed at its operation and stored in a buffer.
  bool isMaterialized(mlir::Operation *op) const { return materialized.contains(op); }
  /// If a formula exchanges elements within a vector, returns the vector dimension that it requires; only nests with
  /// this vector dimension evaluate it. Returns nothing for all other formulas.
  std::optional<int> getExchangedDim(mlir::Operation *op) const {
    auto it = exchangedDims.find(op);
    return it == exchangedDims.end() ? std::nullopt : std::optional(it->second);
  }
  /// Returns the formulas whose elements the nest of `root` stores while it computes them, because other roots need
  /// them later.
  llvm::ArrayRef<mlir::Value> sideOutputs(mlir::Operation *root) const {
    auto it = sideOutputsOf.find(root);
    return it == sideOutputsOf.end() ? llvm::ArrayRef<mlir::Value>() : llvm::ArrayRef<mlir::Value>(it->second);
  }
  /// Returns the last operation in the block of `op` that reads the results of `op`, directly or through formulas, also
  /// in nested blocks. Returns null if it is not known.
  mlir::Operation *findLastReader(mlir::Operation *op) const;
  /// Returns the loads that the nest of `store` executes element by element.
  llvm::ArrayRef<tt::LoadOp> fusedLoads(mlir::Operation *store) const {
    auto it = fusedLoadsOf.find(store);
    return it == fusedLoadsOf.end() ? llvm::ArrayRef<tt::LoadOp>() : llvm::ArrayRef<tt::LoadOp>(it->second);
  }
  /// Returns true if the roots need each loaded element at the position that it has in the loaded tile.
  bool keepsPositions(tt::LoadOp load) const {
    auto it = demands.find(load);
    return it != demands.end() && it->second.sameShape;
  }

private:
  AffineAnalysis &affine;
  const unsigned lanes;
  const Twins twins;

  struct Demand {
    llvm::SmallSetVector<mlir::Operation *, 4> roots;
    bool widened = false; // needed through a broadcast, so each element is needed repeatedly
    bool sameShape = true; // the nests of the roots have the shape of the tile, in the same order
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
