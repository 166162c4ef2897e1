//===- EmitNest.cpp - loops over the elements of a tile -----------------------------------------------------------===//
//
// A root (a store, a reduction, a value that gets memory) evaluates the formulas behind it chunk by chunk; here is how its
// loops are made: which axis is a vector, what is computed ahead of a row, and what is checked so that masks can be left out.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/cpu/Emitter.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

Chunk KernelEmitter::firstChunk(Shape shape, int vecDim) {
  Chunk c;
  c.index.assign(shape.size(), index(0));
  c.vecDim = vecDim;
  if (vecDim >= 0)
    c.lanes = std::min<int64_t>(target.lanes(), shape[vecDim]);
  return c;
}

unsigned KernelEmitter::wideLanes(const Chunk &c, int64_t size) {
  return compact ? c.lanes : std::min<int64_t>(4 * c.lanes, size);
}

/// The operands of a formula that are evaluated with it, element by element; a gather's source is a buffer.
static OperandRange elementOperands(Operation *op) {
  return isa<tt::GatherOp>(op) ? op->getOperands().drop_front() : op->getOperands();
}

//===--- order and direction ----------------------------------------------------------------------------------------===//

/// Reports the addresses of all loads in a formula, with the chunks that they are evaluated at.
void KernelEmitter::findAccesses(Value v, const Chunk &c, llvm::DenseSet<Value> &seen,
                                 function_ref<void(Value, const Chunk &)> found) {
  Operation *op = v.getDefiningOp();
  if (!isTile(v) || buffers.contains(v) || !op || !isFormula(op) || !seen.insert(v).second)
    return;
  Chunk inner = operandChunk(v, c);
  if (auto load = dyn_cast<tt::LoadOp>(op))
    found(load.getPtr(), inner);
  for (Value operand : elementOperands(op))
    findAccesses(operand, inner, seen, found);
}

/// The dimension along which most memory is contiguous; the last one that is not of size one if nothing tells.
int KernelEmitter::chooseVecDim(Shape shape, ArrayRef<Value> demands) {
  SmallVector<int> candidates;
  for (int d = shape.size() - 1; d >= 0; --d)
    if (shape[d] > 1)
      candidates.push_back(d);
  if (candidates.empty())
    return -1;
  if (candidates.size() == 1)
    return candidates.front();

  ScopeGuard scope(*this); // what is computed here is only looked at
  int best = candidates.front();
  unsigned bestScore = 0;
  for (int d : candidates) {
    unsigned score = 0;
    auto count = [&](Value ptr, const Chunk &c) {
      if (!isTile(ptr) || !c.isVector() || !schedule.getAffine().isAffine(ptr))
        return;
      Lane lane = eval(ptr, c);
      auto *step = lane.kind == Lane::Strided ? dyn_cast<llvm::ConstantInt>(lane.stride) : nullptr;
      auto pointee = cast<tt::PointerType>(getElementTypeOrSelf(ptr)).getPointeeType();
      score += step && step->equalsInt(storageBytes(pointee));
    };
    llvm::DenseSet<Value> seen;
    Chunk first = firstChunk(shape, d);
    for (Value v : demands) {
      findAccesses(v, first, seen, count);
      if (isa<tt::PointerType>(getElementTypeOrSelf(v)))
        count(v, first); // where a store goes
    }
    if (score > bestScore) {
      bestScore = score;
      best = d;
    }
  }
  return best;
}

void KernelEmitter::emitLoops(const Nest &nest, int dim, Chunk c) {
  if (dim == static_cast<int>(nest.shape.size())) {
    auto body = [&](const Chunk &at) {
      nest.body(at);
      writeRiders(nest.root, at);
    };
    if (c.isVector())
      vectorLoop(c, nest.shape[c.vecDim], nest.root, nest.demands, body);
    else
      body(c);
    return;
  }
  if (dim == c.vecDim || nest.shape[dim] == 1)
    return emitLoops(nest, dim + 1, c);
  loop(nest.shape[dim], 1, [&](llvm::Value *i) {
    c.index[dim] = i;
    emitLoops(nest, dim + 1, c);
  });
}

void KernelEmitter::emitNest(const Nest &nest) {
  int vecDim = nest.vecDim == -2 ? chooseVecDim(nest.shape, nest.demands) : nest.vecDim;
  Chunk first = firstChunk(nest.shape, vecDim);
  allocateRiders(nest.root);
  versioned(nest.root, first, nest.demands, [&] {
    emitLoops(nest, 0, first);
    return Values();
  });
  finishRiders(nest.root);
}

//===--- rows: an unmasked part and a masked rest -------------------------------------------------------------------===//

struct KernelEmitter::RowInfo {
  SmallVector<std::pair<Value, Chunk>> masks; // of loads and stores, and where they are evaluated
  SmallVector<std::pair<Value, Chunk>> seen;
};

/// Looks through a formula before its row's loop: computes what is the same along the row, where addresses start, and
/// how far the masks are true.
void KernelEmitter::visitRow(Value v, const Chunk &c, RowInfo &row) {
  if (!c.isVector()) {
    eval(v, c);
    return;
  }
  Operation *op = v.getDefiningOp();
  bool unchanged = op && assumeUnchanged && isIdentityInBounds(op);
  if (!isTile(v) || !op || !isFormula(op) || (buffers.contains(v) && !unchanged) ||
      llvm::any_of(row.seen, [&](auto &other) { return other.first == v && c.isInRowOf(other.second); }))
    return;
  row.seen.push_back({v, c});
  Chunk inner = operandChunk(v, c);
  for (Value operand : elementOperands(op))
    visitRow(operand, inner, row);
  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    eval(load.getPtr(), c);
    if (load.getMask())
      row.masks.push_back({load.getMask(), c});
  }
}

/// Where a mask is true along a row, which starts at `c`.
KernelEmitter::MaskExtent KernelEmitter::maskExtent(Value mask, const Chunk &c, int64_t size) {
  auto uniform = [&](llvm::Value *all) {
    llvm::Value *count = b.CreateSelect(all, index(size), index(0));
    return MaskExtent{count, count};
  };
  Operation *op = mask.getDefiningOp();
  if (!c.isVector() || !op || buffers.contains(mask) || isa<tt::SplatOp, arith::ConstantOp>(op)) {
    Lane lane = eval(mask, c);
    return lane.kind == Lane::Uniform ? uniform(lane.value) : MaskExtent{nullptr, index(size)};
  }
  if (isMovement(op))
    return maskExtent(op->getOperand(0), operandChunk(mask, c), size);
  if (isa<arith::AndIOp>(op)) {
    MaskExtent x = maskExtent(op->getOperand(0), c, size), y = maskExtent(op->getOperand(1), c, size);
    auto least = [&](llvm::Value *v, llvm::Value *w) { return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, v, w); };
    return {x.leading && y.leading ? least(x.leading, y.leading) : nullptr, least(x.end, y.end)};
  }
  if (auto cmp = dyn_cast<arith::CmpIOp>(op)) {
    Lane lane = eval(cmp, c);
    return lane.kind == Lane::Uniform ? uniform(lane.value) : maskExtent(cmp, c, size);
  }
  return {nullptr, index(size)};
}

KernelEmitter::MaskExtent KernelEmitter::maskExtent(arith::CmpIOp cmp, const Chunk &c, int64_t size) {
  using P = arith::CmpIPredicate;
  const MaskExtent unknown = {nullptr, index(size)};

  // Bring it to the form: first + lane <predicate> bound.
  Value indexSide = cmp.getLhs(), boundSide = cmp.getRhs();
  P predicate = cmp.getPredicate();
  if (eval(boundSide, c).kind == Lane::Strided) {
    std::swap(indexSide, boundSide);
    static const std::pair<P, P> swaps[] = {{P::slt, P::sgt}, {P::sle, P::sge}, {P::ult, P::ugt}, {P::ule, P::uge}};
    for (auto [x, y] : swaps)
      if (predicate == x || predicate == y) {
        predicate = predicate == x ? y : x;
        break;
      }
  }
  Lane first = eval(indexSide, c), bound = eval(boundSide, c);
  auto *step = dyn_cast_or_null<llvm::ConstantInt>(first.kind == Lane::Strided ? first.stride : nullptr);
  if (!step || !step->isOne() || bound.kind != Lane::Uniform)
    return unknown;

  // The elements must not wrap around along the row; a widened index must not have done so before.
  bool isUnsigned = predicate == P::ult || predicate == P::ule || predicate == P::ugt || predicate == P::uge;
  auto fits = [&](llvm::Value *start) {
    unsigned bits = start->getType()->getIntegerBitWidth();
    auto last = isUnsigned ? llvm::APInt::getMaxValue(bits) : llvm::APInt::getSignedMaxValue(bits);
    llvm::Value *limit = llvm::ConstantInt::get(start->getType(), last - (size - 1));
    return isUnsigned ? b.CreateICmpULE(start, limit) : b.CreateICmpSLE(start, limit);
  };
  if (first.value->getType()->getIntegerBitWidth() < 32)
    return unknown; // the row itself may be longer than the numbers go
  llvm::Value *valid = fits(first.value);
  if (!first.exact) {
    Value source = indexSide;
    Chunk at = c;
    while (Operation *op = source.getDefiningOp()) {
      if (!isMovement(op))
        break;
      at = operandChunk(source, at);
      source = op->getOperand(0);
    }
    auto widening = source.getDefiningOp<arith::ExtSIOp>();
    Lane narrow = widening ? eval(widening.getIn(), at) : Lane();
    if (!widening || isUnsigned || narrow.kind != Lane::Strided || !narrow.exact ||
        narrow.value->getType()->getIntegerBitWidth() < 32)
      return unknown;
    valid = b.CreateAnd(valid, fits(narrow.value));
  }

  switch (predicate) {
  case P::slt:
  case P::sle:
  case P::ult:
  case P::ule: {
    auto saturating = isUnsigned ? llvm::Intrinsic::usub_sat : llvm::Intrinsic::ssub_sat;
    llvm::Value *count = b.CreateBinaryIntrinsic(saturating, bound.value, first.value);
    if (predicate == P::sle || predicate == P::ule) {
      // One more, unless there is none at all.
      llvm::Value *some = isUnsigned ? b.CreateICmpUGE(bound.value, first.value) : b.CreateICmpSGE(bound.value, first.value);
      auto plus = isUnsigned ? llvm::Intrinsic::uadd_sat : llvm::Intrinsic::sadd_sat;
      llvm::Type *type = count->getType();
      llvm::Value *more = b.CreateBinaryIntrinsic(plus, count, llvm::ConstantInt::get(type, 1));
      count = b.CreateSelect(some, more, llvm::ConstantInt::get(type, 0));
    }
    llvm::Value *most = llvm::ConstantInt::get(count->getType(), size);
    count = b.CreateBinaryIntrinsic(isUnsigned ? llvm::Intrinsic::umin : llvm::Intrinsic::smin, count, most);
    count = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, b.CreateSExt(count, b.getInt64Ty()), index(0));
    return {b.CreateSelect(valid, count, index(0)), b.CreateSelect(valid, count, index(size))};
  }
  case P::sgt:
  case P::sge:
  case P::ugt:
  case P::uge: {
    auto p = predicate == P::sgt   ? llvm::CmpInst::ICMP_SGT
             : predicate == P::sge ? llvm::CmpInst::ICMP_SGE
             : predicate == P::ugt ? llvm::CmpInst::ICMP_UGT
                                   : llvm::CmpInst::ICMP_UGE;
    llvm::Value *all = b.CreateAnd(valid, b.CreateICmp(p, first.value, bound.value));
    return {b.CreateSelect(all, index(size), index(0)), index(size)};
  }
  default:
    return unknown;
  }
}

KernelEmitter::Values
KernelEmitter::vectorLoop(Chunk c, int64_t size, Operation *root, ArrayRef<Value> demands, Values carried,
                          function_ref<Values(const Chunk &, ArrayRef<llvm::Value *>)> body,
                          function_ref<Values(ArrayRef<llvm::Value *>)> narrow) {
  c.index[c.vecDim] = index(0);
  RowInfo row;
  for (Value v : demands)
    visitRow(v, c, row);
  choosePrefetches(root, demands);
  for (const Prefetch &p : prefetches)
    eval(p.ptrs, c);
  llvm::Value *leading = index(size), *end = index(size);
  auto limitTo = [&](llvm::Value *&v, llvm::Value *limit) {
    v = v && limit ? b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, v, limit) : nullptr;
  };
  for (auto &[mask, at] : row.masks)
    limitTo(leading, maskExtent(mask, at, size).leading);
  if (auto store = dyn_cast<tt::StoreOp>(root)) {
    eval(store.getPtr(), c);
    if (store.getMask()) {
      row.masks.push_back({store.getMask(), c});
      MaskExtent extent = maskExtent(store.getMask(), c, size);
      limitTo(leading, extent.leading);
      if (schedule.byproducts(root).empty())
        end = extent.end; // nothing is stored from there on
    }
  }

  const unsigned one = c.lanes, several = wideLanes(c, size);
  llvm::Value *done = index(0);
  auto section = [&](llvm::Value *end, unsigned lanes) {
    c.lanes = lanes;
    carried = loop(done, end, lanes, carried, [&](llvm::Value *i, ArrayRef<llvm::Value *> values) {
      c.index[c.vecDim] = i;
      if (lanes > one)
        for (const Prefetch &p : prefetches)
          prefetch(p.ptrs, c, p.distance, p.write);
      return body(c, values);
    });
    done = end;
  };
  bool masked = !row.masks.empty();
  if (leading && !(compact && masked)) {
    // All masks are true here: several registers at once, then, if that is worth its code, one by one.
    size_t known = trueMasks.size();
    llvm::append_range(trueMasks, row.masks);
    section(b.CreateAnd(leading, index(-static_cast<int64_t>(several))), several);
    if (several > one) {
      carried = narrow(carried);
      if (llvm::any_of(demands, [&](Value v) { return schedule.isExpensive(v); }))
        section(b.CreateAnd(leading, index(-static_cast<int64_t>(one))), one);
    }
    trueMasks.truncate(known);
  } else {
    carried = narrow(carried);
  }
  section(end, one);
  return carried;
}

void KernelEmitter::vectorLoop(const Chunk &c, int64_t size, Operation *root, ArrayRef<Value> demands,
                               function_ref<void(const Chunk &)> body) {
  auto run = [&](const Chunk &at, ArrayRef<llvm::Value *>) {
    body(at);
    return Values();
  };
  vectorLoop(c, size, root, demands, {}, run, [](ArrayRef<llvm::Value *>) { return Values(); });
}

//===--- versions ---------------------------------------------------------------------------------------------------===//

/// The conditions under which indices of a formula may be simplified.
void KernelEmitter::collectConditions(Value v, const Chunk &c, llvm::DenseSet<Value> &seen, Values &conditions) {
  Operation *op = v.getDefiningOp();
  if (!c.isVector() || !isTile(v) || !op || !isFormula(op) || !seen.insert(v).second)
    return;
  if (isIdentityInBounds(op))
    if (llvm::Value *unchanged = affine.isUnchanged(op)) {
      conditions.push_back(unchanged);
      return;
    }
  if (buffers.contains(v))
    return;
  for (Value operand : elementOperands(op))
    collectConditions(operand, operandChunk(v, c), seen, conditions);
}

KernelEmitter::Values KernelEmitter::versioned(Operation *root, const Chunk &first, ArrayRef<Value> demands,
                                               function_ref<Values()> emit) {
  Values conditions;
  llvm::DenseSet<Value> seen;
  for (Value v : demands)
    collectConditions(v, first, seen, conditions);
  SmallVector<tt::LoadOp> fused;
  if (auto store = dyn_cast<tt::StoreOp>(root))
    for (tt::LoadOp load : schedule.fusedLoads(root))
      if (isTile(load.getPtr()) && !buffers.contains(load.getResult())) {
        fused.push_back(load);
        conditions.push_back(affine.canAlternate(load.getPtr(), store.getPtr(), schedule.keepsPlaces(load)));
      }

  auto emitWith = [&](bool unchanged) {
    llvm::SaveAndRestore saved(assumeUnchanged, unchanged);
    return emit();
  };
  if (conditions.empty())
    return emitWith(false);
  return branch(
      b.CreateAnd(conditions), [&] { return emitWith(true); },
      [&] {
        llvm::SaveAndRestore saved(compact, true);
        for (tt::LoadOp load : fused)
          materialize(load.getResult());
        Values results = emitWith(false);
        for (tt::LoadOp load : fused)
          buffers.erase(load.getResult());
        return results;
      });
}

//===--- nests that fill buffers and memory -------------------------------------------------------------------------===//

void KernelEmitter::allocateRiders(Operation *root) {
  for (Value byproduct : schedule.byproducts(root))
    byproductTargets[byproduct] = allocate(tileType(byproduct));
}

void KernelEmitter::writeRiders(Operation *root, const Chunk &c) {
  for (Value byproduct : schedule.byproducts(root))
    writeBuffer(byproductTargets[byproduct], c, vec(byproduct, c));
}

/// From here on the byproducts are read from their buffers.
void KernelEmitter::finishRiders(Operation *root) {
  for (Value byproduct : schedule.byproducts(root))
    buffers[byproduct] = byproductTargets[byproduct];
}

void KernelEmitter::storeTile(Operation *root, Value v, Buffer target) {
  // Volatile loads are not vectors to LLVM.
  auto load = v.getDefiningOp<tt::LoadOp>();
  int vecDim = load && load.getIsVolatile() && !buffers.contains(v) ? -1 : -2;
  emitNest({root, target.type.getShape(), {v}, vecDim, [&](const Chunk &c) { writeBuffer(target, c, vec(v, c)); }});
}

void KernelEmitter::materialize(Value v) {
  Buffer target = destinationOf(v);
  storeTile(v.getDefiningOp(), v, target);
  buffers[v] = target;
}

void KernelEmitter::emitStoreRoot(tt::StoreOp op) {
  if (!isTile(op.getPtr())) {
    emitStore(op, Chunk());
    return;
  }
  SmallVector<Value> demands = {op.getPtr(), op.getValue()};
  if (op.getMask())
    demands.push_back(op.getMask());
  emitNest({op, tileType(op.getPtr()).getShape(), demands, -2, [&](const Chunk &c) { emitStore(op, c); }});
}
