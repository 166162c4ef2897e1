//===- EmitReduce.cpp - reductions --------------------------------------------------------------------------------===//
//
// Along the vector dimension, this file reduces with vectors of partial results; along other dimensions, element by
// element. For well-known combiners, several independent partial results are kept. Scans use the same loops
// (EmitScan.cpp).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Roots.h"
#include "lowering/dialects/tt/Combiners.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

static constexpr int64_t maxAtOnce = 8; // elements combined in registers across rows

namespace {

class ReduceEmitter : RootParts {
public:
  /// Emits reductions that differ only in their operands: a single reduction, or the corresponding reductions of two
  /// programs.
  ReduceEmitter(const RootParts &parts, ArrayRef<tt::ReduceOp> ops) : RootParts(parts), op(ops.front()), ops(ops) {}
  void run();
  /// Returns true if the rows of all reductions can be reduced in one loop.
  bool canShareLoop();

private:
  using Combiner = llvm::function_ref<Values(ArrayRef<llvm::Value *>, ArrayRef<llvm::Value *>)>;
  Values reduceRow(const Chunk &row, int64_t size);
  Values reduceRow(const Chunk &row, int64_t size, llvm::Constant *identity, Combiner combiner);
  void reduceAcross(ArrayRef<Buffer> results, int vecDim);
  /// The constant elements of a row beyond the end of its masks, or before their beginning.
  struct Tail {
    llvm::Value *from, *before;
    llvm::Constant *element;
    llvm::SmallVector<llvm::Constant *> sideOutputs;
  };
  std::optional<Tail> findTail(tt::ReduceOp op, const Chunk &row, int64_t size);
  std::optional<Tail> findTail(const Chunk &row, int64_t size);
  /// Combines halves of the lanes until `lanes` are left.
  Values reduceLanes(Combiner combiner, Values values, unsigned lanes);
  llvm::Constant *identity();

  SmallVector<Value> sources() const;

  tt::ReduceOp op; ///< the first
  SmallVector<tt::ReduceOp, 2> ops;
  std::optional<SideOutputs> sideOutputs;
};

} // namespace

/// Returns the identity of a well-known combiner, or null for other combiners.
llvm::Constant *ReduceEmitter::identity() {
  Operation *combiner = op.getSrcs().size() == 1 ? op.getSingleCombiner() : nullptr;
  if (!combiner)
    return nullptr;
  Type element = getElementTypeOrSelf(op.getSrcs().front());
  llvm::Type *type = ctx.registerType(element);
  if (isa<FloatType>(element) && !element.isF32() && !element.isF64())
    return nullptr;
  TypedAttr neutral = tt::getNeutralElement(combiner);
  if (auto integer = dyn_cast_or_null<IntegerAttr>(neutral))
    return llvm::ConstantInt::get(type, integer.getValue());
  auto number = dyn_cast_or_null<FloatAttr>(neutral);
  return number ? llvm::ConstantFP::get(type, number.getValue()) : nullptr;
}

SmallVector<Value> ReduceEmitter::sources() const {
  SmallVector<Value> all;
  for (tt::ReduceOp each : ops)
    llvm::append_range(all, each.getSrcs());
  return all;
}

/// Returns a tail of constants that may be combined any number of times without changing the result.
std::optional<ReduceEmitter::Tail> ReduceEmitter::findTail(tt::ReduceOp op, const Chunk &row, int64_t size) {
  std::optional<RowMasks::Filling> filling = nests.fillingOf(op.getSrcs().front(), row, size);
  Operation *combiner = op.getSingleCombiner();
  bool isIdempotent = isa<arith::MaxNumFOp, arith::MinNumFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp,
                          arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp>(combiner);
  bool isSum = isa<arith::AddFOp, arith::AddIOp, arith::XOrIOp>(combiner);
  auto isZero = [](TypedAttr value) {
    auto number = dyn_cast<FloatAttr>(value);
    return number ? number.getValue().isZero() : cast<IntegerAttr>(value).getValue().isZero();
  };
  if (!filling || !(isIdempotent || (isSum && isZero(filling->value))))
    return std::nullopt;
  auto constant = [&](TypedAttr value) { return elementwise.constant(value, value.getType()); };
  Tail tail = {filling->from, filling->before, constant(filling->value), {}};
  if (!ctx.schedule.sideOutputs(op).empty())
    tail.before = nullptr;
  for (Value output : ctx.schedule.sideOutputs(op)) {
    std::optional<RowMasks::Filling> other = nests.fillingOf(output, row, size);
    if (!other)
      return std::nullopt;
    tail.from = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, tail.from, other->from);
    tail.sideOutputs.push_back(constant(other->value));
  }
  return tail;
}

/// Returns the tail that all rows have in common.
std::optional<ReduceEmitter::Tail> ReduceEmitter::findTail(const Chunk &row, int64_t size) {
  std::optional<Tail> all = findTail(op, row, size);
  for (tt::ReduceOp other : llvm::drop_begin(ops)) {
    std::optional<Tail> tail = findTail(other, row, size);
    if (!all || !tail || tail->element != all->element)
      return std::nullopt;
    all->from = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, all->from, tail->from);
    all->before = nullptr;
    llvm::append_range(all->sideOutputs, tail->sideOutputs);
  }
  return all;
}

bool ReduceEmitter::canShareLoop() {
  auto type = tileType(op.getSrcs().front());
  if (type.getRank() != 1 || !identity() || nests.chooseVecDim(type.getShape(), {op.getSrcs().front()}) != 0)
    return false;
  Loops::Scope scope(loops); // the values evaluated here are not kept
  return llvm::none_of(ops, [&](tt::ReduceOp each) {
    std::optional<Tail> tail = findTail(each, ctx.firstChunk(type.getShape(), 0), type.getDimSize(0));
    return tail && tail->before; // reads at most one element of each row, at different positions
  });
}

Values ReduceEmitter::reduceLanes(Combiner combiner, Values values, unsigned lanes) {
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

/// Reduces a row of each reduction along the vector dimension, first to a vector of partial results, then to a scalar.
Values ReduceEmitter::reduceRow(const Chunk &row, int64_t size, llvm::Constant *identity, Combiner one) {
  SmallVector<Value> demands = sources();
  // `x` and `y` hold the operands of all reductions, one reduction after another.
  auto combiner = [&](ArrayRef<llvm::Value *> x, ArrayRef<llvm::Value *> y) {
    Values all;
    for (size_t count = op.getSrcs().size(), k = 0; k < x.size(); k += count)
      llvm::append_range(all, one(x.slice(k, count), y.slice(k, count)));
    return all;
  };
  auto body = [&](const Chunk &c, ArrayRef<llvm::Value *> sums) {
    Values values = vec(demands, c);
    sideOutputs->write(c);
    return sums.empty() ? values : combiner(sums, values);
  };
  Chunk wide = row;
  wide.lanes = nests.wideLanes(row, size);
  wide.index[row.vecDim] = ctx.index(0);
  Values partial;
  if (identity) {
    Chunk at = row;
    at.index[row.vecDim] = ctx.index(0);
    std::optional<Tail> tail = findTail(at, size);
    llvm::Value *first = ctx.splat(identity, wide.lanes);
    if (tail) { // start with the element of the tail, so that nothing waits for it at the end
      llvm::Value *isThere = b.CreateICmpSLT(tail->from, ctx.index(size));
      if (tail->before)
        isThere = b.CreateOr(isThere, b.CreateICmpSGT(tail->before, ctx.index(0)));
      Values withIt = combiner({first}, {ctx.splat(tail->element, wide.lanes)});
      first = b.CreateSelect(isThere, withIt[0], first);
    }
    partial = nests.vectorLoop(
        row, size, op, demands, Values(ops.size(), first), body,
        [&](ArrayRef<llvm::Value *> v) { return reduceLanes(combiner, Values(v), row.lanes); },
        tail ? tail->from : nullptr, tail ? tail->before : nullptr);
    if (tail && !tail->sideOutputs.empty()) {
      // The loop has processed whole chunks.
      llvm::Value *rest = b.CreateAdd(tail->from, ctx.index(row.lanes - 1));
      rest = b.CreateAnd(rest, ctx.index(-static_cast<int64_t>(row.lanes)));
      loops.loop(rest, ctx.index(size), row.lanes, {}, [&](llvm::Value *i, ArrayRef<llvm::Value *>) {
        at.index[row.vecDim] = i;
        auto splat = [&](llvm::Constant *c) -> llvm::Value * { return ctx.splat(c, row.lanes); };
        sideOutputs->write(at, llvm::map_to_vector<4>(tail->sideOutputs, splat));
        return Values();
      });
    }
  } else {
    // Without an identity, start with the first elements.
    partial = body(wide, {});
    auto step = [&](llvm::Value *i, ArrayRef<llvm::Value *> v) {
      wide.index[row.vecDim] = i;
      return body(wide, v);
    };
    partial = loops.loop(ctx.index(wide.lanes), ctx.index(size), wide.lanes, partial, step);
  }
  partial = reduceLanes(combiner, partial, 1);
  return llvm::map_to_vector<4>(partial, [&](llvm::Value *v) { return b.CreateExtractElement(v, uint64_t(0)); });
}

Values ReduceEmitter::reduceRow(const Chunk &row, int64_t size) {
  auto exact = [&](ArrayRef<llvm::Value *> x, ArrayRef<llvm::Value *> y) {
    return regions.combine(op.getCombineOp(), x, y);
  };
  auto exactly = [&] { return reduceRow(row, size, identity(), exact); };
  Operation *combiner = op.getSrcs().size() == 1 ? op.getSingleCombiner() : nullptr;
  Type element = getElementTypeOrSelf(op.getSrcs().front());
  if (!isa_and_nonnull<arith::MaxNumFOp, arith::MinNumFOp>(combiner) || !(element.isF32() || element.isF64()))
    return exactly();

  // One instruction keeps the larger number. It ignores a NaN operand only if the kept value is not NaN, so start with
  // -inf. If the result is -inf, all elements may have been NaN, and the row is reduced again by the exact operation.
  bool max = isa<arith::MaxNumFOp>(combiner);
  llvm::Constant *least = llvm::ConstantFP::getInfinity(ctx.registerType(element), /*Negative=*/max);
  auto quick = [&](ArrayRef<llvm::Value *> kept, ArrayRef<llvm::Value *> next) -> Values {
    llvm::Value *better = max ? b.CreateFCmpOGT(next[0], kept[0]) : b.CreateFCmpOLT(next[0], kept[0]);
    return {b.CreateSelect(better, next[0], kept[0])};
  };
  Values result = reduceRow(row, size, least, quick);
  llvm::Value *isLeast = b.getFalse();
  for (llvm::Value *each : result)
    isLeast = b.CreateOr(isLeast, b.CreateFCmpOEQ(each, least));
  return loops.branch(isLeast, exactly, [&] { return result; });
}

/// Reduces along a dimension other than the vector dimension: combines rows into the results, one row after another. If
/// the axis is short, rows are combined in registers.
void ReduceEmitter::reduceAcross(ArrayRef<Buffer> results, int vecDim) {
  Shape shape = tileType(op.getSrcs().front()).getShape();
  int axis = op.getAxis();
  SmallVector<Value> demands(op.getSrcs());
  if (shape[axis] <= maxAtOnce && isVectorizable(op.getCombineOp())) {
    auto body = [&](const Chunk &c) {
      Chunk at = c;
      Values values;
      for (int64_t k = 0; k < shape[axis]; ++k) {
        at.index[axis] = ctx.index(k);
        Values next = vec(op.getSrcs(), at);
        values = k == 0 ? next : regions.combine(op.getCombineOp(), values, next);
        sideOutputs->write(at);
      }
      at.index.erase(at.index.begin() + axis);
      at.vecDim -= at.vecDim > axis;
      for (auto [buffer, value] : llvm::zip(results, values))
        buffers.write(buffer, at, value);
    };
    nests.alongAxis(op, shape, vecDim, demands, axis, 0, 1, /*reverse=*/false, body);
    return;
  }
  auto pass = [&](int64_t begin, int64_t end, bool first) {
    auto body = [&](const Chunk &c) {
      Chunk out = c;
      out.index.erase(out.index.begin() + axis);
      if (out.vecDim > axis)
        --out.vecDim;
      Values values = vec(op.getSrcs(), c);
      if (!first) {
        Values before = llvm::map_to_vector<4>(results, [&](const Buffer &r) { return buffers.read(r, out); });
        values = regions.combine(op.getCombineOp(), before, values);
      }
      for (auto [buffer, value] : llvm::zip(results, values))
        buffers.write(buffer, out, value);
      sideOutputs->write(c);
    };
    nests.alongAxis(op, shape, vecDim, demands, axis, begin, end, /*reverse=*/false, body);
  };
  pass(0, 1, true);
  pass(1, shape[axis], false);
}

void ReduceEmitter::run() {
  auto type = tileType(op.getSrcs().front());
  Shape shape = type.getShape();
  int axis = op.getAxis();
  SmallVector<Value> demands = sources();
  bool vectorizable = isVectorizable(op.getCombineOp());
  int vecDim = vectorizable ? nests.chooseVecDim(shape, demands) : -1;
  Chunk first = ctx.firstChunk(shape, vecDim);
  sideOutputs.emplace(ctx, buffers, evaluator, SmallVector<Operation *>(ops.begin(), ops.end()));

  SmallVector<Buffer> results;
  for (auto [src, result] : llvm::zip(op.getSrcs(), op.getResults())) {
    if (isTile(result)) {
      results.push_back(buffers.destinationOf(result));
    } else {
      // A scalar reduced without vectors also goes through memory.
      auto one = RankedTensorType::get({1}, result.getType());
      results.push_back(vecDim == axis ? Buffer() : buffers.allocate(one));
    }
  }
  bool toScalar = type.getRank() == 1;
  if (toScalar && vecDim == axis) {
    Values values = nests.versioned(op, first, demands, [&] { return reduceRow(first, shape[axis]); });
    ArrayRef<llvm::Value *> rest = values;
    for (tt::ReduceOp each : ops)
      for (Value result : each.getResults()) {
        ctx.setScalar(result, rest.front());
        rest = rest.drop_front();
      }
  } else if (vecDim == axis) {
    nests.versioned(op, first, demands, [&] {
      nests.aroundAxis(shape, axis, first, [&](const Chunk &c) {
        Values values = reduceRow(c, shape[axis]);
        Chunk out;
        out.index = c.index;
        out.index.erase(out.index.begin() + axis);
        for (auto [buffer, value] : llvm::zip(results, values))
          buffers.write(buffer, out, value);
      });
      return Values();
    });
  } else {
    nests.versioned(op, first, demands, [&] {
      reduceAcross(results, vecDim);
      return Values();
    });
    if (toScalar)
      for (auto [result, buffer] : llvm::zip(op.getResults(), results)) {
        Chunk origin;
        origin.index.push_back(ctx.index(0));
        ctx.setScalar(result, buffers.read(buffer, origin));
      }
  }
  sideOutputs->finish();
  if (!toScalar)
    for (auto [result, buffer] : llvm::zip(op.getResults(), results))
      buffers.set(result, buffer);
}

void cpu::emitReduce(const RootParts &parts, tt::ReduceOp op) {
  SmallVector<tt::ReduceOp, 2> ops = {op};
  if (Operation *twin = parts.ctx.schedule.getTwins().of(op))
    ops.push_back(cast<tt::ReduceOp>(twin));
  if (ops.size() == 1 || ReduceEmitter(parts, ops).canShareLoop())
    return ReduceEmitter(parts, ops).run();
  for (tt::ReduceOp each : ops)
    ReduceEmitter(parts, each).run();
}
