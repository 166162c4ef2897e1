//===- EmitMovement.cpp - reshapes, joins and concatenations ------------------------------------------------------===//
//
// Those that are no formulas: elements are written to where they belong in a buffer, or the buffer gets another name.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/cpu/Emitter.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

//===--- gather -----------------------------------------------------------------------------------------------------===//

llvm::Value *KernelEmitter::evalGather(tt::GatherOp op, const Chunk &c) {
  const Buffer source = buffers.lookup(op.getSrc());
  assert(source.ptr && "what is gathered from has a buffer");
  const int axis = op.getAxis();
  Chunk at = c;
  if (std::optional<int64_t> bits = op.getExchangedBits()) {
    // Among the lanes of a chunk low bits exchange neighbours; the others take the chunk from elsewhere.
    int64_t within = axis == c.vecDim ? *bits & (c.lanes - 1) : 0;
    at.index[axis] = b.CreateXor(c.index[axis], index(*bits - within));
    llvm::Value *elements = readBuffer(source, at);
    if (!within)
      return elements;
    SmallVector<int> lanes;
    for (unsigned k = 0; k < c.lanes; ++k)
      lanes.push_back(k ^ within);
    return b.CreateShuffleVector(elements, lanes);
  }

  // A dimension is a power of two, so that its lowest bits are a valid index whatever was given.
  auto inRange = [&](llvm::Value *i) {
    i = b.CreateAnd(i, llvm::ConstantInt::get(i->getType(), source.type.getDimSize(axis) - 1));
    return b.CreateZExtOrTrunc(i, i->getType()->isVectorTy() ? vectorType(b.getInt64Ty(), c) : b.getInt64Ty());
  };
  Lane indices = eval(op.getIndices(), c);
  if (indices.kind == Lane::Uniform && axis != c.vecDim) {
    at.index[axis] = inRange(indices.value);
    return readBuffer(source, at);
  }
  at.index[axis] = index(0);
  at.vecDim = -1;
  if (c.vecDim != axis)
    at.index[c.vecDim] = index(0);
  int64_t unused;
  llvm::Value *base = bufferAddress(source, at, unused);
  llvm::Value *offsets = b.CreateMul(inRange(vec(op.getIndices(), c)), splat(index(source.getStride(axis)), c.lanes));
  if (c.vecDim != axis) {
    SmallVector<llvm::Constant *> counts;
    for (unsigned k = 0; k < c.lanes; ++k)
      counts.push_back(index(k));
    llvm::Value *places = b.CreateAdd(splat(c.index[c.vecDim], c.lanes), llvm::ConstantVector::get(counts));
    offsets = b.CreateAdd(offsets, b.CreateMul(places, splat(index(source.getStride(c.vecDim)), c.lanes)));
  }
  Type element = source.type.getElementType();
  llvm::Type *storage = storageType(element);
  llvm::Value *v = loadVector(storage, {Lane::Vector, b.CreateGEP(storage, base, offsets)}, nullptr, nullptr, c.lanes,
                              storageBytes(element));
  return element.isInteger(1) ? b.CreateTrunc(v, vectorType(b.getInt1Ty(), c)) : v;
}

//===--- what is written to where it belongs ------------------------------------------------------------------------===//

/// A reshape, a join or a concatenation. Row-major order is what a buffer has, so a reshaped buffer only changes its type.
void KernelEmitter::emitMovement(Operation *op) {
  if (findPlacer(op))
    return;
  Value result = op->getResult(0);
  if (Buffer known = isa<tt::ReshapeOp>(op) ? buffers.lookup(op->getOperand(0)) : Buffer(); known.ptr) {
    buffers[result] = {known.ptr, tileType(result)};
    return;
  }
  Buffer target = destinationOf(result);
  if (isa<tt::ReshapeOp>(op))
    place(op, op->getOperand(0), {target.ptr, tileType(op->getOperand(0))});
  else
    place(op, result, target);
  buffers[result] = target;
}

void KernelEmitter::place(Operation *root, Value v, Buffer target) {
  Operation *op = buffers.contains(v) ? nullptr : v.getDefiningOp();
  target.strides = target.getStrides();
  if (auto trans = dyn_cast_or_null<tt::TransOp>(op)) {
    Buffer inner{target.ptr, tileType(trans.getSrc()), target.strides};
    for (auto [to, from] : llvm::enumerate(trans.getOrder()))
      inner.strides[from] = target.strides[to];
    return place(root, trans.getSrc(), inner);
  }
  if (auto join = dyn_cast_or_null<tt::JoinOp>(op))
    return placeJoined(root, join, target);
  if (auto cat = dyn_cast_or_null<tt::CatOp>(op)) {
    llvm::Type *storage = storageType(target.type.getElementType());
    int64_t first = tileType(cat.getLhs()).getNumElements();
    place(root, cat.getLhs(), {target.ptr, tileType(cat.getLhs()), target.strides});
    llvm::Value *rest = b.CreateConstInBoundsGEP1_64(storage, target.ptr, first * target.strides[0]);
    return place(root, cat.getRhs(), {rest, tileType(cat.getRhs()), target.strides});
  }
  storeTile(root, v, target);
}

void KernelEmitter::placeJoined(Operation *root, tt::JoinOp op, Buffer target) {
  auto type = tileType(op.getLhs());
  llvm::Type *storage = storageType(type.getElementType());
  int64_t apart = target.strides.pop_back_val();
  Buffer left{target.ptr, type, target.strides};
  Buffer right{b.CreateConstInBoundsGEP1_64(storage, target.ptr, apart), type, target.strides};
  auto moves = [&](Value v) {
    return !buffers.contains(v) && isa_and_nonnull<tt::TransOp, tt::JoinOp, tt::CatOp>(v.getDefiningOp());
  };
  if (moves(op.getLhs()) || moves(op.getRhs())) {
    place(root, op.getLhs(), left);
    place(root, op.getRhs(), right);
    return;
  }
  emitNest({root, type.getShape(), {op.getLhs(), op.getRhs()}, -2, [&](const Chunk &c) {
              llvm::Value *x = vec(op.getLhs(), c), *y = vec(op.getRhs(), c);
              if (!c.isVector() || apart != 1 || left.getStride(c.vecDim) != 2) {
                writeBuffer(left, c, x);
                writeBuffer(right, c, y);
                return;
              }
              // Neighbours of the two are neighbours in the buffer, interleaved.
              SmallVector<int> interleaved;
              for (unsigned k = 0; k < c.lanes; ++k)
                interleaved.append({int(k), int(k + c.lanes)});
              int64_t stride;
              llvm::Value *address = bufferAddress(left, c, stride), *both = b.CreateShuffleVector(x, y, interleaved);
              if (type.getElementType().isInteger(1))
                both = b.CreateZExt(both, llvm::FixedVectorType::get(storage, interleaved.size()));
              b.CreateAlignedStore(both, address, llvm::Align(storageBytes(type.getElementType())));
            }});
}

//===--- histogram --------------------------------------------------------------------------------------------------===//

void KernelEmitter::emitHistogram(tt::HistogramOp op) {
  Buffer bins = destinationOf(op.getResult());
  int64_t numBins = bins.type.getNumElements();
  llvm::Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  b.CreateMemSet(bins.ptr, b.getInt8(0), numBins * sizeof(int32_t), llvm::Align(64));
  SmallVector<Value> demands(op->getOperands());
  auto count = [&](const Chunk &c) {
    llvm::Value *values = vec(op.getSrc(), c), *counted = op.getMask() ? vec(op.getMask(), c) : nullptr;
    auto lane = [&](llvm::Value *v, unsigned k) { return c.isVector() ? b.CreateExtractElement(v, k) : v; };
    for (unsigned k = 0; k < c.lanes; ++k) {
      llvm::Value *value = b.CreateSExtOrTrunc(lane(values, k), i64);
      llvm::Value *isCounted = b.CreateICmpULT(value, index(numBins));
      if (counted)
        isCounted = b.CreateAnd(isCounted, lane(counted, k));
      // No branch: what is not counted adds nothing to some bin.
      llvm::Value *bin = b.CreateInBoundsGEP(i32, bins.ptr, b.CreateAnd(value, index(numBins - 1)));
      b.CreateStore(b.CreateAdd(b.CreateLoad(i32, bin), b.CreateZExt(isCounted, i32)), bin);
    }
  };
  emitNest({op, tileType(op.getSrc()).getShape(), demands, -2, count});
  buffers[op.getResult()] = bins;
}
