//===- Buffers.cpp - tiles in memory ------------------------------------------------------------------------------===//
//
// This file implements scratch memory for tiles, and the access to their elements.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Buffers.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

SmallVector<int64_t, 4> Buffer::getStrides() const {
  if (!strides.empty())
    return strides;
  SmallVector<int64_t, 4> rowMajor(type.getRank(), 1);
  for (int64_t d = type.getRank() - 1; d > 0; --d)
    rowMajor[d - 1] = rowMajor[d] * type.getDimSize(d);
  return rowMajor;
}

//===--- scratch memory -------------------------------------------------------------------------------------------===//

llvm::Value *Buffers::allocateBytes(uint64_t bytes) {
  bytes = llvm::alignTo(bytes, 64);
  auto fits = llvm::find_if(freed, [&](const Extent &e) { return e.bytes == bytes; });
  Extent extent = fits != freed.end() ? *fits : Extent{top, bytes};
  if (fits != freed.end())
    freed.erase(fits);
  else
    top += bytes;
  size = std::max(size, top);
  llvm::Value *address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), ctx.getScratch(), extent.offset);
  extents[address] = extent;
  return address;
}

Buffer Buffers::allocate(RankedTensorType type) {
  if (type.getNumElements() > Isa::vectorsAtOnce * ctx.target.lanes())
    return {allocateBytes(type.getNumElements() * ctx.storageBytes(type.getElementType())), type};
  llvm::BasicBlock &entry = ctx.fn->getEntryBlock();
  llvm::IRBuilder<> atEntry(&entry, entry.begin());
  auto *array = llvm::ArrayType::get(ctx.storageType(type.getElementType()), type.getNumElements());
  llvm::AllocaInst *memory = atEntry.CreateAlloca(array, nullptr, "tile");
  memory->setAlignment(llvm::Align(64));
  return {memory, type};
}

Buffer Buffers::destinationOf(Value tile) {
  if (llvm::Value *target = destinations.lookup(tile))
    return {target, tileType(tile)};
  return allocate(tileType(tile));
}

void Buffers::freeAfter(Operation *op) {
  // Free values that own their buffer. A value does not if its consumer has chosen the buffer, or if it is a reshape.
  auto note = [&](Value v) {
    Operation *def = v.getDefiningOp();
    Buffer buffer = lookup(v);
    if (!buffer.ptr || destinations.contains(v) || !extents.contains(buffer.ptr))
      return;
    if (auto reshape = dyn_cast<tt::ReshapeOp>(def); reshape && lookup(reshape.getSrc()).ptr == buffer.ptr)
      return;
    if (Operation *last = ctx.schedule.findLastReader(def))
      freedAfter[last].push_back(buffer.ptr);
  };
  if (isFormula(op) || isa<tt::LayoutTransform, tt::ReduceOp, tt::DotOp, tt::HistogramOp>(op))
    for (Value result : op->getResults())
      if (isTile(result) && contains(result))
        note(result);
  for (Value output : ctx.schedule.sideOutputs(op))
    note(output);
  for (llvm::Value *address : freedAfter.lookup(op)) {
    freed.push_back(extents.lookup(address));
    freedAddresses.insert(address);
  }
  freedAfter.erase(op);
}

//===--- elements -------------------------------------------------------------------------------------------------===//

/// Returns the distance, in elements of the buffer, between adjacent lanes of the chunk.
static int64_t distanceOfLanes(const Buffer &buffer, const Chunk &c) {
  return c.isVector() ? buffer.getStride(c.vecDim) : 1;
}

llvm::Value *Buffers::addressOf(const Buffer &buffer, const Chunk &c) {
  llvm::Value *offset = nullptr;
  SmallVector<int64_t, 4> strides = buffer.getStrides();
  for (int d = buffer.type.getRank() - 1; d >= 0; --d)
    if (buffer.type.getDimSize(d) != 1) {
      llvm::Value *term = b.CreateMul(c.index[d], ctx.index(strides[d]));
      offset = offset ? b.CreateAdd(offset, term) : term;
    }
  return offset ? b.CreateInBoundsGEP(ctx.storageType(buffer.type.getElementType()), buffer.ptr, offset) : buffer.ptr;
}

llvm::Value *Buffers::read(const Buffer &buffer, const Chunk &c) {
  Type element = buffer.type.getElementType();
  llvm::Type *storage = ctx.storageType(element);
  unsigned bytes = ctx.storageBytes(element);
  int64_t distance = distanceOfLanes(buffer, c);
  llvm::Value *address = addressOf(buffer, c), *v;
  if (distance == 1) {
    // Sizes are powers of two and buffers are aligned, so chunks are aligned too.
    llvm::Align align(std::min(64u, bytes * c.lanes));
    v = b.CreateAlignedLoad(ctx.vectorType(storage, c), address, align);
  } else {
    v = loadVector(storage, {Lane::Strided, address, ctx.index(distance * bytes)}, c.lanes, bytes);
  }
  return element.isInteger(1) ? b.CreateTrunc(v, ctx.vectorType(b.getInt1Ty(), c)) : v;
}

void Buffers::write(const Buffer &buffer, const Chunk &c, llvm::Value *value) {
  Type element = buffer.type.getElementType();
  llvm::Type *storage = ctx.storageType(element);
  unsigned bytes = ctx.storageBytes(element);
  if (element.isInteger(1))
    value = b.CreateZExt(value, ctx.vectorType(storage, c));
  int64_t distance = distanceOfLanes(buffer, c);
  llvm::Value *address = addressOf(buffer, c);
  if (distance == 1) {
    b.CreateAlignedStore(value, address, llvm::Align(std::min(64u, bytes * c.lanes)));
    return;
  }
  for (unsigned k = 0; k < c.lanes; ++k)
    b.CreateAlignedStore(b.CreateExtractElement(value, k), b.CreateConstInBoundsGEP1_64(storage, address, k * distance),
                         llvm::Align(bytes));
}

llvm::Value *Buffers::loadVector(llvm::Type *storage, const Lane &ptr, unsigned lanes, unsigned bytes,
                                 llvm::Value *mask, llvm::Value *other) {
  auto *type = llvm::FixedVectorType::get(storage, lanes);
  llvm::Align align(bytes);
  if (!other)
    other = llvm::Constant::getNullValue(type);
  if (ptr.isContiguous(bytes))
    return mask ? static_cast<llvm::Value *>(b.CreateMaskedLoad(type, ptr.value, align, mask, other))
                : b.CreateAlignedLoad(type, ptr.value, align);

  auto addresses = [&]() -> llvm::Value * {
    if (ptr.kind == Lane::Vector)
      return ptr.value;
    if (ptr.kind == Lane::Uniform)
      return ctx.splat(ptr.value, lanes);
    SmallVector<llvm::Constant *> counts;
    for (unsigned k = 0; k < lanes; ++k)
      counts.push_back(ctx.index(k));
    return b.CreateGEP(b.getInt8Ty(), ptr.value,
                       b.CreateMul(llvm::ConstantVector::get(counts), ctx.splat(ptr.stride, lanes)));
  };
  if (mask)
    return b.CreateMaskedGather(type, addresses(), align, mask, other);
  // Load one element at a time. This is as fast as a gather on most processors, and not slower on the others.
  llvm::Value *result = llvm::PoisonValue::get(type), *all = ptr.kind == Lane::Strided ? nullptr : addresses();
  for (unsigned k = 0; k < lanes; ++k) {
    llvm::Value *address = all ? b.CreateExtractElement(all, k)
                               : b.CreateGEP(b.getInt8Ty(), ptr.value, b.CreateMul(ptr.stride, ctx.index(k)));
    result = b.CreateInsertElement(result, b.CreateAlignedLoad(storage, address, align), k);
  }
  return result;
}
