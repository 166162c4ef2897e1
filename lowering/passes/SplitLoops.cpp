//===- SplitLoops.cpp - splits off the iterations that need no mask -----------------------------------------------===//
//
// Causal attention masks the scores of every block of keys, but only the blocks on the diagonal need it:
//
//     for from in [0, end) step 128:                    for from in [0, cut) step 128:
//       scores = dot(q, load(k + from))                   scores = dot(q, load(k + from))
//       scores = select(m >= from + n, scores, -inf)      ...
//       ...                                        ->   for from in [cut, end) step 128:
//                                                         scores = select(m >= from + n, scores, -inf)
//                                                         ...
//
// LoopMasks.h finds the iterations for which a mask is all true: the first iterations (a causal mask, a bound), the
// last ones (the other end of a sliding window), or those in the middle. So a loop becomes at most three loops. In the
// middle loop, all masks are replaced by true; the other loops keep their masks.
//
// If the middle loop has few iterations (a short window), the additional loops take more time than the masks, because
// each loop fills its own pipeline. So if there are few iterations between two masked ends, of which the first has
// iterations, too, the first loop runs all iterations, and the others run none.
//
// The iterations and their order do not change, so the transformation is legal for any loop body. The cut is exact: it
// is computed in the type of the induction variable if nothing overflows there, and in 64 bits otherwise.
//
// Splitting increases code size, and each additional loop has a pipeline prologue of its own. So a loop is split only
// if an iteration has one or two dots and masks a tile of scores. Loops with more dots (the backward pass of attention)
// use all registers already, and splitting would double their spills. Masks of loads alone do not justify splitting,
// because copies through tensor maps check bounds for free. A loop that continues where another one ends is not split,
// because the source has been split already.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/AxisInfo.h"
#include "lowering/analysis/LoopMasks.h"
#include "lowering/dialects/tt/LoopAttributes.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/passes/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONSPLITLOOPS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

using MaybeRange = std::optional<AddressRange>;

//===--- one loop -------------------------------------------------------------------------------------------------===//

class Splitter {
public:
  explicit Splitter(scf::ForOp loop) : loop(loop), loc(loop.getLoc()), builder(loop), known(loop) {}

  /// Returns true if it has changed the loop.
  bool run() {
    for (const LoopMask &mask : known.getAlways())
      fold(mask, mask.compare);
    return (chooseCuts() && split()) || !known.getAlways().empty();
  }

private:
  //===--- cuts

  /// Selects the masks that the middle loop drops. Returns false if the loop should not be split.
  bool chooseCuts() {
    auto split = loop->getAttrOfType<BoolAttr>(tt::splitAttr);
    bool mayFirst = false, mayLast = false;
    isAsked = split && split.getValue();
    masks.assign(known.getSometimes().begin(), known.getSometimes().end());
    for (const LoopMask &mask : masks)
      for (const LoopCondition &condition : mask.conditions)
        if (mask.isCostly || isAsked)
          (condition.isOfFirst() ? mayFirst : mayLast) = true;
    auto isKept = [&](const LoopCondition &condition) { return condition.isOfFirst() ? mayFirst : mayLast; };
    llvm::erase_if(masks, [&](const LoopMask &mask) { return !llvm::all_of(mask.conditions, isKept); });
    for (const LoopMask &mask : masks)
      for (const LoopCondition &condition : mask.conditions)
        (condition.isOfFirst() ? ofFirst : ofLast).push_back(condition);
    // If a condition of the first iterations and one of the last iterations never hold in the same iteration, there is
    // no middle loop, and splitting does not help.
    for (const LoopCondition &first : ofFirst)
      for (const LoopCondition &last : ofLast) {
        MaybeRange sum = addScaled(LoopMasks::makeRange(0), first.rest, last.factor);
        if (known.isAtMost(addScaled(sum, last.rest, -first.factor), -1))
          return false;
      }
    return !masks.empty();
  }

  Value create(int64_t value, Type type) {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  }

  /// Returns the value of the induction variable that separates the iterations in which `condition` holds from the
  /// others. It is a whole number of steps from the lower bound. Returns null if it cannot be computed exactly. For a
  /// condition of the first iterations, rest' = rest; for one of the last iterations, rest' = -rest - 1:
  ///
  ///   steps = max(rest' - |factor| * lower + |factor| * step, 0) / (|factor| * step)
  Value createCut(const LoopCondition &condition, bool &mayPassEnd) {
    int64_t size = std::abs(condition.factor), sign = condition.isOfFirst() ? 1 : -1;
    MaybeRange rest = addScaled(LoopMasks::makeRange(condition.isOfFirst() ? 0 : -1), condition.rest, sign);
    if (!rest || size > maxFactor)
      return {};
    if (Value cut = createNarrowCut(*rest, size, mayPassEnd))
      return cut;
    mayPassEnd = false;
    return createWideCut(*rest, size);
  }

  /// Computes the cut in the type of the induction variable, if `rest` is one value plus a constant. Returns null
  /// otherwise.
  Value createNarrowCut(const AddressRange &rest, int64_t size, bool &mayPassEnd) {
    Type type = loop.getInductionVar().getType();
    std::optional<int64_t> step = LoopMasks::getNumber(loop.getStep());
    if (LoopMasks::getNumber(loop.getLowerBound()) != 0 || !step || rest.terms.size() != 1)
      return {};
    auto [value, factor] = *rest.terms.begin();
    int64_t divisor = size * *step, added = rest.first + divisor;
    if (factor != 1 || value.getType() != type || type.getIntOrFloatBitWidth() < 32 ||
        std::max(divisor, std::abs(added)) > maxNarrowNumber)
      return {};
    // The addition below cannot overflow if nothing is added. It cannot overflow either if the value is a multiple of a
    // number greater than `added`, because no such multiple is that close to the maximum.
    int64_t multiple = added > 0 ? getDivisibility(value) : 1;
    if (added > 0 && added >= multiple)
      return {};
    MaybeRange beyond = addScaled(rest, getRangeOfTerm(loop.getUpperBound()), -1);
    mayPassEnd = size != 1 || !known.isAtMost(beyond, -*step);
    bool isWhole = size == 1 && multiple % *step == 0; // a multiple of the step
    if (isWhole)
      added = added / *step * *step;
    if (added < 0 || !isNonNegative(value))
      value = arith::MaxSIOp::create(builder, loc, value, create(-added, type));
    value = arith::AddIOp::create(builder, loc, value, create(added, type));
    if (isWhole)
      return value;
    Value count = arith::DivSIOp::create(builder, loc, value, create(divisor, type));
    return arith::MulIOp::create(builder, loc, count, loop.getStep());
  }

  /// Computes the cut in 64 bits, in which sums and products of a few 32-bit numbers do not overflow. The cut is at
  /// most the first whole number of steps from the lower bound that reaches the end of the loop.
  Value createWideCut(const AddressRange &rest, int64_t size) {
    Type wide = builder.getI64Type(), type = loop.getLowerBound().getType();
    int64_t factors = 0;
    for (auto [value, factor] : rest.terms)
      factors += std::min(std::abs(factor), maxFactor + 1);
    Value lower = loop.getLowerBound(), stride = loop.getStep(), upper = loop.getUpperBound();
    bool fits = factors <= maxFactor && std::abs(rest.first) < maxNumber;
    for (auto [value, factor] : rest.terms)
      fits &= narrow(value) != nullptr;
    if (!fits || !narrow(lower) || !narrow(stride) || !narrow(upper))
      return {};
    auto extend = [&](Value value) {
      value = narrow(value);
      return value.getType() == wide ? value : Value(arith::ExtSIOp::create(builder, loc, wide, value));
    };
    auto times = [&](Value value, int64_t factor) {
      return arith::MulIOp::create(builder, loc, value, create(factor, wide));
    };
    Value low = extend(lower), by = extend(stride);
    Value numerator = arith::AddIOp::create(builder, loc, create(rest.first, wide),
                                            times(arith::SubIOp::create(builder, loc, by, low), size));
    for (auto [value, factor] : rest.terms)
      numerator = arith::AddIOp::create(builder, loc, numerator, times(extend(value), factor));
    auto divide = [&](Value numerator, Value by) {
      return arith::DivSIOp::create(builder, loc, arith::MaxSIOp::create(builder, loc, numerator, create(0, wide)), by);
    };
    Value count = divide(numerator, times(by, size));
    Value span = arith::SubIOp::create(builder, loc, extend(upper), low);
    Value less = arith::SubIOp::create(builder, loc, by, create(1, wide));
    Value all = divide(arith::AddIOp::create(builder, loc, span, less), by);
    count = arith::MinSIOp::create(builder, loc, count, all);
    if (type != wide)
      count = arith::TruncIOp::create(builder, loc, type, count);
    return arith::AddIOp::create(builder, loc, lower, arith::MulIOp::create(builder, loc, count, stride));
  }

  /// Returns `value`, or the value from which it is extended, if that has at most 32 bits or is a constant. Returns
  /// null otherwise.
  static Value narrow(Value value) {
    if (auto extend = value.getDefiningOp<arith::ExtSIOp>())
      value = extend.getIn();
    return LoopMasks::getNumber(value) || value.getType().getIntOrFloatBitWidth() <= 32 ? value : Value();
  }

  int64_t getDivisibility(Value value) {
    return AxisInfoAnalysis(loop->getParentOfType<ModuleOp>()).get(value).getDivisibility(0);
  }

  /// Returns the cut for all of `conditions`, which are either all of the first or all of the last iterations.
  /// `mayPassEnd` is set to true if the cut may exceed the upper bound of the loop.
  Value createCuts(ArrayRef<LoopCondition> conditions, bool &mayPassEnd) {
    Value cut;
    for (const LoopCondition &condition : conditions) {
      bool mayEachPass = false;
      Value each = createCut(condition, mayEachPass);
      if (!each)
        return {};
      bool isLess = condition.isOfFirst() && cut; // take the minimum
      mayPassEnd = isLess ? mayPassEnd && mayEachPass : mayPassEnd || mayEachPass;
      if (cut)
        each = condition.isOfFirst() ? Value(arith::MinSIOp::create(builder, loc, cut, each))
                                     : Value(arith::MaxSIOp::create(builder, loc, cut, each));
      cut = each;
    }
    return cut;
  }

  //===--- loops

  bool split() {
    bool firstPassesEnd = false, lastPassesEnd = false;
    Value begin = createCuts(ofLast, firstPassesEnd), end = createCuts(ofFirst, lastPassesEnd);
    if ((!begin && !ofLast.empty()) || (!end && !ofFirst.empty()))
      return false; // the operations created so far are dead
    Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
    auto endAt = [&](Value cut, bool mayPassEnd) {
      return mayPassEnd ? Value(arith::MinSIOp::create(builder, loc, cut, upper)) : cut;
    };
    SmallVector<Value> values(loop.getInitArgs());
    Value endOfMiddle = end ? endAt(end, lastPassesEnd) : upper;
    if (begin) {
      begin = endAt(begin, firstPassesEnd);
      if (end && !isAsked)
        begin = skipShortMiddle(lower, begin, endOfMiddle);
      values = createPart(lower, begin, values, /*hasMasks=*/true);
      lower = begin;
    }
    values = createPart(lower, endOfMiddle, values, /*hasMasks=*/false);
    if (end) {
      lower = begin ? Value(arith::MaxSIOp::create(builder, loc, begin, end)) : end;
      values = createPart(lower, upper, values, /*hasMasks=*/true);
    }
    loop.replaceAllUsesWith(values);
    loop.erase();
    return true;
  }

  /// Returns `begin`, the end of the first of three parts, or the upper bound if the first part has iterations and the
  /// middle part, which ends at `end`, is too short. In the latter case the first part, which has all masks, runs all
  /// iterations.
  Value skipShortMiddle(Value lower, Value begin, Value end) {
    Type wide = builder.getI64Type(); // in which the difference does not overflow
    auto extend = [&](Value value) {
      return value.getType() == wide ? value : arith::ExtSIOp::create(builder, loc, wide, value).getResult();
    };
    Value length = arith::SubIOp::create(builder, loc, extend(end), extend(begin));
    Value least = arith::MulIOp::create(builder, loc, extend(loop.getStep()), create(fewestOfMiddle, wide));
    Value isLong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, length, least);
    Value isFirstEmpty = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, extend(begin), extend(lower));
    Value areSplit = arith::OrIOp::create(builder, loc, isLong, isFirstEmpty);
    return arith::SelectOp::create(builder, loc, areSplit, begin, loop.getUpperBound());
  }

  SmallVector<Value> createPart(Value lower, Value upper, ValueRange inits, bool hasMasks) {
    IRMapping mapping;
    auto part = cast<scf::ForOp>(builder.clone(*loop, mapping));
    part.setLowerBound(lower);
    part.setUpperBound(upper);
    part.getInitArgsMutable().assign(inits);
    part->setAttr(tt::splitAttr, builder.getBoolAttr(false));
    if (!hasMasks)
      for (const LoopMask &mask : masks)
        fold(mask, mapping.lookup(mask.compare->getResult(0)).getDefiningOp());
    return SmallVector<Value>(part.getResults());
  }

  static void fold(const LoopMask &mask, Operation *compare) {
    OpBuilder builder(compare);
    Type type = compare->getResult(0).getType();
    TypedAttr value = builder.getBoolAttr(mask.wanted);
    if (auto tile = dyn_cast<RankedTensorType>(type))
      value = DenseElementsAttr::get(tile, mask.wanted);
    compare->getResult(0).replaceAllUsesWith(arith::ConstantOp::create(builder, compare->getLoc(), value));
  }

  /// The sum of maxFactor 32-bit values and a constant below maxNumber fits in 64 bits with a wide margin. The cut is
  /// computed in the type of the loop only if its constants are at most maxNarrowNumber.
  static constexpr int64_t maxFactor = 1 << 24, maxNumber = int64_t(1) << 56, maxNarrowNumber = 1 << 30;

  /// Each of the two additional pipelines takes about as much time as two masks.
  static constexpr int64_t fewestOfMiddle = 4;

  scf::ForOp loop;
  Location loc;
  OpBuilder builder;
  LoopMasks known;
  bool isAsked = false; ///< by the source
  std::vector<LoopMask> masks; ///< dropped in the middle loop
  std::vector<LoopCondition> ofFirst, ofLast; ///< conditions of `masks`
};

//===--- the pass -------------------------------------------------------------------------------------------------===//

/// Returns true if the loop begins where another loop ends and continues with the results of that loop, or the reverse.
bool isPartOfSequence(scf::ForOp loop) {
  auto goesOn = [](scf::ForOp before, scf::ForOp behind) {
    return before && behind && before.getUpperBound() == behind.getLowerBound() &&
           llvm::any_of(behind.getInitArgs(), [&](Value init) { return init.getDefiningOp() == before; });
  };
  return llvm::any_of(loop.getInitArgs(), [&](Value init) { return goesOn(init.getDefiningOp<scf::ForOp>(), loop); }) ||
         llvm::any_of(loop->getUsers(), [&](Operation *user) { return goesOn(loop, dyn_cast<scf::ForOp>(user)); });
}

bool mayBeSplit(scf::ForOp loop) {
  constexpr unsigned maxOperations = 1000, maxDots = 2; // limits for loops whose code is worth duplicating
  auto type = dyn_cast<IntegerType>(loop.getInductionVar().getType());
  auto split = loop->getAttrOfType<BoolAttr>(tt::splitAttr);
  if (!type || type.getWidth() > 64 || loop.getUnsignedCmp() || (split && !split.getValue()))
    return false;
  unsigned operations = 0;
  unsigned dots = 0;
  bool isInnermost = true;
  loop.getBody()->walk([&](Operation *op) {
    ++operations;
    dots += isa<tt::DotOp>(op);
    isInnermost &= !isa<LoopLikeOpInterface>(op);
  });
  bool isAsked = split && split.getValue();
  return isInnermost && operations <= maxOperations &&
         (isAsked || (dots > 0 && dots <= maxDots && !isPartOfSequence(loop)));
}

struct SplitLoops : tilecc::impl::TritonSplitLoopsBase<SplitLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    bool hasChanged = false;
    WalkResult result = getOperation().walk([&](scf::ForOp loop) -> WalkResult {
      if (Attribute split = loop->getAttr(tt::splitAttr); split && !isa<BoolAttr>(split))
        return loop.emitError() << "a loop's " << tt::splitAttr << " is true or false";
      if (mayBeSplit(loop))
        loops.push_back(loop);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (scf::ForOp loop : loops)
      hasChanged |= Splitter(loop).run();
    OpPassManager cleanup(ModuleOp::getOperationName());
    cleanup.addPass(createCanonicalizerPass());
    cleanup.addPass(createCSEPass());
    if (hasChanged && failed(runPipeline(cleanup, getOperation())))
      signalPassFailure();
  }
};

} // namespace
