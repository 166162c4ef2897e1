//===- Streams.h - stores around the caches ----------------------------------------------------------------*- C++ -*-//
//
// A store of a line that is not in a cache first brings it there. Where a launch touches more memory than the caches
// hold, nobody finds there what its programs store, and a store around them saves a third or half of the traffic; where
// it touches less, such a store sends to memory what the next kernel would have found. A kernel is compiled once for all
// launches, so its programs ask: how many they are, and what each of them touches, tell what the launch does.
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

  /// Whether a row of that size, which the store writes from `start` on, is stored around the caches: decided at run
  /// time. `leading` elements are stored without a mask. Null: it is not.
  llvm::Value *isStreamed(tt::StoreOp store, const Chunk &start, int64_t size, llvm::Value *leading);
  /// Whether programs that touch `count` elements of `size` of each row touch together more than their part of the caches.
  llvm::Value *isLarge(mlir::Block &block, int64_t size, llvm::Value *count, unsigned part = 1);

private:
  bool isCandidate(tt::StoreOp store);
  int64_t bytesOfProgram(mlir::Block &block);
  /// Computed in the function's entry, once.
  void askLaunch();

  EmitContext &ctx;
  llvm::IRBuilder<> &b;
  Evaluator &evaluator;
  std::optional<bool> isOrdered; // other programs may wait for what one stores
  std::optional<int64_t> bytes;
  llvm::Value *programs = nullptr, *most = nullptr;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_STREAMS_H
