//===- Prefetches.h - what a nest asks the cache for -------------------------------------------------------*- C++ -*-//
//
// A nest that computes much leaves the memory idle, and so does one that reads a row a second time. It can ask for what
// comes next: the next program's part of an array (most likely the one behind this tile), and the first kind, for the lines
// that a store will write what is computed here. The processor's own prefetchers stop at the end of a page and have to
// learn each row anew.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_PREFETCHES_H
#define TILECC_TARGETS_CPU_PREFETCHES_H

#include "targets/cpu/Evaluator.h"

namespace tilecc::cpu {

class Prefetches {
public:
  /// Chooses the addresses worth asking for while the nest of `root` computes.
  Prefetches(EmitContext &ctx, Evaluator &evaluator, mlir::Operation *root, llvm::ArrayRef<mlir::Value> demands);

  /// Evaluates the addresses where a row starts, ahead of its loop.
  void prepare(const Chunk &start);
  /// Asks for the lines of a chunk.
  void emit(const Chunk &c);

private:
  struct Prefetch {
    mlir::Value ptrs; // of a one-dimensional tile
    int64_t distance; // in bytes, from the tile to what is asked for
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
