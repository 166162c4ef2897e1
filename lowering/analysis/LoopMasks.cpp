//===- LoopMasks.cpp - finds the iterations in which a mask is all true -------------------------------------------===//
//
// A comparison of affine values is true for all elements of a tile if factor * i + rest >= 0, where i is the induction
// variable and `rest` is the smallest contribution of any element. If the factor is negative, this holds for the first
// iterations (a causal mask, a bound). If it is positive, it holds for the last iterations (the other end of a sliding
// window).
//
// The terms of conditions are scalars from outside the loop. To decide whether a condition always or never holds,
// `expand` replaces these scalars by the values from which they are computed.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/LoopMasks.h"
#include "lowering/dialects/ttg/TTG.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;

using MaybeRange = std::optional<AddressRange>;

namespace {

/// Finds the comparisons in the body of a loop from which masks are computed.
class MaskFinder {
public:
  explicit MaskFinder(scf::ForOp loop) : loop(loop) {}

  std::vector<LoopMask> find() {
    loop.getBody()->walk([&](Operation *op) {
      if (auto select = dyn_cast<arith::SelectOp>(op))
        visit(select.getCondition(), isWanted(select), isLarge(select.getType()));
      else if (isa<arith::UIToFPOp, arith::ExtUIOp>(op))
        visit(op->getOperand(0), true, isLarge(op->getResult(0).getType()));
      else if (auto branch = dyn_cast<scf::IfOp>(op))
        visitBranch(branch);
      else if (auto access = tt::getGlobalAccess(op); access && access->mask)
        visit(access->mask, true, false);
    });
    return masks;
  }

private:
  /// Returns true for a tile whose masking is costly. Masking a smaller tile costs a thread only a few instructions.
  static bool isLarge(Type type) {
    constexpr int64_t least = 1024;
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile && tile.getNumElements() >= least;
  }

  /// Returns the value of the select's condition for which the select yields a computed value. If neither operand is
  /// computed, the select produces a mask that is added to something, and the wanted operand is zero.
  bool isWanted(arith::SelectOp select) {
    auto isComputed = [&](Value value) {
      return !loop.isDefinedOutsideOfLoop(value) && !matchPattern(value, m_Constant());
    };
    if (isComputed(select.getTrueValue()) || isComputed(select.getFalseValue()))
      return isComputed(select.getTrueValue());
    return !matchPattern(select.getFalseValue(), m_AnyZeroFloat()) && !matchPattern(select.getFalseValue(), m_Zero());
  }

  /// Visits a branch that encloses the masking of scores.
  void visitBranch(scf::IfOp branch) {
    auto isEmpty = [](Region &region) { return region.empty() || llvm::hasSingleElement(region.front()); };
    bool thenEmpty = isEmpty(branch.getThenRegion()), elseEmpty = isEmpty(branch.getElseRegion());
    if (thenEmpty != elseEmpty)
      visit(branch.getCondition(), thenEmpty, llvm::any_of(branch.getResultTypes(), isLarge));
  }

  void visit(Value value, bool wanted, bool isCostly) {
    Operation *op = value.getDefiningOp();
    if (!op || !loop->isAncestor(op) || !getElementTypeOrSelf(value.getType()).isInteger(1))
      return;
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      auto known = llvm::find_if(masks, [&](const LoopMask &mask) { return mask.compare == compare; });
      if (known == masks.end())
        masks.push_back({compare, wanted, isCostly, {}});
      else if (known->wanted == wanted)
        known->isCostly |= isCostly;
    } else if (isa<arith::XOrIOp>(op)) {
      if (matchPattern(op->getOperand(1), m_One()))
        visit(op->getOperand(0), !wanted, isCostly);
    } else if (isa<arith::AndIOp, arith::OrIOp, tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::TransOp,
                   tt::ReshapeOp>(op)) {
      for (Value operand : op->getOperands())
        visit(operand, wanted, isCostly);
    }
  }

  scf::ForOp loop;
  std::vector<LoopMask> masks;
};

bool hasNoTerms(const AddressRange &range) {
  return llvm::all_of(range.terms, [](const auto &term) { return term.second == 0; });
}

} // namespace

LoopMasks::LoopMasks(scf::ForOp loop)
    : loop(loop), step(getNumber(loop.getStep())), lowest(expand(loop.getLowerBound())), highest(getLast()) {
  if (lowest && highest && !loop.getUnsignedCmp())
    for (const LoopMask &mask : MaskFinder(loop).find())
      classify(mask);
}

std::optional<int64_t> LoopMasks::getNumber(Value value) {
  APInt constant;
  bool isKnown = matchPattern(value, m_ConstantInt(&constant)) && constant.getSignificantBits() <= 32;
  return isKnown ? std::optional(constant.getSExtValue()) : std::nullopt;
}

AddressRange LoopMasks::makeRange(int64_t number) {
  AddressRange range;
  range.first = range.last = number;
  return range;
}

/// Returns a range in terms of the induction variable and of scalars from outside the loop. If `looksInto` is true,
/// these scalars are replaced by the values from which they are computed.
MaybeRange LoopMasks::getRange(Value value, bool looksInto) {
  return getNumberRange(value, [&](Value each, bool isLast) -> MaybeRange {
    auto argument = dyn_cast<BlockArgument>(each);
    bool isCarried = argument && argument.getOwner() == loop.getBody() && each != loop.getInductionVar();
    if (isCarried)
      return isLast ? getRangeOfCarried(argument) : std::nullopt;
    if (isCounterTruncated(each))
      return getRangeOfTerm(loop.getInductionVar());
    bool isScalar = isa<IntegerType>(each.getType()) && !matchPattern(each, m_Constant());
    bool isTerm = isScalar && (each == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(each));
    return isTerm && (isLast || !looksInto) ? MaybeRange(getRangeOfTerm(each)) : std::nullopt;
  });
}

/// Returns true for the induction variable, truncated to the type from which the loop's bounds were extended.
bool LoopMasks::isCounterTruncated(Value value) {
  auto trunc = value.getDefiningOp<arith::TruncIOp>();
  return trunc && trunc.getIn() == loop.getInductionVar() &&
         llvm::all_of(ValueRange{loop.getLowerBound(), loop.getUpperBound()}, [&](Value bound) {
           auto extend = bound.getDefiningOp<arith::ExtSIOp>();
           unsigned width = trunc.getType().getIntOrFloatBitWidth();
           return extend ? extend.getIn().getType().getIntOrFloatBitWidth() <= width : width >= 32 && getNumber(bound);
         });
}

/// Returns the range of a loop-carried value to which each iteration adds a constant.
MaybeRange LoopMasks::getRangeOfCarried(BlockArgument argument) {
  auto add = loop.getTiedLoopYieldedValue(argument)->get().getDefiningOp<arith::AddIOp>();
  if (!add || !step || (add.getLhs() != argument && add.getRhs() != argument))
    return std::nullopt;
  Value addend = add.getLhs() == argument ? add.getRhs() : add.getLhs();
  MaybeRange by = addend == argument ? std::nullopt : getRange(addend, false);
  if (!by || !by->terms.empty() || by->first != by->last || by->first % *step != 0)
    return std::nullopt;
  MaybeRange distance = addScaled(getRangeOfTerm(loop.getInductionVar()), getRange(loop.getLowerBound(), false), -1);
  return addScaled(getRange(loop.getTiedLoopInit(argument)->get(), false), distance, by->first / *step);
}

/// Returns the value of the induction variable in the last iteration.
MaybeRange LoopMasks::getLast() {
  MaybeRange end = expand(loop.getUpperBound()), span = addScaled(end, lowest, -1);
  if (step && span && hasNoTerms(*span) && span->first == span->last && span->first > 0)
    return addScaled(lowest, makeRange((span->first - 1) / *step * *step), 1);
  AddressRange before = makeRange(-1);
  before.first = step ? -*step : std::numeric_limits<int32_t>::min();
  return addScaled(end, before, 1);
}

MaybeRange LoopMasks::expand(const AddressRange &range) {
  MaybeRange sum = makeRange(range.first);
  for (auto [term, factor] : range.terms)
    sum = addScaled(sum, getRange(term, true), factor);
  return sum;
}

/// Returns the range of factor * i + rest for i = `at`, or nothing if it is not known.
MaybeRange LoopMasks::evaluate(const LoopCondition &condition, const MaybeRange &at) {
  MaybeRange value = addScaled(expand(condition.rest), at, condition.factor);
  return value && hasNoTerms(*value) ? value : std::nullopt;
}

/// Returns conditions under which the comparison has the wanted value for all elements. Returns nothing if none are
/// known.
SmallVector<LoopCondition, 2> LoopMasks::getConditions(LoopMask mask) {
  arith::CmpIPredicate predicate = mask.compare.getPredicate();
  if (!mask.wanted)
    predicate = arith::invertPredicate(predicate);
  Value smaller = mask.compare.getLhs(), larger = mask.compare.getRhs();
  using enum arith::CmpIPredicate;
  if (predicate == sgt || predicate == sge || predicate == ugt || predicate == uge)
    std::swap(smaller, larger);
  else if (predicate != slt && predicate != sle && predicate != ult && predicate != ule)
    return {};
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(smaller));
  if (!type || type.getWidth() < 32)
    return {}; // a sum of narrow integers may wrap around
  bool isStrict = predicate == slt || predicate == sgt || predicate == ult || predicate == ugt;
  MaybeRange low = getRange(smaller, false), high = getRange(larger, false);
  SmallVector<MaybeRange> sums = {addScaled(addScaled(high, low, -1), makeRange(-1), isStrict)};
  if (predicate == ult || predicate == ule || predicate == ugt || predicate == uge)
    sums.push_back(low); // for non-negative numbers, signed and unsigned order are the same
  SmallVector<LoopCondition, 2> conditions;
  for (MaybeRange &sum : sums) {
    if (!sum)
      return {};
    int64_t factor = sum->terms.lookup(loop.getInductionVar());
    sum->terms.remove_if([&](const auto &term) { return term.first == loop.getInductionVar() || term.second == 0; });
    sum->last = sum->first;
    conditions.push_back({factor, *sum});
  }
  return conditions;
}

/// Adds `mask` to the masks that are always true or to those that are sometimes true. Drops masks that are never all
/// true, or about which nothing is known.
void LoopMasks::classify(LoopMask mask) {
  SmallVector<LoopCondition, 2> conditions = getConditions(mask);
  if (conditions.empty())
    return;
  for (LoopCondition &condition : conditions) {
    MaybeRange first = evaluate(condition, lowest), last = evaluate(condition, highest);
    if (const MaybeRange &least = condition.isOfFirst() ? last : first; least && least->first >= 0)
      continue;
    const MaybeRange &most = condition.isOfFirst() ? first : last;
    if (condition.factor == 0 || (most && most->last < 0))
      return;
    mask.conditions.push_back(condition);
  }
  (mask.conditions.empty() ? always : sometimes).push_back(mask);
}

bool LoopMasks::isAtMost(const MaybeRange &sum, int64_t most) {
  MaybeRange expanded = sum ? expand(*sum) : std::nullopt;
  return expanded && hasNoTerms(*expanded) && expanded->last <= most;
}
