//===- EmitMemory.cpp - loads, stores and gathers -----------------------------------------------------------------===//
//
// Vectors where elements are neighbours, single elements otherwise, under masks; and the fusion of loads into the nests of
// stores.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/cpu/Emitter.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

/// The mask at a chunk, in its cheapest form; all true without one.
Lane KernelEmitter::maskLane(Value mask, const Chunk &c) { return mask ? eval(mask, c) : Lane{Lane::Uniform, b.getTrue()}; }

static constexpr unsigned lineBytes = 64; // of a cache line, on all processors that matter

static bool isTrue(llvm::Value *v) {
  auto *constant = dyn_cast<llvm::Constant>(v);
  return constant && constant->isAllOnesValue();
}

// A nest that computes much leaves the memory idle. It can ask, into the second-level cache, for what comes next: the next program's part of an array
// (most likely the one behind this tile), and the lines that a store will write what is computed here. The processor's
// own prefetchers stop at the end of a page and have to learn each row anew.

/// Prefetches the lines of a one-dimensional tile at a chunk, `distance` bytes on.
void KernelEmitter::prefetch(Value ptrs, const Chunk &c, int64_t distance, bool write) {
  auto pointee = cast<tt::PointerType>(tileType(ptrs).getElementType()).getPointeeType();
  unsigned bytes = storageBytes(pointee);
  Lane ptr = eval(ptrs, c);
  auto *step = dyn_cast_or_null<llvm::ConstantInt>(ptr.kind == Lane::Strided ? ptr.stride : nullptr);
  if (!step || !step->equalsInt(bytes) || c.lanes * bytes < lineBytes)
    return; // a chunk of less than a line would ask for each line several times
  for (unsigned offset = 0; offset < c.lanes * bytes; offset += lineBytes)
    b.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.getPtrTy()},
                      {b.CreateConstGEP1_64(b.getInt8Ty(), ptr.value, distance + offset), b.getInt32(write),
                       b.getInt32(2), b.getInt32(1)});
}

/// The addresses worth asking for while the nest of `root` computes.
void KernelEmitter::choosePrefetches(Operation *root, ArrayRef<Value> demands) {
  prefetches.clear();
  if (llvm::none_of(demands, [&](Value v) { return schedule.isExpensive(v); }))
    return;
  auto consider = [&](Value ptrs, bool write) {
    if (!isTile(ptrs) || tileType(ptrs).getRank() != 1 || !schedule.getAffine().isAffine(ptrs))
      return;
    auto pointee = cast<tt::PointerType>(tileType(ptrs).getElementType()).getPointeeType();
    prefetches.push_back({ptrs, write ? 0 : tileType(ptrs).getNumElements() * storageBytes(pointee), write});
  };
  llvm::DenseSet<Value> seen;
  Chunk first = firstChunk(tileType(demands.front()).getShape(), -1);
  for (Value v : demands)
    findAccesses(v, first, seen, [&](Value ptrs, const Chunk &) { consider(ptrs, false); });
  for (Operation *next = root->getNextNode(); next && !schedule.byproducts(root).empty(); next = next->getNextNode())
    if (auto store = dyn_cast<tt::StoreOp>(next))
      if (store.getPtr().getDefiningOp() && isEvaluable(store.getPtr()) &&
          isTile(store.getPtr()) && tileType(store.getPtr()).getShape() ==
              tileType(demands.front()).getShape())
        consider(store.getPtr(), true);
}

/// Whether all scalars that a formula needs have been computed already.
bool KernelEmitter::isEvaluable(Value v) {
  if (!isTile(v))
    return scalars.contains(v);
  Operation *op = v.getDefiningOp();
  return buffers.contains(v) ||
         (op && isFormula(op) && llvm::all_of(op->getOperands(), [&](Value operand) { return isEvaluable(operand); }));
}

/// Elements through a tile of addresses, as a vector. No mask: all; `other` where the mask is false.
llvm::Value *KernelEmitter::loadVector(llvm::Type *storage, const Lane &ptr, llvm::Value *mask, llvm::Value *other,
                                       unsigned lanes, unsigned bytes) {
  auto *type = llvm::FixedVectorType::get(storage, lanes);
  llvm::Align align(bytes);
  if (!other)
    other = llvm::Constant::getNullValue(type);
  auto *step = dyn_cast_or_null<llvm::ConstantInt>(ptr.kind == Lane::Strided ? ptr.stride : nullptr);
  if (step && step->equalsInt(bytes))
    return mask ? static_cast<llvm::Value *>(b.CreateMaskedLoad(type, ptr.value, align, mask, other))
                : b.CreateAlignedLoad(type, ptr.value, align);

  auto addresses = [&]() -> llvm::Value * {
    if (ptr.kind == Lane::Vector)
      return ptr.value;
    if (ptr.kind == Lane::Uniform)
      return splat(ptr.value, lanes);
    SmallVector<llvm::Constant *> counts;
    for (unsigned k = 0; k < lanes; ++k)
      counts.push_back(index(k));
    return b.CreateGEP(b.getInt8Ty(), ptr.value,
                       b.CreateMul(llvm::ConstantVector::get(counts), splat(ptr.stride, lanes)));
  };
  if (mask)
    return b.CreateMaskedGather(type, addresses(), align, mask, other);
  // One by one: as fast as a gather on most processors, and no slower on the others.
  llvm::Value *result = llvm::PoisonValue::get(type), *all = ptr.kind == Lane::Strided ? nullptr : addresses();
  for (unsigned k = 0; k < lanes; ++k) {
    llvm::Value *address = all ? b.CreateExtractElement(all, k)
                               : b.CreateGEP(b.getInt8Ty(), ptr.value, b.CreateMul(ptr.stride, index(k)));
    result = b.CreateInsertElement(result, b.CreateAlignedLoad(storage, address, align), k);
  }
  return result;
}

Lane KernelEmitter::emitLoad(tt::LoadOp op, const Chunk &c) {
  Type element = getElementTypeOrSelf(op.getType());
  llvm::Type *storage = storageType(element);
  unsigned bytes = storageBytes(element);
  bool isBool = element.isInteger(1);
  auto store2reg = [&](llvm::Value *v) {
    return isBool ? b.CreateICmpNE(v, llvm::Constant::getNullValue(v->getType())) : v;
  };
  Lane ptr = eval(op.getPtr(), c);
  Lane mask = maskLane(op.getMask(), c);
  Lane other = op.getOther() ? eval(op.getOther(), c)
                             : Lane{Lane::Uniform, llvm::Constant::getNullValue(registerType(element))};

  if (ptr.kind == Lane::Uniform && mask.kind == Lane::Uniform && other.kind == Lane::Uniform) {
    // A masked-off access goes to a place of our own: no branch in the middle of a formula.
    bool all = isTrue(mask.value);
    llvm::Value *address = all ? ptr.value : b.CreateSelect(mask.value, ptr.value, dummy);
    llvm::LoadInst *loaded = b.CreateAlignedLoad(storage, address, llvm::Align(bytes), op.getIsVolatile());
    llvm::Value *v = store2reg(loaded);
    return {Lane::Uniform, all ? v : b.CreateSelect(mask.value, v, other.value)};
  }
  llvm::Value *maskVector = isTrue(mask.value) ? nullptr : mask.kind == Lane::Vector ? mask.value : splat(mask.value, c.lanes);
  llvm::Value *otherVector = nullptr;
  if (maskVector) {
    otherVector = op.getOther() ? vec(op.getOther(), c) : splat(other.value, c.lanes);
    if (isBool)
      otherVector = b.CreateZExt(otherVector, llvm::FixedVectorType::get(storage, c.lanes));
  }
  return {Lane::Vector, store2reg(loadVector(storage, ptr, maskVector, otherVector, c.lanes, bytes))};
}

void KernelEmitter::emitStore(tt::StoreOp op, const Chunk &c) {
  Type element = getElementTypeOrSelf(op.getValue());
  llvm::Type *storage = storageType(element);
  unsigned bytes = storageBytes(element);
  llvm::Align align(bytes);
  Lane ptr = eval(op.getPtr(), c);
  Lane mask = maskLane(op.getMask(), c);
  llvm::Value *value = vec(op.getValue(), c);
  if (element.isInteger(1))
    value = b.CreateZExt(value, vectorType(storage, c));

  if (!c.isVector()) {
    llvm::Value *address = isTrue(mask.value) ? ptr.value : b.CreateSelect(mask.value, ptr.value, dummy);
    b.CreateAlignedStore(value, address, align);
    return;
  }
  auto *step = dyn_cast_or_null<llvm::ConstantInt>(ptr.kind == Lane::Strided ? ptr.stride : nullptr);
  bool contiguous = step && step->equalsInt(bytes);
  if (contiguous && isTrue(mask.value)) {
    b.CreateAlignedStore(value, ptr.value, align);
    return;
  }
  llvm::Value *maskVector = mask.kind == Lane::Vector ? mask.value : splat(mask.value, c.lanes);
  if (contiguous)
    b.CreateMaskedStore(value, ptr.value, align, maskVector);
  else
    b.CreateMaskedScatter(value, vec(op.getPtr(), c), align, maskVector);
}
