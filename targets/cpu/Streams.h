//===- Streams.h - non-temporal stores ---------------------------------------------------------------------*- C++ -*-//
//
// A store to a line that is not in a cache first loads that line. If a launch accesses more memory than the caches
// hold, the stored data is evicted before it is read, and non-temporal stores save a third to a half of the traffic. If
// it accesses less, such stores write data to memory that the next kernel would have found in the cache. A kernel is
// compiled once for all launches, so it decides at run time, from the number of programs and the memory that each of
// them accesses.
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

  /// Emits an i1 that is true if the store should write a row of `size` elements from `start` on with non-temporal
  /// stores. `leading` elements are stored without a mask. Returns null if it never should.
  llvm::Value *isStreamed(tt::StoreOp store, const Chunk &start, int64_t size, llvm::Value *leading);
  /// Emits an i1 that is true if the launch is large: all programs together, each touching `count` of `size` elements
  /// of each row, touch at least 1/`part` of the bytes from which stores are streamed.
  llvm::Value *isLarge(mlir::Block &block, int64_t size, llvm::Value *count, unsigned part = 1);

private:
  bool isCandidate(tt::StoreOp store);
  int64_t bytesOfProgram(mlir::Block &block);
  /// Loads the size of the launch, once, in the function's entry block.
  void askLaunch();

  EmitContext &ctx;
  llvm::IRBuilder<> &b;
  Evaluator &evaluator;
  std::optional<bool> isOrdered; // other programs may wait for a program's stores
  std::optional<int64_t> bytes;
  llvm::Value *programs = nullptr, *most = nullptr;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_STREAMS_H
