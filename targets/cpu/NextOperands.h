//===- NextOperands.h - prefetches the operands of a loop's next dot --------------------------------------*- C++ -*-//
//
// While a dot computes on packed operands, memory is idle. The dot uses this time to prefetch, into the second-level
// cache, the tiles that the loop's next iteration will load. Their addresses are a guess if they do not advance
// linearly; a wrong guess only costs time.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_NEXTOPERANDS_H
#define TILECC_TARGETS_CPU_NEXTOPERANDS_H

#include "targets/cpu/Evaluator.h"

namespace tilecc::cpu {

class NextOperands {
public:
  /// Finds the tiles, and computes where they will be next, at the builder's insertion point. The dot consists of
  /// `blocks` blocks of `iterations` iterations each.
  NextOperands(EmitContext &ctx, Buffers &buffers, Elementwise &elementwise, tt::DotOp dot, int64_t blocks,
               int64_t iterations);
  NextOperands(const NextOperands &) = delete;

  /// Returns true if there are no tiles to prefetch.
  bool empty() const { return tiles.empty(); }

  /// Returns, for each tile, the address from which block number `block` prefetches.
  Values begin(llvm::Value *block);
  /// Prefetches the share of one iteration. Returns the addresses for the next iteration.
  Values advance(llvm::ArrayRef<llvm::Value *> addresses, llvm::Value *iteration);

private:
  struct Tile {
    llvm::Value *first; // address
    llvm::Value *rowStride; // in bytes
    int64_t rows;
    int64_t rowParts; // parts of a row, a power of two; an iteration prefetches one of them
    int64_t blockParts; // parts that a block prefetches, a power of two
    int64_t lines; // cache lines of a part, a power of two
  };
  void consider(mlir::Value ptrs);
  bool collectScalars(mlir::Value v, llvm::SmallVectorImpl<mlir::Value> &scalars);
  llvm::Value *scalarAt(mlir::Value v, bool next);

  EmitContext &ctx;
  llvm::IRBuilder<> &b;
  Buffers &buffers;
  Elementwise &elementwise;
  mlir::scf::ForOp loop;
  const int64_t blocks, iterations;
  llvm::SmallVector<Tile> tiles;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_NEXTOPERANDS_H
