//===- Streams.cpp - non-temporal stores -------------------------------------------------------------------------===//
//
// For each row, nests of stores query whether to use non-temporal stores.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Streams.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

/// Returns true if the store writes a block that belongs to the program alone, once per element. Data that a loop
/// stores again should stay in the cache. Non-temporal stores are ordered only when the programs of a thread have
/// ended, so no other program may wait for such a store.
bool Streams::isCandidate(tt::StoreOp store) {
  auto func = dyn_cast<tt::FuncOp>(store->getParentOp());
  if (!ctx.target.isX86() || !func || !func.getBody().hasOneBlock() || !dependsOnProgram(store.getPtr()))
    return false;
  if (!isOrdered)
    isOrdered = func.walk([](Operation *op) {
                      auto load = dyn_cast<tt::LoadOp>(op);
                      bool orders =
                          isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::CallOp>(op) || (load && load.getIsVolatile());
                      return orders ? WalkResult::interrupt() : WalkResult::advance();
                    })
                    .wasInterrupted();
  return !*isOrdered;
}

/// Returns the number of bytes that a program loads and stores outside of loops and that no other program accesses,
/// assuming that no element is masked off.
int64_t Streams::bytesOfProgram(Block &block) {
  int64_t sum = 0;
  for (Operation &op : block) {
    if (!isa<tt::LoadOp, tt::StoreOp>(op) || !isTile(op.getOperand(0)) || !dependsOnProgram(op.getOperand(0)) ||
        ctx.schedule.getTwins().isSecond(&op))
      continue;
    auto pointers = tileType(op.getOperand(0));
    auto pointee = cast<tt::PointerType>(pointers.getElementType()).getPointeeType();
    sum += pointers.getNumElements() * ctx.storageBytes(pointee);
  }
  return sum;
}

void Streams::askLaunch() {
  if (programs)
    return;
  llvm::IRBuilder<>::InsertPointGuard guard(b);
  llvm::BasicBlock &entry = ctx.fn->getEntryBlock();
  b.SetInsertPoint(&entry, entry.begin());
  b.SetCurrentDebugLocation({});
  llvm::Type *i64 = b.getInt64Ty();
  programs = b.CreateZExt(ctx.loadNumPrograms(0), i64);
  for (unsigned axis : {1u, 2u})
    programs = b.CreateMul(programs, b.CreateZExt(ctx.loadNumPrograms(axis), i64));
  // Without a runtime, this variable does not exist, and no launch is large.
  static constexpr const char *name = "__tilecc_cpu_stream_bytes";
  llvm::GlobalVariable *known = ctx.module.getNamedGlobal(name);
  if (!known)
    known = new llvm::GlobalVariable(ctx.module, i64, false, llvm::GlobalValue::ExternalWeakLinkage, nullptr, name);
  llvm::GlobalVariable *none = ctx.module.getNamedGlobal("no.limit");
  if (!none)
    none = new llvm::GlobalVariable(ctx.module, i64, true, llvm::GlobalValue::PrivateLinkage, b.getInt64(~0ull),
                                    "no.limit");
  most = b.CreateLoad(i64, b.CreateSelect(b.CreateIsNull(known), none, known));
}

llvm::Value *Streams::isLarge(Block &block, int64_t size, llvm::Value *count, unsigned part) {
  if (!bytes)
    bytes = bytesOfProgram(block);
  askLaunch();
  llvm::Value *eachLane = b.CreateMul(programs, ctx.index(*bytes * part / size));
  return b.CreateICmpUGE(b.CreateMul(eachLane, count), most);
}

llvm::Value *Streams::isStreamed(tt::StoreOp store, const Chunk &start, int64_t size, llvm::Value *leading) {
  unsigned elementBytes = ctx.storageBytes(getElementTypeOrSelf(store.getValue()));
  if (!isCandidate(store))
    return nullptr;
  Lane to = evaluator.eval(store.getPtr(), start);
  if (!to.isContiguous(elementBytes))
    return nullptr;
  llvm::Value *place = b.CreatePtrToInt(to.value, b.getInt64Ty());
  llvm::Value *isAligned = b.CreateIsNull(b.CreateAnd(place, ctx.index(ctx.target.vectorBytes - 1)));
  llvm::Value *result = b.CreateAnd(isLarge(*store->getBlock(), size, leading), isAligned);
  // Lines that are loaded and then overwritten are already in the cache.
  llvm::DenseSet<Value> seen;
  evaluator.findLoads(store.getValue(), start, seen, [&](Value from, const Chunk &at) {
    if (!at.isVector() || !ctx.schedule.getAffine().isAffine(from))
      return;
    Lane lane = evaluator.eval(from, at);
    if (lane.isContiguous(elementBytes))
      result = b.CreateAnd(result, b.CreateICmpNE(lane.value, to.value));
  });
  return result;
}
