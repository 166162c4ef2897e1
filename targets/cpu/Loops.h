//===- Loops.h - LLVM loops and branches -------------------------------------------------------------------*- C++ -*-//
//
// Emits loops and branches around code that a callback emits. Afterwards, the values that the callback has evaluated
// are forgotten, and its allocations are freed.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_LOOPS_H
#define TILECC_TARGETS_CPU_LOOPS_H

#include "targets/cpu/Evaluator.h"

namespace tilecc::cpu {

class Loops {
public:
  Loops(EmitContext &ctx, Buffers &buffers, Evaluator &evaluator)
      : ctx(ctx), b(ctx.b), buffers(buffers), evaluator(evaluator) {}
  Loops(const Loops &) = delete;

  using Body = llvm::function_ref<Values(llvm::Value *i, llvm::ArrayRef<llvm::Value *> carried)>;

  /// Emits `for (i = lo; i < hi; i += step)` with loop-carried values. Returns their values after the loop.
  Values loop(llvm::Value *lo, llvm::Value *hi, int64_t step, llvm::ArrayRef<llvm::Value *> inits, Body body);
  /// Emits `for (i = 0; i < size; i += step)`.
  void loop(int64_t size, int64_t step, llvm::function_ref<void(llvm::Value *)> body);
  /// Emits a branch to `fast` if `cond` is true, and to `slow` otherwise. Merges their results.
  Values branch(llvm::Value *cond, llvm::function_ref<Values()> fast, llvm::function_ref<Values()> slow);

  /// The scope of the code in a loop's body or on one side of a branch.
  class Scope;

private:
  EmitContext &ctx;
  llvm::IRBuilder<> &b;
  Buffers &buffers;
  Evaluator &evaluator;
};

class Loops::Scope {
public:
  explicit Scope(Loops &loops) : memory(loops.buffers), evaluated(loops.evaluator) {}

private:
  Buffers::Scope memory;
  Evaluator::Scope evaluated;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_LOOPS_H
