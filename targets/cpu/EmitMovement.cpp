//===- EmitMovement.cpp - reshapes, joins and concatenations ------------------------------------------------------===//
//
// This file emits movements that are not formulas: elements are written to their positions in a buffer, or the buffer
// is reused with another type.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Roots.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

namespace {

class MovementEmitter : RootParts {
public:
  explicit MovementEmitter(const RootParts &parts) : RootParts(parts) {}
  void run(Operation *op);

private:
  void place(Operation *root, Value v, Buffer target);
  void placeJoined(Operation *root, tt::JoinOp op, Buffer target);
};

} // namespace

/// Emits a reshape, a join or a concatenation. Buffers are row-major, so a reshaped buffer only changes its type.
void MovementEmitter::run(Operation *op) {
  if (findPlacer(op))
    return;
  Value result = op->getResult(0);
  if (Buffer known = isa<tt::ReshapeOp>(op) ? buffers.lookup(op->getOperand(0)) : Buffer(); known.ptr) {
    buffers.set(result, {known.ptr, tileType(result)});
    return;
  }
  Buffer target = buffers.destinationOf(result);
  if (isa<tt::ReshapeOp>(op))
    place(op, op->getOperand(0), {target.ptr, tileType(op->getOperand(0))});
  else
    place(op, result, target);
  buffers.set(result, target);
}

/// Evaluates `v` into `target`. If `v` is the result of an operation that only moves elements, the operands are
/// evaluated directly into their parts of the target instead.
void MovementEmitter::place(Operation *root, Value v, Buffer target) {
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
    llvm::Type *storage = ctx.storageType(target.type.getElementType());
    int64_t first = tileType(cat.getLhs()).getNumElements();
    place(root, cat.getLhs(), {target.ptr, tileType(cat.getLhs()), target.strides});
    llvm::Value *rest = b.CreateConstInBoundsGEP1_64(storage, target.ptr, first * target.strides[0]);
    return place(root, cat.getRhs(), {rest, tileType(cat.getRhs()), target.strides});
  }
  nests.storeTile(root, v, target);
}

void MovementEmitter::placeJoined(Operation *root, tt::JoinOp op, Buffer target) {
  auto type = tileType(op.getLhs());
  llvm::Type *storage = ctx.storageType(type.getElementType());
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
  auto store = [&](const Chunk &c) {
    llvm::Value *x = vec(op.getLhs(), c), *y = vec(op.getRhs(), c);
    if (!c.isVector() || apart != 1 || left.getStride(c.vecDim) != 2) {
      buffers.write(left, c, x);
      buffers.write(right, c, y);
      return;
    }
    // Adjacent elements of the two operands are interleaved in the buffer.
    SmallVector<int> interleaved;
    for (unsigned k = 0; k < c.lanes; ++k)
      interleaved.append({int(k), int(k + c.lanes)});
    llvm::Value *address = buffers.addressOf(left, c), *both = b.CreateShuffleVector(x, y, interleaved);
    if (type.getElementType().isInteger(1))
      both = b.CreateZExt(both, llvm::FixedVectorType::get(storage, interleaved.size()));
    b.CreateAlignedStore(both, address, llvm::Align(ctx.storageBytes(type.getElementType())));
  };
  nests.emit({root, type.getShape(), {op.getLhs(), op.getRhs()}, Nest::choose, store});
}

void cpu::emitMovement(const RootParts &parts, Operation *op) { MovementEmitter(parts).run(op); }
