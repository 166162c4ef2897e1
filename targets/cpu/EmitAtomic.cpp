//===-- EmitAtomic.cpp - atomic accesses --------------------------------------------------------------------------===//
//
// This file emits atomic accesses, one element after another. Each access is one atomic operation, because the programs
// of a grid run on several threads.
//
//===------------------------------------------------------------------------------------------------------------===//
#include "targets/cpu/Roots.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

static llvm::AtomicOrdering orderingOf(tt::MemSemantic sem) {
  switch (sem) {
  case tt::MemSemantic::RELAXED: return llvm::AtomicOrdering::Monotonic;
  case tt::MemSemantic::ACQUIRE: return llvm::AtomicOrdering::Acquire;
  case tt::MemSemantic::RELEASE: return llvm::AtomicOrdering::Release;
  case tt::MemSemantic::ACQUIRE_RELEASE: return llvm::AtomicOrdering::AcquireRelease;
  }
  llvm_unreachable("all orders are listed");
}

static llvm::AtomicRMWInst::BinOp operationOf(tt::RMWOp op) {
  switch (op) {
  case tt::RMWOp::AND: return llvm::AtomicRMWInst::And;
  case tt::RMWOp::OR: return llvm::AtomicRMWInst::Or;
  case tt::RMWOp::XOR: return llvm::AtomicRMWInst::Xor;
  case tt::RMWOp::ADD: return llvm::AtomicRMWInst::Add;
  case tt::RMWOp::FADD: return llvm::AtomicRMWInst::FAdd;
  case tt::RMWOp::MAX: return llvm::AtomicRMWInst::Max;
  case tt::RMWOp::MIN: return llvm::AtomicRMWInst::Min;
  case tt::RMWOp::UMAX: return llvm::AtomicRMWInst::UMax;
  case tt::RMWOp::UMIN: return llvm::AtomicRMWInst::UMin;
  case tt::RMWOp::XCHG: return llvm::AtomicRMWInst::Xchg;
  }
  llvm_unreachable("all operations are listed");
}

namespace {

class AtomicEmitter : RootParts {
public:
  AtomicEmitter(const RootParts &parts, Operation *op) : RootParts(parts), op(op) {}
  void run();

private:
  llvm::Value *emitAt(const Chunk &c);
  llvm::Value *addHalfAtomically(llvm::Value *ptr, llvm::Value *value, Type element, llvm::AtomicOrdering ordering);

  Operation *op;
};

} // namespace

/// Adds 16-bit floats with a compare-and-swap loop, because no processor adds them in memory.
llvm::Value *AtomicEmitter::addHalfAtomically(llvm::Value *ptr, llvm::Value *value, Type element,
                                              llvm::AtomicOrdering ordering) {
  Type wide = Float32Type::get(element.getContext());
  auto widen = [&](llvm::Value *v) { return elementwise.convertFloat(v, element, wide); };
  llvm::Value *addend = widen(value);
  llvm::Value *start = b.CreateAlignedLoad(b.getInt16Ty(), ptr, llvm::Align(2));
  cast<llvm::LoadInst>(start)->setAtomic(llvm::AtomicOrdering::Monotonic);
  llvm::BasicBlock *before = b.GetInsertBlock(), *retry = ctx.newBlock("atomic"), *after = ctx.newBlock("atomic.end");
  b.CreateBr(retry);
  b.SetInsertPoint(retry);
  llvm::PHINode *seen = b.CreatePHI(b.getInt16Ty(), 2);
  seen->addIncoming(start, before);
  llvm::Value *sum = elementwise.convertFloat(b.CreateFAdd(widen(seen), addend), wide, element);
  llvm::Value *result =
      b.CreateAtomicCmpXchg(ptr, seen, sum, llvm::Align(2), ordering, llvm::AtomicOrdering::Monotonic);
  llvm::Value *now = b.CreateExtractValue(result, 0);
  seen->addIncoming(now, b.GetInsertBlock());
  b.CreateCondBr(b.CreateExtractValue(result, 1), after, retry);
  b.SetInsertPoint(after);
  return now;
}

/// Returns the old value in memory, or zero where the access is masked off.
llvm::Value *AtomicEmitter::emitAt(const Chunk &c) {
  if (auto cas = dyn_cast<tt::AtomicCASOp>(op)) {
    llvm::Value *expected = vec(cas.getCmp(), c), *desired = vec(cas.getVal(), c);
    llvm::Type *type = expected->getType(), *bits = b.getIntNTy(ctx.module.getDataLayout().getTypeSizeInBits(type));
    auto asBits = [&](llvm::Value *v) {
      return type->isPointerTy() ? b.CreatePtrToInt(v, bits) : b.CreateBitCast(v, bits);
    };
    llvm::AtomicOrdering ordering = orderingOf(cas.getSem());
    llvm::Value *result = b.CreateAtomicCmpXchg(vec(cas.getPtr(), c), asBits(expected), asBits(desired),
                                                llvm::Align(bits->getIntegerBitWidth() / 8), ordering,
                                                llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(ordering));
    llvm::Value *was = b.CreateExtractValue(result, 0);
    return type->isPointerTy() ? b.CreateIntToPtr(was, type) : b.CreateBitCast(was, type);
  }
  auto rmw = cast<tt::AtomicRMWOp>(op);
  Type element = getElementTypeOrSelf(rmw.getVal());
  llvm::Value *value = vec(rmw.getVal(), c), *ptr = vec(rmw.getPtr(), c);
  llvm::Value *mask = rmw.getMask() ? vec(rmw.getMask(), c) : b.getTrue();
  bool always = isTrue(mask);
  // A masked-off access goes to a dummy location, as in loads and stores.
  if (!always)
    ptr = b.CreateSelect(mask, ptr, ctx.dummy);
  llvm::AtomicOrdering ordering = orderingOf(rmw.getSem());
  llvm::Value *was = element.isF16() || element.isBF16()
                         ? addHalfAtomically(ptr, value, element, ordering)
                         : b.CreateAtomicRMW(operationOf(rmw.getAtomicRmwOp()), ptr, value,
                                             llvm::Align(ctx.storageBytes(element)), ordering);
  return always ? was : b.CreateSelect(mask, was, llvm::Constant::getNullValue(was->getType()));
}

void AtomicEmitter::run() {
  Value result = op->getResult(0), ptr = op->getOperand(0);
  if (!isTile(ptr)) {
    ctx.setScalar(result, emitAt(Chunk()));
    return;
  }
  bool wanted = !result.use_empty();
  Buffer buffer = wanted ? buffers.destinationOf(result) : Buffer();
  SmallVector<Value> demands(op->getOperands());
  nests.emit({op, tileType(ptr).getShape(), demands, /*vecDim=*/-1, [&](const Chunk &c) {
                llvm::Value *was = emitAt(c);
                if (wanted)
                  buffers.write(buffer, c, was);
              }});
  if (wanted)
    buffers.set(result, buffer);
}

void cpu::emitAtomic(const RootParts &parts, Operation *op) { AtomicEmitter(parts, op).run(); }
