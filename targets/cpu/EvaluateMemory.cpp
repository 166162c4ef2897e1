//===- EvaluateMemory.cpp - evaluates loads and gathers -----------------------------------------------------------===//
//
// This file loads a vector if elements are contiguous, and single elements otherwise, under masks.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Evaluator.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

Lane Evaluator::evalMask(Value mask, const Chunk &c) { return mask ? eval(mask, c) : Lane{Lane::Uniform, b.getTrue()}; }

Lane Evaluator::evalLoad(tt::LoadOp op, const Chunk &c) {
  Type element = getElementTypeOrSelf(op.getType());
  llvm::Type *storage = ctx.storageType(element);
  unsigned bytes = ctx.storageBytes(element);
  bool isBool = element.isInteger(1);
  auto toRegister = [&](llvm::Value *v) {
    return isBool ? b.CreateICmpNE(v, llvm::Constant::getNullValue(v->getType())) : v;
  };
  Lane ptr = eval(op.getPtr(), c);
  Lane mask = evalMask(op.getMask(), c);
  Lane other = op.getOther() ? eval(op.getOther(), c)
                             : Lane{Lane::Uniform, llvm::Constant::getNullValue(ctx.registerType(element))};

  if (ptr.kind == Lane::Uniform && mask.kind == Lane::Uniform && other.kind == Lane::Uniform) {
    // A masked-off access goes to a dummy location, so that a formula contains no branches.
    bool all = isTrue(mask.value);
    llvm::Value *address = all ? ptr.value : b.CreateSelect(mask.value, ptr.value, ctx.dummy);
    llvm::LoadInst *loaded = b.CreateAlignedLoad(storage, address, llvm::Align(bytes), op.getIsVolatile());
    llvm::Value *v = toRegister(loaded);
    return {Lane::Uniform, all ? v : b.CreateSelect(mask.value, v, other.value)};
  }
  llvm::Value *maskVector = nullptr, *otherVector = nullptr;
  if (!isTrue(mask.value)) {
    maskVector = mask.kind == Lane::Vector ? mask.value : ctx.splat(mask.value, c.lanes);
    otherVector = op.getOther() ? vec(op.getOther(), c) : ctx.splat(other.value, c.lanes);
    if (isBool)
      otherVector = b.CreateZExt(otherVector, llvm::FixedVectorType::get(storage, c.lanes));
  }
  return {Lane::Vector, toRegister(buffers.loadVector(storage, ptr, c.lanes, bytes, maskVector, otherVector))};
}

Lane Evaluator::evalGather(tt::GatherOp op, const Chunk &c) {
  const Buffer source = buffers.lookup(op.getSrc());
  const int axis = op.getAxis();
  auto exchangeLanes = [&](llvm::Value *v, int64_t bits) -> Lane {
    SmallVector<int> lanes;
    for (unsigned k = 0; k < c.lanes; ++k)
      lanes.push_back(k ^ bits);
    return {Lane::Vector, b.CreateShuffleVector(v, lanes)};
  };
  if (!source.ptr) {
    assert(axis == c.vecDim && *op.getExchangedBits() < c.lanes && "what is gathered from has a buffer");
    return exchangeLanes(vec(op.getSrc(), c), *op.getExchangedBits());
  }
  auto read = [&](const Chunk &at) {
    return Lane{c.isVector() ? Lane::Vector : Lane::Uniform, buffers.read(source, at)};
  };
  Chunk at = c;
  if (std::optional<int64_t> bits = op.getExchangedBits()) {
    // The bits of the XOR operand below the number of lanes permute a chunk. The other bits select another chunk.
    int64_t within = axis == c.vecDim ? *bits & (c.lanes - 1) : 0;
    at.index[axis] = b.CreateXor(c.index[axis], ctx.index(*bits - within));
    if (!within)
      return read(at);
    return exchangeLanes(buffers.read(source, at), within);
  }

  // The size of a dimension is a power of two, so the low bits of any index are a valid index.
  auto inRange = [&](llvm::Value *i) {
    i = b.CreateAnd(i, llvm::ConstantInt::get(i->getType(), source.type.getDimSize(axis) - 1));
    return b.CreateZExtOrTrunc(i, i->getType()->isVectorTy() ? ctx.vectorType(b.getInt64Ty(), c) : b.getInt64Ty());
  };
  Lane indices = eval(op.getIndices(), c);
  if (indices.kind == Lane::Uniform && axis != c.vecDim) {
    at.index[axis] = inRange(indices.value);
    return read(at);
  }
  at.index[axis] = ctx.index(0);
  at.vecDim = -1;
  if (c.vecDim != axis)
    at.index[c.vecDim] = ctx.index(0);
  llvm::Value *base = buffers.addressOf(source, at);
  llvm::Value *stride = ctx.splat(ctx.index(source.getStride(axis)), c.lanes);
  llvm::Value *offsets = b.CreateMul(inRange(vec(op.getIndices(), c)), stride);
  if (c.vecDim != axis) {
    SmallVector<llvm::Constant *> counts;
    for (unsigned k = 0; k < c.lanes; ++k)
      counts.push_back(ctx.index(k));
    llvm::Value *places = b.CreateAdd(ctx.splat(c.index[c.vecDim], c.lanes), llvm::ConstantVector::get(counts));
    offsets = b.CreateAdd(offsets, b.CreateMul(places, ctx.splat(ctx.index(source.getStride(c.vecDim)), c.lanes)));
  }
  Type element = source.type.getElementType();
  llvm::Type *storage = ctx.storageType(element);
  llvm::Value *v = buffers.loadVector(storage, {Lane::Vector, b.CreateGEP(storage, base, offsets)}, c.lanes,
                                      ctx.storageBytes(element));
  return {Lane::Vector, element.isInteger(1) ? b.CreateTrunc(v, ctx.vectorType(b.getInt1Ty(), c)) : v};
}
