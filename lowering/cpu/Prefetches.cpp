//===- Prefetches.cpp - what a nest asks the cache for -----------------------------------------------------------===//
//
// Chosen for each row of a nest.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/cpu/Prefetches.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

static constexpr unsigned lineBytes = 64; // of a cache line, on all processors that matter

Prefetches::Prefetches(EmitContext &ctx, Evaluator &evaluator, Operation *root, ArrayRef<Value> demands)
    : ctx(ctx), evaluator(evaluator) {
  if (llvm::none_of(demands, [&](Value v) { return ctx.schedule.isExpensive(v); }))
    return;
  Shape shape = tileType(demands.front()).getShape();
  llvm::DenseSet<Value> seen;
  for (Value v : demands)
    evaluator.findLoads(v, ctx.firstChunk(shape, -1), seen, [&](Value ptrs, const Chunk &) { consider(ptrs, false); });
  if (ctx.schedule.sideOutputs(root).empty())
    return;
  for (Operation *next = root->getNextNode(); next; next = next->getNextNode())
    if (auto store = dyn_cast<tt::StoreOp>(next)) {
      Value ptrs = store.getPtr();
      if (ptrs.getDefiningOp() && evaluator.isEvaluable(ptrs) && isTile(ptrs) && tileType(ptrs).getShape() == shape)
        consider(ptrs, true);
    }
}

void Prefetches::consider(Value ptrs, bool write) {
  if (!isTile(ptrs) || tileType(ptrs).getRank() != 1 || !ctx.schedule.getAffine().isAffine(ptrs))
    return;
  auto pointee = cast<tt::PointerType>(tileType(ptrs).getElementType()).getPointeeType();
  chosen.push_back({ptrs, write ? 0 : tileType(ptrs).getNumElements() * ctx.storageBytes(pointee), write});
}

void Prefetches::prepare(const Chunk &start) {
  for (const Prefetch &prefetch : chosen)
    evaluator.eval(prefetch.ptrs, start);
}

void Prefetches::emit(const Chunk &c) {
  for (const Prefetch &prefetch : chosen)
    emit(prefetch, c);
}

void Prefetches::emit(const Prefetch &prefetch, const Chunk &c) {
  auto pointee = cast<tt::PointerType>(tileType(prefetch.ptrs).getElementType()).getPointeeType();
  unsigned bytes = ctx.storageBytes(pointee);
  Lane ptr = evaluator.eval(prefetch.ptrs, c);
  if (!ptr.isContiguous(bytes) || c.lanes * bytes < lineBytes)
    return; // a chunk of less than a line would ask for each line several times
  llvm::IRBuilder<> &b = ctx.b;
  for (unsigned offset = 0; offset < c.lanes * bytes; offset += lineBytes)
    b.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.getPtrTy()},
                      {b.CreateConstGEP1_64(b.getInt8Ty(), ptr.value, prefetch.distance + offset),
                       b.getInt32(prefetch.write), b.getInt32(2), b.getInt32(1)});
}
