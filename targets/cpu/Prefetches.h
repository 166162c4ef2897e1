//===- Prefetches.h - prefetches of a nest -----------------------------------------------------------------*- C++ -*-//
//
// A nest with much arithmetic leaves memory idle, and so does a nest that reads a row a second time. Such nests
// prefetch data that will be needed next. One kind is the part of an array that the next program will need, which most
// likely follows this tile. A nest with much arithmetic also prefetches the cache lines to which a later store will
// write its results. Hardware prefetchers do not do this well: they stop at the end of a page, and have to detect each
// row again.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_PREFETCHES_H
#define TILECC_TARGETS_CPU_PREFETCHES_H

#include "targets/cpu/Evaluator.h"

namespace tilecc::cpu {

class Prefetches {
public:
  /// Chooses the addresses that the nest of `root` prefetches while it computes.
  Prefetches(EmitContext &ctx, Evaluator &evaluator, mlir::Operation *root, llvm::ArrayRef<mlir::Value> demands);

  /// Evaluates the addresses at the beginning of a row, before the loop over it.
  void prepare(const Chunk &start);
  /// Prefetches the cache lines that correspond to chunk `c`.
  void emit(const Chunk &c);

private:
  struct Prefetch {
    mlir::Value ptrs; // the pointers of a tile of rank 1
    int64_t distance; // in bytes, from the tile to the prefetched data
    bool write;
    unsigned level; // the level of the cache
  };
  void consider(mlir::Value ptrs, bool write);
  void emit(const Prefetch &prefetch, const Chunk &c);

  EmitContext &ctx;
  Evaluator &evaluator;
  const bool computes;
  llvm::SmallVector<Prefetch> chosen;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_PREFETCHES_H
