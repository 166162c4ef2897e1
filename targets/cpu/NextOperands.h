//===- NextOperands.h - asks for what a loop's next product multiplies ------------------------------------*- C++ -*-//
//
// A dot computes for a long time on packed operands while memory is idle. Meanwhile it prefetches, into the
// second-level cache, the tiles that the loop's next iteration will load. The addresses are a guess if they do not
// advance linearly; a wrong guess only costs time.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_NEXTOPERANDS_H
#define TILECC_TARGETS_CPU_NEXTOPERANDS_H

#include "targets/cpu/Evaluator.h"

namespace tilecc::cpu {

class NextOperands {
public:
  /// Finds the tiles and computes, at the builder's place, where they will be. The product is cut into `blocks` of
  /// `iterations` each.
  NextOperands(EmitContext &ctx, Buffers &buffers, Elementwise &elementwise, tt::DotOp dot, int64_t blocks,
               int64_t iterations);
  NextOperands(const NextOperands &) = delete;

  /// There is nothing to ask for.
  bool empty() const { return tiles.empty(); }

  /// Of each tile, where a block's part begins.
  Values begin(llvm::Value *block);
  /// Asks for what falls to an iteration; returns the addresses for the next one.
  Values advance(llvm::ArrayRef<llvm::Value *> addresses, llvm::Value *iteration);

private:
  struct Tile {
    llvm::Value *first;     // address
    llvm::Value *rowStride; // in bytes
    int64_t rows;
    int64_t rowParts;   // of which an iteration asks for one
    int64_t blockParts; // asked for in a block; like all of these, a power of two
    int64_t lines;      // of a part
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
