//===- RowMasks.cpp - ranges of a row in which a mask is true ----------------------------------------------------===//
//
// This file traces masks, through conjunctions and movements, to comparisons of an index with a bound.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/RowMasks.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

RowMasks::Extent RowMasks::extentOf(Value mask, const Chunk &c, int64_t size) {
  auto uniform = [&](llvm::Value *all) {
    llvm::Value *count = b.CreateSelect(all, ctx.index(size), ctx.index(0));
    return Extent{count, count};
  };
  Operation *op = mask.getDefiningOp();
  if (!c.isVector() || !op || buffers.contains(mask) || isa<tt::SplatOp, arith::ConstantOp>(op)) {
    Lane lane = evaluator.eval(mask, c);
    return lane.kind == Lane::Uniform ? uniform(lane.value) : Extent{nullptr, ctx.index(size)};
  }
  if (isMovement(op))
    return extentOf(op->getOperand(0), evaluator.operandChunk(mask, c), size);
  if (isa<arith::AndIOp>(op)) {
    Extent x = extentOf(op->getOperand(0), c, size), y = extentOf(op->getOperand(1), c, size);
    auto least = [&](llvm::Value *v, llvm::Value *w) { return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, v, w); };
    llvm::Value *begin = x.begin ? x.begin : y.begin;
    if (x.begin && y.begin)
      begin = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x.begin, y.begin);
    return {x.leading && y.leading ? least(x.leading, y.leading) : nullptr, least(x.end, y.end), begin};
  }
  if (auto cmp = dyn_cast<arith::CmpIOp>(op)) {
    Lane lane = evaluator.eval(cmp, c);
    return lane.kind == Lane::Uniform ? uniform(lane.value) : extentOf(cmp, c, size);
  }
  return {nullptr, ctx.index(size)};
}

RowMasks::Extent RowMasks::extentOf(arith::CmpIOp cmp, const Chunk &c, int64_t size) {
  using P = arith::CmpIPredicate;
  const Extent unknown = {nullptr, ctx.index(size)};

  // Normalize the comparison to: first + lane <predicate> bound.
  Value indexSide = cmp.getLhs(), boundSide = cmp.getRhs();
  P predicate = cmp.getPredicate();
  if (evaluator.eval(boundSide, c).kind == Lane::Strided) {
    std::swap(indexSide, boundSide);
    static const std::pair<P, P> swaps[] = {{P::slt, P::sgt}, {P::sle, P::sge}, {P::ult, P::ugt}, {P::ule, P::uge}};
    for (auto [x, y] : swaps)
      if (predicate == x || predicate == y) {
        predicate = predicate == x ? y : x;
        break;
      }
  }
  Lane first = evaluator.eval(indexSide, c), bound = evaluator.eval(boundSide, c);
  auto *step = dyn_cast_or_null<llvm::ConstantInt>(first.kind == Lane::Strided ? first.stride : nullptr);
  if (!step || !step->isOne() || bound.kind != Lane::Uniform)
    return unknown;

  // The elements must not wrap around along the row. If the index was extended from a narrower type, the narrow index
  // must not have wrapped either.
  bool isUnsigned = predicate == P::ult || predicate == P::ule || predicate == P::ugt || predicate == P::uge;
  auto fits = [&](llvm::Value *start) {
    unsigned bits = start->getType()->getIntegerBitWidth();
    auto last = isUnsigned ? llvm::APInt::getMaxValue(bits) : llvm::APInt::getSignedMaxValue(bits);
    llvm::Value *limit = llvm::ConstantInt::get(start->getType(), last - (size - 1));
    return isUnsigned ? b.CreateICmpULE(start, limit) : b.CreateICmpSLE(start, limit);
  };
  if (first.value->getType()->getIntegerBitWidth() < 32)
    return unknown; // the row may be longer than the type's range
  if (predicate == P::eq && first.exact) { // true at one position or none; this subtraction wraps as the elements do
    llvm::Value *place = b.CreateZExt(b.CreateSub(bound.value, first.value), b.getInt64Ty());
    llvm::Value *isThere = b.CreateICmpULT(place, ctx.index(size));
    return {ctx.index(0), b.CreateSelect(isThere, b.CreateAdd(place, ctx.index(1)), ctx.index(0)),
            b.CreateSelect(isThere, place, ctx.index(0))};
  }
  llvm::Value *valid = fits(first.value);
  if (!first.exact) {
    Value source = indexSide;
    Chunk at = c;
    while (Operation *op = source.getDefiningOp()) {
      if (!isMovement(op))
        break;
      at = evaluator.operandChunk(source, at);
      source = op->getOperand(0);
    }
    auto widening = source.getDefiningOp<arith::ExtSIOp>();
    Lane narrow = widening ? evaluator.eval(widening.getIn(), at) : Lane();
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
      // The end is one more than this index, unless there are no elements.
      llvm::Value *some =
          b.CreateICmp(isUnsigned ? llvm::CmpInst::ICMP_UGE : llvm::CmpInst::ICMP_SGE, bound.value, first.value);
      auto plus = isUnsigned ? llvm::Intrinsic::uadd_sat : llvm::Intrinsic::sadd_sat;
      llvm::Type *type = count->getType();
      llvm::Value *more = b.CreateBinaryIntrinsic(plus, count, llvm::ConstantInt::get(type, 1));
      count = b.CreateSelect(some, more, llvm::ConstantInt::get(type, 0));
    }
    llvm::Value *most = llvm::ConstantInt::get(count->getType(), size);
    count = b.CreateBinaryIntrinsic(isUnsigned ? llvm::Intrinsic::umin : llvm::Intrinsic::smin, count, most);
    count = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, b.CreateSExt(count, b.getInt64Ty()), ctx.index(0));
    return {b.CreateSelect(valid, count, ctx.index(0)), b.CreateSelect(valid, count, ctx.index(size))};
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
    return {b.CreateSelect(all, ctx.index(size), ctx.index(0)), ctx.index(size)};
  }
  default: return unknown;
  }
}

/// Returns the constant to which all elements of the tile are equal, or null if there is no such constant.
static TypedAttr constantOf(Value tile) {
  Operation *op = tile.getDefiningOp();
  while (isMovement(op))
    op = op->getOperand(0).getDefiningOp();
  if (auto splat = dyn_cast_or_null<tt::SplatOp>(op)) {
    auto scalar = splat.getSrc().getDefiningOp<arith::ConstantOp>();
    return scalar ? scalar.getValue() : TypedAttr();
  }
  auto constant = dyn_cast_or_null<arith::ConstantOp>(op);
  auto elements = constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : SplatElementsAttr();
  return elements ? cast<TypedAttr>(elements.getSplatValue<Attribute>()) : TypedAttr();
}

/// Returns true if the formula can still be evaluated, because no buffer that it reads has been freed.
bool RowMasks::canBeRead(Value v) const {
  SmallVector<Value> pending = {v};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (buffers.contains(value)) {
      if (buffers.isFreed(value))
        return false;
    } else if (Operation *op = value.getDefiningOp(); op && isTile(value) && seen.insert(op).second) {
      llvm::append_range(pending, op->getOperands());
    }
  }
  return true;
}

std::optional<RowMasks::Filling> RowMasks::fillingOf(Value v, const Chunk &c, int64_t size) {
  Operation *op = v.getDefiningOp();
  if (!c.isVector() || !op)
    return std::nullopt;
  if (isMovement(op))
    return fillingOf(op->getOperand(0), evaluator.operandChunk(v, c), size);
  auto until = [&](Value mask, TypedAttr value) -> std::optional<Filling> {
    if (!value || !canBeRead(mask))
      return std::nullopt;
    Extent extent = extentOf(mask, c, size);
    return Filling{value, extent.end, extent.begin};
  };
  Type element = getElementTypeOrSelf(v);
  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    if (!load.getMask() || load.getIsVolatile() || !element.isIntOrFloat())
      return std::nullopt;
    return until(load.getMask(), load.getOther() ? constantOf(load.getOther()) : Builder(op).getZeroAttr(element));
  }
  if (auto select = dyn_cast<arith::SelectOp>(op); select && isTile(select.getCondition()))
    return until(select.getCondition(), constantOf(select.getFalseValue()));
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    std::optional<Filling> source = fillingOf(op->getOperand(0), c, size);
    if (!source)
      return std::nullopt;
    APFloat value = cast<FloatAttr>(source->value).getValue();
    bool isInexact;
    value.convert(cast<FloatType>(element).getFloatSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
    return Filling{FloatAttr::get(element, value), source->from, source->before};
  }
  auto isLeast = [](const std::optional<Filling> &f) {
    auto number = f ? dyn_cast<FloatAttr>(f->value) : FloatAttr();
    return number && number.getValue().isInfinity() && number.getValue().isNegative();
  };
  if (isa<arith::SubFOp>(op)) { // softmax: if the maximum is -inf or NaN, the difference is NaN and not -inf
    std::optional<Filling> x = fillingOf(op->getOperand(0), c, size);
    if (!isLeast(x) || !canBeRead(op->getOperand(1)))
      return std::nullopt;
    Lane y = evaluator.eval(op->getOperand(1), c);
    if (y.kind != Lane::Uniform)
      return std::nullopt;
    llvm::Value *least = llvm::ConstantFP::getInfinity(y.value->getType(), /*Negative=*/true);
    x->from = b.CreateSelect(b.CreateFCmpONE(y.value, least), x->from, ctx.index(size));
    x->before = nullptr;
    return x;
  }
  if (isa<math::ExpOp, math::Exp2Op>(op)) {
    std::optional<Filling> x = fillingOf(op->getOperand(0), c, size);
    if (!isLeast(x))
      return std::nullopt;
    return Filling{Builder(op).getFloatAttr(element, 0.0), x->from};
  }
  if (isa<arith::MulFOp>(op)) { // mostly squares of differences from a mean
    std::optional<Filling> x = fillingOf(op->getOperand(0), c, size), y = fillingOf(op->getOperand(1), c, size);
    auto isZero = [](const std::optional<Filling> &f) { return f && cast<FloatAttr>(f->value).getValue().isPosZero(); };
    if (isZero(x) && isZero(y))
      return Filling{x->value, b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x->from, y->from)};
  }
  return std::nullopt;
}
