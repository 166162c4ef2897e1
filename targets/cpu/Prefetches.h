//===- Prefetches.h - prefetches of a nest -----------------------------------------------------------------*- C++ -*-//
//
// A nest with much arithmetic leaves the memory idle, and so does one that reads a row a second time. It can prefetch
// data that will be needed next: the next program's part of an array, which most likely follows this tile, and, with
// much arithmetic, the lines to which a later store will write its results. Hardware prefetchers stop at the end of a
// page and have to detect each row again.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_PREFETCHES_H
#define TILECC_TARGETS_CPU_PREFETCHES_H

#include "targets/cpu/Evaluator.h"

namespace tilecc::cpu {

class Prefetches {
public:
  /// Chooses the addresses to prefetch while the nest of `root` computes.
  Prefetches(EmitContext &ctx, Evaluator &evaluator, mlir::Operation *root, llvm::ArrayRef<mlir::Value> demands);

  /// Evaluates the addresses at the start of a row, before its loop.
  void prepare(const Chunk &start);
  /// Prefetches the lines of a chunk.
  void emit(const Chunk &c);

private:
  struct Prefetch {
    mlir::Value ptrs; // of a one-dimensional tile
    int64_t distance; // in bytes, from the tile to the prefetched data
    bool write;
    unsigned level; // of the cache
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
