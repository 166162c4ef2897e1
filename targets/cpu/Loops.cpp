//===- Loops.cpp - LLVM loops and branches -----------------------------------------------------------------------===//
//
// This file emits loops and branches around code that a callback emits.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Loops.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

Values Loops::loop(llvm::Value *lo, llvm::Value *hi, int64_t step, ArrayRef<llvm::Value *> inits, Body body) {
  auto *first = dyn_cast<llvm::ConstantInt>(lo), *last = dyn_cast<llvm::ConstantInt>(hi);
  if (first && last) {
    if (first->getSExtValue() >= last->getSExtValue())
      return Values(inits);
    if (last->getSExtValue() - first->getSExtValue() <= step) {
      Scope scope(*this);
      return body(lo, inits);
    }
  }
  // Emit a guard and a bottom-tested loop, which is the form that loop rotation would create.
  llvm::BasicBlock *before = b.GetInsertBlock(), *bodyBlock = ctx.newBlock("loop"), *after = ctx.newBlock("after");
  llvm::Value *enter = b.CreateICmpSLT(lo, hi);
  b.CreateCondBr(enter, bodyBlock, after);
  b.SetInsertPoint(bodyBlock);
  llvm::PHINode *i = b.CreatePHI(b.getInt64Ty(), 2, "i");
  i->addIncoming(lo, before);
  SmallVector<llvm::PHINode *> phis;
  Values carried;
  for (llvm::Value *init : inits) {
    phis.push_back(b.CreatePHI(init->getType(), 2));
    phis.back()->addIncoming(init, before);
    carried.push_back(phis.back());
  }
  Values next;
  {
    Scope scope(*this);
    next = body(i, carried);
  }
  llvm::BasicBlock *latch = b.GetInsertBlock();
  llvm::Value *iNext = b.CreateNSWAdd(i, ctx.index(step));
  i->addIncoming(iNext, latch);
  for (auto [phi, value] : llvm::zip(phis, next))
    phi->addIncoming(value, latch);
  b.CreateCondBr(b.CreateICmpSLT(iNext, hi), bodyBlock, after);
  b.SetInsertPoint(after);
  Values results;
  for (auto [init, value] : llvm::zip(inits, next)) {
    llvm::PHINode *result = b.CreatePHI(value->getType(), 2);
    result->addIncoming(init, before);
    result->addIncoming(value, latch);
    results.push_back(result);
  }
  return results;
}

void Loops::loop(int64_t size, int64_t step, function_ref<void(llvm::Value *)> body) {
  loop(ctx.index(0), ctx.index(size), step, {}, [&](llvm::Value *i, ArrayRef<llvm::Value *>) {
    body(i);
    return Values();
  });
}

Values Loops::branch(llvm::Value *cond, function_ref<Values()> fast, function_ref<Values()> slow) {
  llvm::BasicBlock *fastBlock = ctx.newBlock("then"), *slowBlock = ctx.newBlock("else"), *after = ctx.newBlock("join");
  b.CreateCondBr(cond, fastBlock, slowBlock);
  auto arm = [&](llvm::BasicBlock *block, function_ref<Values()> emit) {
    b.SetInsertPoint(block);
    Scope scope(*this);
    Values values = emit();
    return std::make_pair(values, b.GetInsertBlock());
  };
  auto [x, xEnd] = arm(fastBlock, fast);
  b.CreateBr(after);
  auto [y, yEnd] = arm(slowBlock, slow);
  b.CreateBr(after);
  b.SetInsertPoint(after);
  Values results;
  for (size_t k = 0; k < x.size(); ++k) {
    llvm::PHINode *phi = b.CreatePHI(x[k]->getType(), 2);
    phi->addIncoming(x[k], xEnd);
    phi->addIncoming(y[k], yEnd);
    results.push_back(phi);
  }
  return results;
}
