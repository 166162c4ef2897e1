//===- NextOperands.h - prefetches the operands of a loop's next dot --------------------------------------*- C++ -*-//
//
// A dot computes for a long time on packed operands while memory is idle. Meanwhile it prefetches the tiles that the
// loop's next iteration will load into the second-level cache. The addresses are a guess if they do not advance
// linearly; a wrong guess only costs time.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_NEXTOPERANDS_H
#define TILECC_TARGETS_CPU_NEXTOPERANDS_H

#include "targets/cpu/Evaluator.h"

namespace tilecc::cpu {

class NextOperands {
public:
  /// Finds the tiles and computes their next locations at the builder's insertion point. The dot is split into `blocks`
  /// of `iterations` each.
  NextOperands(EmitContext &ctx, Buffers &buffers, Elementwise &elementwise, tt::DotOp dot, int64_t blocks,
               int64_t iterations);
  NextOperands(const NextOperands &) = delete;

  /// Returns true if there is nothing to prefetch.
  bool empty() const { return tiles.empty(); }

  /// Returns, for each tile, the address at which a block's part starts.
  Values begin(llvm::Value *block);
  /// Prefetches one iteration's share. Returns the addresses for the next iteration.
  Values advance(llvm::ArrayRef<llvm::Value *> addresses, llvm::Value *iteration);

private:
  struct Tile {
    llvm::Value *first; // address
    llvm::Value *rowStride; // in bytes
    int64_t rows;
    int64_t rowParts; // power of two; an iteration prefetches one part
    int64_t blockParts; // parts prefetched by a block, a power of two
    int64_t lines; // lines per part, a power of two
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
