//===- Remainder.cpp - the remainder of floating-point numbers ----------------------------------------------------===//
//
// x % y is C's fmod, which is exact, because the remainder has no more digits than y. GPUs have no instruction for
// fmod, and LLVM's expansion, x - trunc(x / y) * y, is wrong if the quotient has more digits than the type.
//
// One step of the expansion is correct for quotients below 2^(digits - 2): the rounded quotient is at most one too
// large, product and difference are computed by one exact FMA, and if the result is negative, y is added. For larger
// quotients, y is first multiplied by powers of 2^step until one step suffices. Then y is repeatedly divided by 2^step,
// with one step on the remainder each time. All these products are exact, and the loops are rarely entered.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"

using namespace mlir;
using namespace tilecc;

namespace {

class Remainder {
public:
  Remainder(OpBuilder &builder, Location loc, FloatType type)
      : b(builder), loc(loc), type(type), step(type.getFPMantissaWidth() - 2) {}

  Value of(Value x, Value y) {
    Value a = LLVM::FAbsOp::create(b, loc, x), divisor = LLVM::FAbsOp::create(b, loc, y);
    Value limit = LLVM::FMulOp::create(b, loc, divisor, power(step));
    // False for zeros and NaNs, and if the limit is infinite.
    Value isLarge =
        both(both(compare(LLVM::FCmpPredicate::oge, a, limit), compare(LLVM::FCmpPredicate::ogt, divisor, number(0))),
             compare(LLVM::FCmpPredicate::olt, a, number(std::numeric_limits<double>::infinity())));
    return LLVM::CopySignOp::create(b, loc, oneStep(reduce(a, divisor, isLarge), divisor), x);
  }

private:
  Value number(double value) { return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value)); }
  Value power(int exponent) { return number(std::ldexp(1.0, exponent)); }
  Value compare(LLVM::FCmpPredicate predicate, Value x, Value y) {
    return LLVM::FCmpOp::create(b, loc, predicate, x, y);
  }
  Value both(Value x, Value y) { return LLVM::AndOp::create(b, loc, x, y); }

  /// Returns `a` modulo `divisor`, both positive, for a small quotient. For infinities and zeros, the result is as C
  /// specifies.
  Value oneStep(Value a, Value divisor) {
    Value quotient = LLVM::FTruncOp::create(b, loc, LLVM::FDivOp::create(b, loc, a, divisor));
    Value rest = LLVM::FMAOp::create(b, loc, LLVM::FNegOp::create(b, loc, quotient), divisor, a);
    Value more = LLVM::FAddOp::create(b, loc, rest, divisor);
    rest = LLVM::SelectOp::create(b, loc, compare(LLVM::FCmpPredicate::olt, rest, number(0)), more, rest);
    return LLVM::SelectOp::create(b, loc, compare(LLVM::FCmpPredicate::olt, a, divisor), a, rest);
  }

  /// Reduces `a` below 2^step * `divisor`. If `isLarge` is false, returns `a` without an iteration of the loops.
  Value reduce(Value a, Value divisor, Value isLarge) {
    Value up = power(step), down = power(-step);
    Value enough = LLVM::SelectOp::create(b, loc, isLarge, LLVM::FMulOp::create(b, loc, a, down), number(-1));
    auto raise = scf::WhileOp::create(
        b, loc, TypeRange(type), ValueRange(divisor),
        [&](OpBuilder &, Location, ValueRange scaled) {
          scf::ConditionOp::create(b, loc, compare(LLVM::FCmpPredicate::ole, scaled[0], enough), scaled);
        },
        [&](OpBuilder &, Location, ValueRange scaled) {
          scf::YieldOp::create(b, loc, LLVM::FMulOp::create(b, loc, scaled[0], up).getResult());
        });
    auto lower = scf::WhileOp::create(
        b, loc, TypeRange{type, type}, ValueRange{raise.getResult(0), a},
        [&](OpBuilder &, Location, ValueRange carried) {
          scf::ConditionOp::create(b, loc, compare(LLVM::FCmpPredicate::ogt, carried[0], divisor), carried);
        },
        [&](OpBuilder &, Location, ValueRange carried) {
          Value rest = oneStep(carried[1], carried[0]);
          Value next = LLVM::FMulOp::create(b, loc, carried[0], down);
          scf::YieldOp::create(b, loc, ValueRange{next, rest});
        });
    return lower.getResult(1);
  }

  OpBuilder &b;
  Location loc;
  FloatType type;
  int step;
};

} // namespace

void tilecc::expandRemainders(ModuleOp module) {
  SmallVector<arith::RemFOp> remainders;
  module.walk([&](arith::RemFOp op) { remainders.push_back(op); });
  for (arith::RemFOp op : remainders) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto type = cast<FloatType>(op.getType());
    Value x = op.getLhs(), y = op.getRhs();
    bool isNarrow = type.getWidth() < 32; // f32 represents all numbers of these types, and thus their remainders
    FloatType wide = isNarrow ? builder.getF32Type() : type;
    for (Value *operand : {&x, &y})
      if (isNarrow)
        *operand = LLVM::FPExtOp::create(builder, loc, wide, *operand);
    Value result = Remainder(builder, loc, wide).of(x, y);
    op.replaceAllUsesWith(isNarrow ? LLVM::FPTruncOp::create(builder, loc, type, result).getResult() : result);
    op.erase();
  }
}
