//===- WhileToFor.cpp - converts counted while loops to scf.for ---------------------------------------------------===//
//
// Passes.td describes the effect (TTWhileToFor). MLIR's own uplift handles only signed `<`, and loses the final value
// of an induction variable.
//
// A counted loop compares its induction variable i, which changes by a constant step, with a loop-invariant bound n. An
// scf.for counts up while lo < hi, signed or unsigned, by a positive step. The rewrites are correct for the following
// reasons:
//
//   Overflow. With nsw on `i + step`, the variable never wraps in a defined program. Without it (C's unsigned and
//     narrow types), a step of one cannot jump over the bound. If the unsigned step is a power of two, wrapping around
//     returns to the same residues, so the loop would never end. An infinite loop without I/O, atomics or volatile
//     accesses is undefined in C++, so the rewrite is valid.
//   i <= n    is i < n + 1. n + 1 wraps only for the largest n, for which the loop would be infinite.
//   i > n     counts down. With a step of one, the scf.for counts j up from n to lb, and i = lb + n - j, exact in
//             wrapping arithmetic. With a larger step, j + step could overflow where i does not, so k counts
//             iterations and i = lb - k * step.
//   i != n    is i < n if the step is one and i cannot wrap, or starts at zero unsigned; i > n for minus one.
//   (wide) i < n, where i is narrower than n, counts in the wide type.
//   After the loop, i is max(lb, n) for a step of one (min for minus one); for other steps, the loop carries it.
//   do { } while (++i < n) runs at least once: for (i = lb; i < max(n, lb + 1); ++i).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Passes.h"
#include "lowering/dialects/tt/LoopAttributes.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilecc {

#define GEN_PASS_DEF_TTWHILETOFOR
#include "frontend/raise/Passes.h.inc"

namespace {

using Predicate = arith::CmpIPredicate;

bool isUnsigned(Predicate p) {
  return p == Predicate::ult || p == Predicate::ule || p == Predicate::ugt || p == Predicate::uge;
}

Predicate swapSides(Predicate p) {
  switch (p) {
  case Predicate::slt: return Predicate::sgt;
  case Predicate::sle: return Predicate::sge;
  case Predicate::sgt: return Predicate::slt;
  case Predicate::sge: return Predicate::sle;
  case Predicate::ult: return Predicate::ugt;
  case Predicate::ule: return Predicate::uge;
  case Predicate::ugt: return Predicate::ult;
  case Predicate::uge: return Predicate::ule;
  default: return p;
  }
}

std::optional<APInt> getConstant(Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) ? std::optional(constant) : std::nullopt;
}

/// An increment of the form i + step or i - constant.
struct Increment {
  Value variable, step; // step is null for i - constant
  std::optional<APInt> amount; // the step, if constant
  bool nsw = false;
  bool isOne() const { return amount && amount->isOne(); }
  bool isMinusOne() const { return amount && amount->isAllOnes(); }
};

/// Matches an increment. `variable` is set to the operand that is not the step.
std::optional<Increment> matchIncrement(Value value, llvm::function_ref<bool(Value)> isVariable) {
  auto flags = [](arith::IntegerOverflowFlags f) { return bitEnumContainsAll(f, arith::IntegerOverflowFlags::nsw); };
  if (auto add = value.getDefiningOp<arith::AddIOp>()) {
    bool left = isVariable(add.getLhs());
    if (!left && !isVariable(add.getRhs()))
      return std::nullopt;
    Value step = left ? add.getRhs() : add.getLhs();
    return Increment{left ? add.getLhs() : add.getRhs(), step, getConstant(step), flags(add.getOverflowFlags())};
  }
  if (auto sub = value.getDefiningOp<arith::SubIOp>())
    if (std::optional<APInt> amount = getConstant(sub.getRhs()); amount && isVariable(sub.getLhs()))
      if (!amount->isMinSignedValue())
        return Increment{sub.getLhs(), {}, -*amount, flags(sub.getOverflowFlags())};
  return std::nullopt;
}

/// The parameters of the counted loop, once the loop's condition has been analyzed.
struct Counting {
  Value lowerBound, upperBound, step; // of the scf.for
  bool isUnsigned = false;
  bool isDown = false;
  enum { Direct, Mirrored, Scaled } variable = Direct; // i = j, upperBound + lowerBound - j, or start + j * amount
  /// The induction variable after the loop, if there is a closed form.
  Value finalValue;
};

//===--- while (i < n) --------------------------------------------------------------------------------------------===//

/// A loop whose first region contains only its condition.
class WhileLoop {
public:
  explicit WhileLoop(scf::WhileOp loop)
      : loop(loop), before(loop.getBeforeBody()), after(loop.getAfterBody()), condition(loop.getConditionOp()),
        yield(loop.getYieldOp()) {}

  bool convert() {
    if (!matchCondition() || !matchForwarding() || !matchStep())
      return false;
    OpBuilder builder(loop);
    std::optional<Counting> counting = count(builder);
    if (!counting)
      return false;
    rewrite(builder, *counting);
    return true;
  }

private:
  static constexpr int outside = -1;

  /// Matches the condition `variable predicate bound`. The variable may be extended before the comparison.
  bool matchCondition() {
    auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || compare->getBlock() != before || !compare->hasOneUse())
      return false;
    comparison = compare;
    predicate = compare.getPredicate();
    Value counted = compare.getLhs();
    bound = compare.getRhs();
    if (loop.isDefinedOutsideOfLoop(counted)) {
      std::swap(counted, bound);
      predicate = swapSides(predicate);
    }
    if (!loop.isDefinedOutsideOfLoop(bound))
      return false;
    Operation *def = counted.getDefiningOp();
    if (def && def->getBlock() == before && isa<arith::ExtSIOp, arith::ExtUIOp>(def) && def->hasOneUse()) {
      widening = def;
      counted = def->getOperand(0);
    }
    auto argument = dyn_cast<BlockArgument>(counted);
    if (!argument || argument.getOwner() != before)
      return false;
    for (Operation &op : before->without_terminator())
      if (&op != compare.getOperation() && &op != widening)
        return false;
    variable = argument.getArgNumber();
    return !widening || narrowBound();
  }

  /// If the bound is an extended value of the variable's type, or a constant that fits that type, removes the extension
  /// of the variable, so that the comparison uses the narrow type.
  bool narrowBound() {
    Type narrow = widening->getOperand(0).getType();
    bool zeroExtended = isa<arith::ExtUIOp>(widening);
    auto toUnsigned = [&] {
      // Zero-extended values are not negative. So the narrow comparison is unsigned, whether the wide comparison is
      // signed or not.
      switch (predicate) {
      case Predicate::slt: return Predicate::ult;
      case Predicate::sle: return Predicate::ule;
      case Predicate::sgt: return Predicate::ugt;
      case Predicate::sge: return Predicate::uge;
      default: return predicate;
      }
    };
    Operation *boundDef = bound.getDefiningOp();
    if (boundDef && boundDef->getName() == widening->getName() && boundDef->getOperand(0).getType() == narrow) {
      bound = boundDef->getOperand(0);
    } else if (std::optional<APInt> constant = getConstant(bound)) {
      unsigned width = narrow.getIntOrFloatBitWidth();
      if (zeroExtended ? !constant->isIntN(width) : !constant->isSignedIntN(width))
        return false;
      OpBuilder builder(loop);
      bound =
          arith::ConstantOp::create(builder, bound.getLoc(), builder.getIntegerAttr(narrow, constant->trunc(width)));
    } else {
      return !zeroExtended && (predicate == Predicate::slt); // counts in the wide type
    }
    if (zeroExtended)
      predicate = toUnsigned();
    widening = nullptr;
    return true;
  }

  /// Checks that every value that is passed to the second region is an argument of the first region or is defined
  /// outside the loop.
  bool matchForwarding() {
    for (auto [i, value] : llvm::enumerate(condition.getArgs())) {
      auto argument = dyn_cast<BlockArgument>(value);
      if (argument && argument.getOwner() == before)
        forwarded.push_back(argument.getArgNumber());
      else if (loop.isDefinedOutsideOfLoop(value))
        forwarded.push_back(outside);
      else
        return false;
    }
    return true;
  }

  bool isVariableInBody(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == after && forwarded[argument.getArgNumber()] == static_cast<int>(variable);
  }

  bool matchStep() {
    std::optional<Increment> match =
        matchIncrement(yield.getResults()[variable], [&](Value v) { return isVariableInBody(v); });
    if (!match || (match->step && !moveOut(match->step)))
      return false;
    increment = *match;
    return true;
  }

  /// Returns true if `value` is defined outside the loop, or if it depends only on invariant values and has been moved
  /// out of the loop (as in tile += num_programs(0)).
  bool moveOut(Value value) {
    if (loop.isDefinedOutsideOfLoop(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || !isPure(op) || op->getNumRegions() ||
        !llvm::all_of(op->getOperands(), [&](Value v) { return moveOut(v); }))
      return false;
    op->moveBefore(loop);
    return true;
  }

  /// Decides how to count. Returns nothing if the loop cannot be counted.
  std::optional<Counting> count(OpBuilder &builder) {
    Value start = loop.getInits()[variable];
    std::optional<APInt> startConstant = getConstant(start);
    if (predicate == Predicate::ne) {
      if (increment.isOne() && increment.nsw)
        predicate = Predicate::slt;
      else if (increment.isOne() && !widening && startConstant && startConstant->isZero())
        predicate = Predicate::ult;
      else if (increment.isMinusOne() && increment.nsw)
        predicate = Predicate::sgt;
    }
    Counting result;
    bool inclusive = false;
    switch (predicate) {
    case Predicate::slt:
    case Predicate::ult: break;
    case Predicate::sle:
    case Predicate::ule: inclusive = true; break;
    case Predicate::sgt:
    case Predicate::ugt: result.isDown = true; break;
    case Predicate::sge:
    case Predicate::uge: result.isDown = inclusive = true; break;
    default: return std::nullopt;
    }
    result.isUnsigned = isUnsigned(predicate);
    if (!stepFits(result.isDown, result.isUnsigned))
      return std::nullopt;

    Location loc = loop.getLoc();
    Type type = bound.getType();
    auto constant = [&](const APInt &value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
    };
    auto widen = [&](Value value) -> Value {
      return value.getType() == type ? value : Value(arith::ExtSIOp::create(builder, loc, type, value));
    };
    APInt one(type.getIntOrFloatBitWidth(), 1);
    result.lowerBound = widen(start);
    result.upperBound = bound;
    if (result.isDown) {
      std::swap(result.lowerBound, result.upperBound);
      if (inclusive)
        result.lowerBound = arith::SubIOp::create(builder, loc, result.lowerBound, constant(one));
      result.step = constant(one);
      result.variable = Counting::Mirrored;
    } else {
      if (inclusive)
        result.upperBound = arith::AddIOp::create(builder, loc, result.upperBound, constant(one));
      result.step = increment.step ? widen(increment.step) : constant(increment.amount->sext(one.getBitWidth()));
    }
    if (increment.isOne() || increment.isMinusOne())
      result.finalValue = getFinalValue(result);
    else if (result.isDown)
      countIterations(builder, result);
    return result;
  }

  /// Computes the number of iterations: lb > n ? (lb - n - 1) / step + 1 : 0. The arithmetic is unsigned, because a
  /// signed difference may overflow.
  void countIterations(OpBuilder &builder, Counting &counting) {
    Location loc = loop.getLoc();
    Type type = counting.step.getType();
    Value high = counting.upperBound, low = counting.lowerBound, one = counting.step;
    Value zero = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, 0));
    Value step = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, -*increment.amount));
    Value distance = arith::SubIOp::create(builder, loc, arith::SubIOp::create(builder, loc, high, low), one);
    Value iterations = arith::AddIOp::create(builder, loc, arith::DivUIOp::create(builder, loc, distance, step), one);
    Value any = arith::CmpIOp::create(builder, loc, Predicate::sgt, high, low);
    counting.upperBound = arith::SelectOp::create(builder, loc, any, iterations, zero);
    counting.lowerBound = zero;
    counting.variable = Counting::Scaled;
  }

  bool stepFits(bool isDown, bool isUnsigned) {
    if (isDown) {
      // The bound is arbitrary, so an unsigned variable could skip it with any step other than one.
      if (isUnsigned)
        return !widening && increment.isMinusOne();
      return !widening && increment.amount && increment.amount->isNegative() && !increment.amount->isMinSignedValue() &&
             increment.nsw;
    }
    if (increment.amount ? !increment.amount->isStrictlyPositive() : !increment.nsw)
      return false;
    return increment.nsw || increment.isOne() || (isUnsigned && increment.amount->isPowerOf2());
  }

  /// Returns the value at which counting by one stops: the bound, unless the loop has started beyond it.
  Value getFinalValue(const Counting &counting) {
    if (!variableIsResult())
      return {};
    OpBuilder builder(loop->getContext());
    builder.setInsertionPointAfter(loop);
    Location loc = loop.getLoc();
    Value a = counting.lowerBound, b = counting.upperBound;
    Value result;
    if (counting.isDown)
      result = counting.isUnsigned ? Value(arith::MinUIOp::create(builder, loc, a, b))
                                   : Value(arith::MinSIOp::create(builder, loc, a, b));
    else
      result = counting.isUnsigned ? Value(arith::MaxUIOp::create(builder, loc, a, b))
                                   : Value(arith::MaxSIOp::create(builder, loc, a, b));
    Type type = loop.getInits()[variable].getType();
    return result.getType() == type ? result : Value(arith::TruncIOp::create(builder, loc, type, result));
  }

  bool variableIsResult() {
    for (auto [i, source] : llvm::enumerate(forwarded))
      if (source == static_cast<int>(variable) && !loop.getResult(i).use_empty())
        return true;
    return false;
  }

  void rewrite(OpBuilder &builder, const Counting &counting) {
    Location loc = loop.getLoc();
    Value start = loop.getInits()[variable];
    // Carry the induction variable only if it is used after the loop and has no closed form.
    bool carried = variableIsResult() && !counting.finalValue;
    SmallVector<Value> inits;
    for (auto [i, init] : llvm::enumerate(loop.getInits()))
      if (i != variable)
        inits.push_back(init);
    if (carried)
      inits.push_back(start);

    builder.setInsertionPoint(loop);
    auto forOp = scf::ForOp::create(
        builder, loc, counting.lowerBound, counting.upperBound, counting.step, inits,
        [](OpBuilder &, Location, Value, ValueRange) {}, counting.isUnsigned);
    forOp->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    for (StringRef name : tt::loopAttributes)
      if (Attribute option = comparison->getDiscardableAttr(name))
        forOp->setDiscardableAttr(name, option);
    Block *body = forOp.getBody();
    auto inBody = OpBuilder::atBlockBegin(body);
    Value index = forOp.getInductionVar();
    if (counting.variable == Counting::Mirrored) {
      index = arith::SubIOp::create(inBody, loc, counting.upperBound, index);
      index = arith::AddIOp::create(inBody, loc, index, counting.lowerBound);
    } else if (counting.variable == Counting::Scaled) {
      Value amount = arith::ConstantOp::create(inBody, loc, inBody.getIntegerAttr(index.getType(), *increment.amount));
      index = arith::AddIOp::create(inBody, loc, start, arith::MulIOp::create(inBody, loc, index, amount));
    }
    if (index.getType() != start.getType())
      index = arith::TruncIOp::create(inBody, loc, start.getType(), index);

    auto slot = [&](int argument) { return argument - (argument > static_cast<int>(variable)); };
    for (auto [i, source] : llvm::enumerate(forwarded)) {
      Value value = source == outside                      ? condition.getArgs()[i]
                    : source == static_cast<int>(variable) ? index
                                                           : Value(forOp.getRegionIterArg(slot(source)));
      after->getArgument(i).replaceAllUsesWith(value);
    }
    SmallVector<Value> yielded;
    for (auto [i, value] : llvm::enumerate(yield.getResults()))
      if (i != variable)
        yielded.push_back(value);
    if (carried)
      yielded.push_back(yield.getResults()[variable]);
    Location yieldLoc = yield.getLoc();
    yield.erase();
    body->getOperations().splice(body->end(), after->getOperations());
    auto atEnd = OpBuilder::atBlockEnd(body);
    scf::YieldOp::create(atEnd, yieldLoc, yielded);

    for (auto [i, source] : llvm::enumerate(forwarded)) {
      Value value = source == outside                      ? condition.getArgs()[i]
                    : source != static_cast<int>(variable) ? Value(forOp.getResult(slot(source)))
                    : counting.finalValue                  ? counting.finalValue
                    : carried                              ? Value(forOp.getResults().back())
                                                           : Value();
      if (value)
        loop.getResult(i).replaceAllUsesWith(value);
    }
    loop.erase();
  }

  scf::WhileOp loop;
  Block *before, *after;
  scf::ConditionOp condition;
  scf::YieldOp yield;

  unsigned variable = 0; // index of the induction variable among the first region's arguments
  Predicate predicate = Predicate::slt;
  Operation *comparison = nullptr; // holds the options of a loop over tt::range
  Value bound;
  Operation *widening = nullptr; // the extension of the variable before the comparison
  SmallVector<int> forwarded; // for each argument of the second region, its argument of the first, or `outside`
  Increment increment;
};

//===--- do { } while (++i < n) -----------------------------------------------------------------------------------===//

/// A loop whose second region is empty.
class DoWhileLoop {
public:
  explicit DoWhileLoop(scf::WhileOp loop)
      : loop(loop), before(loop.getBeforeBody()), after(loop.getAfterBody()), condition(loop.getConditionOp()),
        yield(loop.getYieldOp()) {}

  bool convert() {
    if (!llvm::hasSingleElement(*after) || !matchCarried() || !matchCondition())
      return false;
    rewrite();
    return true;
  }

private:
  /// Checks that the second region only yields its arguments.
  bool matchCarried() {
    for (Value value : yield.getResults()) {
      auto argument = dyn_cast<BlockArgument>(value);
      if (!argument || argument.getOwner() != after)
        return false;
      carried.push_back(argument.getArgNumber());
    }
    return true;
  }

  bool matchCondition() {
    auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || compare->getBlock() != before || !compare->hasOneUse() ||
        !loop.isDefinedOutsideOfLoop(compare.getRhs()))
      return false;
    std::optional<Increment> match = matchIncrement(compare.getLhs(), [&](Value v) {
      auto argument = dyn_cast<BlockArgument>(v);
      return argument && argument.getOwner() == before;
    });
    if (!match || !match->amount || !match->amount->isStrictlyPositive() || !match->nsw)
      return false;
    bool notEqual = compare.getPredicate() == Predicate::ne && match->isOne();
    if (compare.getPredicate() != Predicate::slt && !notEqual)
      return false;
    increment = *match;
    next = compare.getLhs();
    bound = compare.getRhs();
    variable = cast<BlockArgument>(increment.variable).getArgNumber();
    return next.getDefiningOp()->getBlock() == before && condition.getArgs()[carried[variable]] == next;
  }

  void rewrite() {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value start = loop.getInits()[variable];
    Type type = start.getType();
    auto constant = [&](const APInt &value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
    };
    Value one = constant(APInt(type.getIntOrFloatBitWidth(), 1));
    Value second = arith::AddIOp::create(builder, loc, start, one);
    Value end = arith::MaxSIOp::create(builder, loc, bound, second);

    SmallVector<Value> inits, yielded;
    for (auto [i, init] : llvm::enumerate(loop.getInits()))
      if (i != variable) {
        inits.push_back(init);
        yielded.push_back(condition.getArgs()[carried[i]]);
      }
    // Carry the results that no iteration reads, and the variable if its final value has no closed form. The loop runs
    // at least once, so their initial values do not matter.
    SmallVector<Value> finalValues(loop.getNumResults());
    for (OpResult result : loop.getResults()) {
      unsigned i = result.getResultNumber();
      if (result.use_empty())
        continue;
      if (condition.getArgs()[i] == next && increment.isOne()) {
        finalValues[i] = end;
        continue;
      }
      unsigned position = 0; // among the carried values
      for (unsigned k = 0; k < carried.size(); ++k) {
        if (k == variable)
          continue;
        if (carried[k] == i)
          break;
        ++position;
      }
      if (position + 1 == carried.size()) { // not carried
        position = yielded.size();
        inits.push_back(ub::PoisonOp::create(builder, loc, result.getType(), ub::PoisonAttr::get(loop.getContext())));
        yielded.push_back(condition.getArgs()[i]);
      }
      positions.push_back({i, position});
    }

    auto forOp = scf::ForOp::create(builder, loc, start, end, constant(*increment.amount), inits,
                                    [](OpBuilder &, Location, Value, ValueRange) {});
    forOp->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    unsigned slot = 0;
    for (BlockArgument argument : before->getArguments())
      argument.replaceAllUsesWith(argument.getArgNumber() == variable ? forOp.getInductionVar()
                                                                      : Value(forOp.getRegionIterArg(slot++)));
    for (Value &value : yielded)
      if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == before)
        value = forArgument(forOp, argument);
    Location yieldLoc = condition.getLoc();
    Operation *compare = condition.getCondition().getDefiningOp();
    condition.erase();
    compare->erase();
    Block *body = forOp.getBody();
    body->getOperations().splice(body->end(), before->getOperations());
    auto atEnd = OpBuilder::atBlockEnd(body);
    scf::YieldOp::create(atEnd, yieldLoc, yielded);

    for (auto [i, position] : positions)
      finalValues[i] = forOp.getResult(position);
    for (auto [result, value] : llvm::zip(loop.getResults(), finalValues))
      if (value)
        result.replaceAllUsesWith(value);
    loop.erase();
  }

  Value forArgument(scf::ForOp forOp, BlockArgument argument) {
    unsigned i = argument.getArgNumber();
    return i == variable ? forOp.getInductionVar() : Value(forOp.getRegionIterArg(i - (i > variable)));
  }

  scf::WhileOp loop;
  Block *before, *after;
  scf::ConditionOp condition;
  scf::YieldOp yield;

  SmallVector<unsigned> carried; // for each argument of the first region, the index of its operand in the condition
  unsigned variable = 0;
  Increment increment;
  Value next, bound;
  SmallVector<std::pair<unsigned, unsigned>> positions; // pairs of result indices: of the while, of the for
};

struct WhileToFor : impl::TTWhileToForBase<WhileToFor> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops)
      if (!WhileLoop(loop).convert())
        DoWhileLoop(loop).convert();
  }
};

} // namespace
} // namespace tilecc
