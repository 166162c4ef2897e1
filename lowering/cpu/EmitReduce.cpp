//===- EmitReduce.cpp - reductions --------------------------------------------------------------------------------===//
//
// Along rows as vectors of partial results, across rows element by element; well-known combiners keep several of them
// independent. Scans share the loops (EmitScan.cpp).
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/cpu/Emitter.h"
#include "lowering/dialects/tt/Combiners.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

bool cpu::isVectorizable(Region &region) {
  return llvm::all_of(region.front().without_terminator(), [](Operation &inner) { return isFormula(&inner); });
}

KernelEmitter::Values KernelEmitter::applyRegion(Region &region, ArrayRef<llvm::Value *> args) {
  Block &block = region.front();
  auto *vector = dyn_cast<llvm::FixedVectorType>(args.front()->getType());
  if (!isVectorizable(region)) {
    ScopeGuard scope(*this);
    for (auto [arg, value] : llvm::zip_equal(block.getArguments(), args))
      scalars[arg] = value;
    for (Operation &inner : block.without_terminator())
      emitOp(inner);
    return llvm::map_to_vector<4>(block.getTerminator()->getOperands(), [&](Value v) { return scalar(v); });
  }
  llvm::DenseMap<Value, llvm::Value *> values;
  for (auto [arg, value] : llvm::zip_equal(block.getArguments(), args))
    values[arg] = value;
  auto lookup = [&](Value v) {
    if (llvm::Value *known = values.lookup(v))
      return known;
    llvm::Value *outer = scalar(v);
    return vector ? splat(outer, vector->getNumElements()) : outer;
  };
  for (Operation &inner : block.without_terminator()) {
    llvm::Value *result = emitElementwise(&inner, llvm::map_to_vector<4>(inner.getOperands(), lookup));
    if (vector && !result->getType()->isVectorTy()) // constants
      result = splat(result, vector->getNumElements());
    values[inner.getResult(0)] = result;
  }
  return llvm::map_to_vector<4>(block.getTerminator()->getOperands(), lookup);
}

KernelEmitter::Values KernelEmitter::combine(Region &combiner, ArrayRef<llvm::Value *> lhs, ArrayRef<llvm::Value *> rhs) {
  Values args(lhs);
  args.append(rhs.begin(), rhs.end());
  return applyRegion(combiner, args);
}

/// What leaves the other operand of a well-known combiner as it is; null for all others.
llvm::Constant *KernelEmitter::identityOf(tt::ReduceOp op) {
  Operation *combiner = op.getSrcs().size() == 1 ? op.getSingleCombiner() : nullptr;
  if (!combiner)
    return nullptr;
  Type element = getElementTypeOrSelf(op.getSrcs().front());
  llvm::Type *type = registerType(element);
  if (isa<FloatType>(element) && !element.isF32() && !element.isF64())
    return nullptr;
  TypedAttr neutral = tt::getNeutralElement(combiner);
  if (auto integer = dyn_cast_or_null<IntegerAttr>(neutral))
    return llvm::ConstantInt::get(type, integer.getValue());
  auto number = dyn_cast_or_null<FloatAttr>(neutral);
  return number ? llvm::ConstantFP::get(type, number.getValue()) : nullptr;
}

KernelEmitter::Values KernelEmitter::reduceLanes(Combiner combiner, Values values, unsigned lanes) {
  unsigned have = cast<llvm::FixedVectorType>(values.front()->getType())->getNumElements();
  for (unsigned half = have / 2; half >= lanes; half /= 2) {
    auto pick = [&](unsigned first) {
      auto mask = llvm::to_vector(llvm::seq<int>(first, first + half));
      return llvm::map_to_vector<4>(values, [&](llvm::Value *v) { return b.CreateShuffleVector(v, mask); });
    };
    values = combiner(pick(0), pick(half));
  }
  return values;
}

/// Reduces one row along the vector dimension: first to a vector of partial results, then to a scalar.
KernelEmitter::Values KernelEmitter::reduceRow(tt::ReduceOp op, const Chunk &row, int64_t size, llvm::Constant *identity,
                                               Combiner combiner) {
  SmallVector<Value> demands(op.getSrcs());
  auto body = [&](const Chunk &c, ArrayRef<llvm::Value *> sums) {
    Values values = llvm::map_to_vector<4>(op.getSrcs(), [&](Value src) { return vec(src, c); });
    writeRiders(op, c);
    return sums.empty() ? values : combiner(sums, values);
  };
  Chunk wide = row;
  wide.lanes = wideLanes(row, size);
  wide.index[row.vecDim] = index(0);
  Values partial;
  if (identity) {
    partial = vectorLoop(row, size, op, demands, {splat(identity, wide.lanes)}, body,
                         [&](ArrayRef<llvm::Value *> v) { return reduceLanes(combiner, Values(v), row.lanes); });
  } else {
    // Nothing to begin with but the first elements.
    partial = body(wide, {});
    partial = loop(index(wide.lanes), index(size), wide.lanes, partial, [&](llvm::Value *i, ArrayRef<llvm::Value *> v) {
      wide.index[row.vecDim] = i;
      return body(wide, v);
    });
  }
  partial = reduceLanes(combiner, partial, 1);
  return llvm::map_to_vector<4>(partial, [&](llvm::Value *v) { return b.CreateExtractElement(v, uint64_t(0)); });
}

KernelEmitter::Values KernelEmitter::reduceRow(tt::ReduceOp op, const Chunk &row, int64_t size) {
  auto exact = [&](ArrayRef<llvm::Value *> x, ArrayRef<llvm::Value *> y) { return combine(op.getCombineOp(), x, y); };
  auto exactly = [&] { return reduceRow(op, row, size, identityOf(op), exact); };
  Operation *combiner = op.getSrcs().size() == 1 ? op.getSingleCombiner() : nullptr;
  Type element = getElementTypeOrSelf(op.getSrcs().front());
  if (!isa_and_nonnull<arith::MaxNumFOp, arith::MinNumFOp>(combiner) || !(element.isF32() || element.isF64()))
    return exactly();

  // One instruction keeps the larger number and ignores a NaN that comes in, but only if none is kept already. So it
  // begins with -inf; if that is still there in the end, there may have been nothing but NaN, which is looked at again.
  bool max = isa<arith::MaxNumFOp>(combiner);
  llvm::Constant *least = llvm::ConstantFP::getInfinity(registerType(element), /*Negative=*/max);
  auto quick = [&](ArrayRef<llvm::Value *> kept, ArrayRef<llvm::Value *> next) -> Values {
    llvm::Value *better = max ? b.CreateFCmpOGT(next[0], kept[0]) : b.CreateFCmpOLT(next[0], kept[0]);
    return {b.CreateSelect(better, next[0], kept[0])};
  };
  Values result = reduceRow(op, row, size, least, quick);
  return branch(b.CreateFCmpOEQ(result[0], least), exactly, [&] { return result; });
}

void KernelEmitter::nestAroundAxis(Shape shape, int axis, const Chunk &first,
                                   llvm::function_ref<void(const Chunk &)> body) {
  std::function<void(int, Chunk)> nest = [&](int d, Chunk c) {
    if (d == static_cast<int>(shape.size()))
      return body(c);
    if (d == axis)
      return nest(d + 1, c);
    loop(shape[d], 1, [&](llvm::Value *i) {
      c.index[d] = i;
      nest(d + 1, c);
    });
  };
  nest(0, first);
}

void KernelEmitter::nestAlongAxis(Operation *root, Shape shape, int vecDim, ArrayRef<Value> demands, int axis,
                                  int64_t begin, int64_t end, bool reverse,
                                  llvm::function_ref<void(const Chunk &)> body) {
  std::function<void(int, Chunk)> nest = [&](int d, Chunk c) {
    if (d == static_cast<int>(shape.size())) {
      if (c.isVector())
        vectorLoop(c, shape[vecDim], root, demands, body);
      else
        body(c);
      return;
    }
    if (d == vecDim || (d != axis && shape[d] == 1))
      return nest(d + 1, c);
    loop(index(d == axis ? begin : 0), index(d == axis ? end : shape[d]), 1, {},
         [&](llvm::Value *i, ArrayRef<llvm::Value *>) {
           c.index[d] = d == axis && reverse ? b.CreateSub(index(shape[d] - 1), i) : i;
           nest(d + 1, c);
           return Values();
         });
  };
  nest(0, firstChunk(shape, vecDim));
}

/// Reduces along a dimension other than the vector one: rows are combined into the results, one after another.
void KernelEmitter::reduceAcross(tt::ReduceOp op, ArrayRef<Buffer> results, int vecDim) {
  Shape shape = tileType(op.getSrcs().front()).getShape();
  int axis = op.getAxis();
  SmallVector<Value> demands(op.getSrcs());
  auto pass = [&](int64_t begin, int64_t end, bool first) {
    auto body = [&](const Chunk &c) {
      Chunk out = c;
      out.index.erase(out.index.begin() + axis);
      if (out.vecDim > axis)
        --out.vecDim;
      Values values = llvm::map_to_vector<4>(op.getSrcs(), [&](Value src) { return vec(src, c); });
      if (!first) {
        Values before = llvm::map_to_vector<4>(results, [&](const Buffer &r) { return readBuffer(r, out); });
        values = combine(op.getCombineOp(), before, values);
      }
      for (auto [buffer, value] : llvm::zip(results, values))
        writeBuffer(buffer, out, value);
      writeRiders(op, c);
    };
    nestAlongAxis(op, shape, vecDim, demands, axis, begin, end, /*reverse=*/false, body);
  };
  pass(0, 1, true);
  pass(1, shape[axis], false);
}

void KernelEmitter::emitReduce(tt::ReduceOp op) {
  auto type = tileType(op.getSrcs().front());
  Shape shape = type.getShape();
  int axis = op.getAxis();
  SmallVector<Value> demands(op.getSrcs());
  bool vectorizable = isVectorizable(op.getCombineOp());
  int vecDim = vectorizable ? chooseVecDim(shape, demands) : -1;
  Chunk first = firstChunk(shape, vecDim);
  allocateRiders(op);

  SmallVector<Buffer> results;
  for (auto [src, result] : llvm::zip(op.getSrcs(), op.getResults())) {
    if (isTile(result)) {
      results.push_back(destinationOf(result));
    } else {
      // A scalar reduced without vectors passes through memory as well.
      auto one = RankedTensorType::get({1}, result.getType());
      results.push_back(vecDim == axis ? Buffer() : allocate(one));
    }
  }
  bool toScalar = type.getRank() == 1;
  if (toScalar && vecDim == axis) {
    Values values = versioned(op, first, demands, [&] { return reduceRow(op, first, shape[axis]); });
    for (auto [result, value] : llvm::zip(op.getResults(), values))
      scalars[result] = value;
  } else if (vecDim == axis) {
    versioned(op, first, demands, [&] {
      nestAroundAxis(shape, axis, first, [&](const Chunk &c) {
        Values values = reduceRow(op, c, shape[axis]);
        Chunk out;
        out.index = c.index;
        out.index.erase(out.index.begin() + axis);
        for (auto [buffer, value] : llvm::zip(results, values))
          writeBuffer(buffer, out, value);
      });
      return Values();
    });
  } else {
    versioned(op, first, demands, [&] {
      reduceAcross(op, results, vecDim);
      return Values();
    });
    if (toScalar)
      for (auto [result, buffer] : llvm::zip(op.getResults(), results)) {
        Chunk origin;
        origin.index.push_back(index(0));
        scalars[result] = readBuffer(buffer, origin);
      }
  }
  finishRiders(op);
  if (!toScalar)
    for (auto [result, buffer] : llvm::zip(op.getResults(), results))
      buffers[result] = buffer;
}
