//===- Streams.h - non-temporal stores ---------------------------------------------------------------------*- C++ -*-//
//
// A store to a cache line that is not in a cache first loads the line. If a launch accesses more memory than the caches
// hold, the stored data is evicted before it is read, and non-temporal stores save a third to a half of the memory
// traffic. If it accesses less, non-temporal stores write data to memory that the next kernel would have found in the
// cache. A kernel is compiled once for all launches, so it decides at run time, from the number of programs and from
// the amount of memory that each of them accesses.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_STREAMS_H
#define TILECC_TARGETS_CPU_STREAMS_H

#include "targets/cpu/Evaluator.h"

namespace tilecc::cpu {

class Streams {
public:
  Streams(EmitContext &ctx, Evaluator &evaluator) : ctx(ctx), b(ctx.b), evaluator(evaluator) {}
  Streams(const Streams &) = delete;

  /// Emits an i1 that is true if `store` should write a row of `size` elements, from `start` on, with non-temporal
  /// stores. `leading` elements of the row are stored without a mask. Returns null if non-temporal stores never pay.
  llvm::Value *isStreamed(tt::StoreOp store, const Chunk &start, int64_t size, llvm::Value *leading);
  /// Emits an i1 that is true if the launch is large: if all programs together access at least 1/`part` of the number
  /// of bytes from which non-temporal stores pay. Each program accesses `count` of the `size` elements of each row.
  llvm::Value *isLarge(mlir::Block &block, int64_t size, llvm::Value *count, unsigned part = 1);

private:
  bool isCandidate(tt::StoreOp store);
  int64_t bytesOfProgram(mlir::Block &block);
  /// Loads the size of the launch. The code is emitted once, in the entry block of the function.
  void askLaunch();

  EmitContext &ctx;
  llvm::IRBuilder<> &b;
  Evaluator &evaluator;
  std::optional<bool> isOrdered; // true if other programs may wait for stores of a program
  std::optional<int64_t> bytes;
  llvm::Value *programs = nullptr, *most = nullptr;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_STREAMS_H
