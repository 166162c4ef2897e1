//===- EmitStore.cpp - stores -------------------------------------------------------------------------------------===//
//
// This file stores a vector if elements are contiguous, and scatters otherwise, under a mask.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Roots.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

static void storeElements(const RootParts &parts, tt::StoreOp op, const Chunk &c) {
  EmitContext &ctx = parts.ctx;
  llvm::IRBuilder<> &b = parts.b;
  Evaluator &evaluator = parts.evaluator;
  Type element = getElementTypeOrSelf(op.getValue());
  llvm::Type *storage = ctx.storageType(element);
  unsigned bytes = ctx.storageBytes(element);
  llvm::Align align(bytes);
  Lane ptr = evaluator.eval(op.getPtr(), c);
  Lane mask = evaluator.evalMask(op.getMask(), c);
  llvm::Value *value = evaluator.vec(op.getValue(), c);
  if (element.isInteger(1))
    value = b.CreateZExt(value, ctx.vectorType(storage, c));

  if (!c.isVector()) {
    llvm::Value *address = isTrue(mask.value) ? ptr.value : b.CreateSelect(mask.value, ptr.value, ctx.dummy);
    b.CreateAlignedStore(value, address, align);
    return;
  }
  bool contiguous = ptr.isContiguous(bytes);
  if (contiguous && isTrue(mask.value)) {
    // Store one register at a time, because LLVM would store the parts of a long vector in any order. If the parts are
    // unaligned, adjacent parts share a cache line, which is written to memory twice unless the parts are stored
    // consecutively.
    const unsigned part = std::min(c.lanes, std::max(1u, ctx.target.vectorBytes / bytes));
    const bool isStreamed = ctx.isStreaming && part * bytes == ctx.target.vectorBytes;
    for (unsigned first = 0; first < c.lanes; first += part) {
      auto lanes = llvm::to_vector(llvm::seq<int>(first, first + part));
      llvm::StoreInst *stored = b.CreateAlignedStore(part == c.lanes ? value : b.CreateShuffleVector(value, lanes),
                                                     b.CreateConstInBoundsGEP1_64(storage, ptr.value, first),
                                                     isStreamed ? llvm::Align(ctx.target.vectorBytes) : align);
      if (isStreamed)
        stored->setMetadata(llvm::LLVMContext::MD_nontemporal,
                            llvm::MDNode::get(b.getContext(), llvm::ConstantAsMetadata::get(b.getInt32(1))));
    }
    return;
  }
  llvm::Value *maskVector = mask.kind == Lane::Vector ? mask.value : ctx.splat(mask.value, c.lanes);
  if (contiguous)
    b.CreateMaskedStore(value, ptr.value, align, maskVector);
  else
    b.CreateMaskedScatter(value, evaluator.vec(op.getPtr(), c), align, maskVector);
}

void cpu::emitStore(const RootParts &parts, tt::StoreOp op) {
  SmallVector<tt::StoreOp, 2> stores = {op};
  if (Operation *twin = parts.ctx.schedule.getTwins().of(op))
    stores.push_back(cast<tt::StoreOp>(twin));
  auto storeAll = [&](const Chunk &c) {
    for (tt::StoreOp store : stores) // evaluate all values first: neither program's value depends on the other's store
      parts.vec(store.getValue(), c);
    for (tt::StoreOp store : stores)
      storeElements(parts, store, c);
  };
  if (!isTile(op.getPtr()))
    return storeAll(Chunk());
  SmallVector<Value> demands;
  for (tt::StoreOp store : stores) {
    demands.append({store.getPtr(), store.getValue()});
    if (store.getMask())
      demands.push_back(store.getMask());
  }
  parts.nests.emit({op, tileType(op.getPtr()).getShape(), demands, Nest::choose, storeAll});
}
