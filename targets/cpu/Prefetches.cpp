//===- Prefetches.cpp - prefetches of a nest ---------------------------------------------------------------------===//
//
// Prefetches are chosen for each nest, and emitted in the loop over each row.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Prefetches.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

static constexpr unsigned lineBytes = 64; // cache line size of all relevant processors
static constexpr unsigned firstLevelBytes = 32 << 10;

/// Returns the number of earlier nests that load from `ptrs`.
static unsigned countReadersBefore(Operation *root, Value ptrs) {
  llvm::SetVector<Operation *> users(ptrs.user_begin(), ptrs.user_end());
  unsigned count = 0;
  for (size_t i = 0; i < users.size(); ++i) {
    Operation *user = users[i];
    if (isFormula(user))
      users.insert(user->user_begin(), user->user_end());
    else
      count += user->getBlock() == root->getBlock() && user->isBeforeInBlock(root);
  }
  return count;
}

Prefetches::Prefetches(EmitContext &ctx, Evaluator &evaluator, Operation *root, ArrayRef<Value> demands)
    : ctx(ctx), evaluator(evaluator),
      computes(llvm::any_of(demands, [&](Value v) { return ctx.schedule.isExpensive(v); })) {
  if (!root || demands.empty() || !isTile(demands.front()))
    return;
  Shape shape = tileType(demands.front()).getShape();
  llvm::DenseSet<Value> seen;
  for (Value v : demands)
    evaluator.findLoads(v, ctx.firstChunk(shape, -1), seen, [&](Value ptrs, const Chunk &) {
      if (computes || (countReadersBefore(root, ptrs) == 1 && dependsOnProgram(ptrs)))
        consider(ptrs, false);
    });
  if (!computes || ctx.schedule.sideOutputs(root).empty())
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
  int64_t size = tileType(ptrs).getNumElements() * ctx.storageBytes(pointee);
  // Data that is read again is in the first-level cache. The next row may go there, too, if both are a small part of
  // it.
  int64_t distance = write ? 0 : size * ctx.schedule.getTwins().getProgramCount();
  chosen.push_back({ptrs, distance, write, !computes && size <= firstLevelBytes / 4 ? 1u : 2u});
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
    return; // a chunk smaller than a line would prefetch each line several times
  llvm::IRBuilder<> &b = ctx.b;
  for (unsigned offset = 0; offset < c.lanes * bytes; offset += lineBytes)
    b.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.getPtrTy()},
                      {b.CreateConstGEP1_64(b.getInt8Ty(), ptr.value, prefetch.distance + offset),
                       b.getInt32(prefetch.write), b.getInt32(4 - prefetch.level), b.getInt32(1)});
}
