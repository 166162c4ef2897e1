//===- Math.cpp - scalar functions of floating-point numbers --------------------------------------------------------===//
//
// What the hardware has is asked of the target; the rest is computed here, without a math library: a kernel needs no
// libdevice to link. f16 and bf16 compute in f32.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Arithmetic on scalars of one floating-point type, for formulas that read like formulas.
class Formula {
public:
  Formula(OpBuilder &builder, Location loc, Type type) : builder(builder), loc(loc), type(type) {}

  Value number(double value) { return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value)); }
  Value add(Value x, Value y) { return LLVM::FAddOp::create(builder, loc, x, y); }
  Value sub(Value x, Value y) { return LLVM::FSubOp::create(builder, loc, x, y); }
  Value mul(Value x, Value y) { return LLVM::FMulOp::create(builder, loc, x, y); }
  Value div(Value x, Value y) { return LLVM::FDivOp::create(builder, loc, x, y); }
  Value fma(Value x, Value y, Value z) { return LLVM::FMAOp::create(builder, loc, x, y, z); }
  Value negate(Value x) { return LLVM::FNegOp::create(builder, loc, x); }
  Value select(Value condition, Value x, Value y) { return LLVM::SelectOp::create(builder, loc, condition, x, y); }
  Value less(Value x, Value y) { return LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::olt, x, y); }
  Value equal(Value x, Value y) { return LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::oeq, x, y); }
  /// c[0] + c[1] x + c[2] x^2 + …
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = number(coefficients.back());
    for (double c : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, number(c));
    return sum;
  }

  OpBuilder &builder;
  Location loc;
  Type type;
};

/// Integers as wide as the number, for its bits.
class Bits {
public:
  Bits(OpBuilder &builder, Location loc, unsigned width)
      : builder(builder), loc(loc), type(builder.getIntegerType(width)) {}
  Value number(int64_t value) { return arith::ConstantIntOp::create(builder, loc, type, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(builder, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(builder, loc, x, y); }
  Value and_(Value x, Value y) { return arith::AndIOp::create(builder, loc, x, y); }
  Value shl(Value x, int64_t by) { return arith::ShLIOp::create(builder, loc, x, number(by)); }
  Value shr(Value x, int64_t by) { return arith::ShRSIOp::create(builder, loc, x, number(by)); }
  Value of(Value x) { return LLVM::BitcastOp::create(builder, loc, type, x); }
  OpBuilder &builder;
  Location loc;
  Type type;
};

constexpr double log2e = 1.4426950408889634, ln2 = 0.6931471805599453;

/// 2^n for an integer n within a normal number's exponents.
Value powerOfTwo(Formula &f, Bits &i, Value n, unsigned mantissa, unsigned bias) {
  return LLVM::BitcastOp::create(f.builder, f.loc, f.type, i.shl(i.add(n, i.number(bias)), mantissa));
}

/// e^r for |r| <= ln2 / 2, by its Taylor series: the first term left out is below 2^-57.
Value expOfSmall(Formula &f, Value r) {
  SmallVector<double> coefficients;
  double factorial = 1;
  for (int k = 0; k <= 13; ++k) {
    coefficients.push_back(1 / factorial);
    factorial *= k + 1;
  }
  return f.polynomial(r, coefficients);
}

/// e^(n ln2 + r), with n a whole number as a float. The scale is applied in two halves, since 2^n alone may overflow.
Value scaleExp64(Formula &f, Value n, Value r) {
  Bits i(f.builder, f.loc, 64);
  Value whole = LLVM::FPToSIOp::create(f.builder, f.loc, i.type, n);
  Value half = i.shr(whole, 1);
  Value result = f.mul(expOfSmall(f, r), powerOfTwo(f, i, half, 52, 1023));
  return f.mul(result, powerOfTwo(f, i, i.sub(whole, half), 52, 1023));
}

/// Keeps n where both halves of 2^n are normal numbers; beyond it the result is 0 or infinity all the same. NaN stays.
Value clampExponent(Formula &f, Value n) {
  n = f.select(f.less(n, f.number(-1200)), f.number(-1200), n);
  return f.select(f.less(f.number(1200), n), f.number(1200), n);
}

Value exp64(Formula &f, Value x) {
  Value n = clampExponent(f, LLVM::RintOp::create(f.builder, f.loc, f.mul(x, f.number(log2e))));
  Value r = f.fma(n, f.number(-6.93147180369123816490e-01), x); // ln2 in two parts: n times the first is exact
  r = f.fma(n, f.number(-1.90821492927058770002e-10), r);
  Value result = scaleExp64(f, n, r);
  // Where n was limited r is out of its range, and infinite for an infinite x.
  result = f.select(f.less(f.number(710), x), f.number(std::numeric_limits<double>::infinity()), result);
  return f.select(f.less(x, f.number(-746)), f.number(0), result);
}

Value exp2of64(Formula &f, Value x) {
  Value n = clampExponent(f, LLVM::RintOp::create(f.builder, f.loc, x));
  Value result = scaleExp64(f, n, f.mul(f.sub(x, n), f.number(ln2)));
  result = f.select(f.less(f.number(1024), x), f.number(std::numeric_limits<double>::infinity()), result);
  return f.select(f.less(x, f.number(-1076)), f.number(0), result);
}

/// A positive number as m * 2^e with m in [sqrt(1/2), sqrt(2)); e as a float.
std::pair<Value, Value> splitNumber(Formula &f, Value x) {
  bool is32 = f.type.isF32();
  unsigned width = is32 ? 32 : 64, mantissa = is32 ? 23 : 52;
  Bits i(f.builder, f.loc, width);
  // Subnormal numbers are first made normal.
  double scale = is32 ? 0x1p25 : 0x1p54, smallest = is32 ? 0x1p-126 : 0x1p-1022;
  Value tiny = f.less(x, f.number(smallest));
  x = f.select(tiny, f.mul(x, f.number(scale)), x);
  Value bits = i.of(x);
  int64_t rootHalf = is32 ? 0x3f3504f3 : 0x3fe6a09e667f3bcd; // the bits of sqrt(1/2)
  Value e = i.shr(i.sub(bits, i.number(rootHalf)), mantissa);
  Value m = LLVM::BitcastOp::create(f.builder, f.loc, f.type, i.sub(bits, i.shl(e, mantissa)));
  Value exponent = LLVM::SIToFPOp::create(f.builder, f.loc, f.type, e);
  exponent = f.add(exponent, f.select(tiny, f.number(is32 ? -25 : -54), f.number(0)));
  return {m, exponent};
}

/// Zero, infinity, NaN and negative numbers, of which the formulas know nothing.
Value specialLogs(Formula &f, Value x, Value result) {
  double infinity = std::numeric_limits<double>::infinity();
  result = f.select(f.less(x, f.number(infinity)), result, x); // infinity and NaN
  result = f.select(f.less(x, f.number(0)), f.number(std::numeric_limits<double>::quiet_NaN()), result);
  return f.select(f.equal(x, f.number(0)), f.number(-infinity), result);
}

/// ln(x), in f32, by a polynomial for ln(1 + t) (its coefficients are those of the Cephes library).
Value log32(Formula &f, Value x) {
  auto [m, e] = splitNumber(f, x);
  Value t = f.sub(m, f.number(1)), square = f.mul(t, t);
  Value p = f.polynomial(t, {3.3333331174E-1, -2.4999993993E-1, 2.0000714765E-1, -1.6668057665E-1, 1.4249322787E-1,
                             -1.2420140846E-1, 1.1676998740E-1, -1.1514610310E-1, 7.0376836292E-2});
  Value rest = f.mul(f.mul(t, square), p);
  rest = f.fma(e, f.number(-2.12194440e-4), rest); // ln2 in two parts
  rest = f.fma(square, f.number(-0.5), rest);
  return specialLogs(f, x, f.fma(e, f.number(0.693359375), f.add(t, rest)));
}

/// 2/3 + 2/5 z + 2/7 z^2 + …, for z below 0.03.
Value artanhSeries(Formula &f, Value z) {
  SmallVector<double> coefficients;
  for (int k = 1; k <= 12; ++k)
    coefficients.push_back(2.0 / (2 * k + 1));
  return f.polynomial(z, coefficients);
}

/// ln(m) for m in [sqrt(1/2), sqrt(2)) as t - (t^2/2 - s (t^2/2 + R)), where s = t / (2 + t) and R is the rest of the
/// series of 2 artanh(s); returns t and what is subtracted from it.
std::pair<Value, Value> logOfMantissa64(Formula &f, Value m) {
  Value t = f.sub(m, f.number(1));
  Value s = f.div(t, f.add(t, f.number(2))), z = f.mul(s, s);
  Value rest = f.mul(z, artanhSeries(f, z));
  Value half = f.mul(f.number(0.5), f.mul(t, t));
  return {t, f.sub(half, f.mul(s, f.add(half, rest)))};
}

Value log64(Formula &f, Value x) {
  auto [m, e] = splitNumber(f, x);
  auto [t, correction] = logOfMantissa64(f, m);
  Value low = f.fma(e, f.number(-1.90821492927058770002e-10), correction);
  return specialLogs(f, x, f.fma(e, f.number(6.93147180369123816490e-01), f.sub(t, low)));
}

Value log2of32(Formula &f, Value x) {
  auto [m, e] = splitNumber(f, x);
  Value t = f.sub(m, f.number(1)), square = f.mul(t, t);
  Value p = f.polynomial(t, {3.3333331174E-1, -2.4999993993E-1, 2.0000714765E-1, -1.6668057665E-1, 1.4249322787E-1,
                             -1.2420140846E-1, 1.1676998740E-1, -1.1514610310E-1, 7.0376836292E-2});
  Value rest = f.fma(square, f.number(-0.5), f.mul(f.mul(t, square), p));
  // (t + rest) * log2(e), with log2(e) = 1 + 0.44…, so that the large parts are added last.
  Value low = f.fma(rest, f.number(log2e - 1), f.mul(t, f.number(log2e - 1)));
  return specialLogs(f, x, f.add(e, f.add(t, f.add(rest, low))));
}

/// log2(x) in f64. ln(m) is kept as a sum of two numbers, and log2(e) too, or their product would be off by more than a
/// unit in the last place.
Value log2of64(Formula &f, Value x) {
  auto [m, e] = splitNumber(f, x);
  Value t = f.sub(m, f.number(1));
  Value s = f.div(t, f.add(t, f.number(2))), z = f.mul(s, s);
  Value halfOfT = f.mul(f.number(0.5), t), half = f.mul(halfOfT, t);
  Value halfRest = f.fma(halfOfT, t, f.negate(half)); // what rounding took from t^2 / 2
  Value high = f.sub(t, half);
  Value low = f.sub(f.sub(f.sub(t, high), half), halfRest);
  low = f.fma(s, f.add(half, f.mul(z, artanhSeries(f, z))), low);
  Value sum = f.add(high, low);
  low = f.add(f.sub(high, sum), low);
  const double log2eRest = 2.0355273740931033e-17;
  Value product = f.mul(sum, f.number(log2e));
  Value productRest = f.fma(sum, f.number(log2e), f.negate(product));
  productRest = f.add(productRest, f.fma(low, f.number(log2e), f.mul(sum, f.number(log2eRest))));
  Value result = f.add(e, product);
  Value resultRest = f.add(f.sub(e, result), product);
  return specialLogs(f, x, f.add(result, f.add(resultRest, productRest)));
}

/// A scalar math operation by a formula on f32 or f64.
template <typename OpT> struct FormulaPattern : OpRewritePattern<OpT> {
  using Function = std::function<Value(Formula &, Value)>;
  FormulaPattern(MLIRContext *context, Function function) : OpRewritePattern<OpT>(context), function(function) {}

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type)
      return failure();
    Location loc = op.getLoc();
    bool narrow = type.getWidth() < 32;
    Formula f(rewriter, loc, narrow ? rewriter.getF32Type() : type);
    Value x = op.getOperand();
    if (narrow)
      x = LLVM::FPExtOp::create(rewriter, loc, f.type, x);
    Value result = function(f, x);
    if (narrow)
      result = LLVM::FPTruncOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
  Function function;
};

struct DividePattern : OpRewritePattern<arith::DivFOp> {
  DividePattern(MLIRContext *context, const TargetInfo &target)
      : OpRewritePattern(context, /*benefit=*/2), target(target) {}
  LogicalResult matchAndRewrite(arith::DivFOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type)
      return failure();
    Location loc = op.getLoc();
    Value x = op.getLhs(), y = op.getRhs();
    if (type.getWidth() < 32) {
      x = LLVM::FPExtOp::create(rewriter, loc, rewriter.getF32Type(), x);
      y = LLVM::FPExtOp::create(rewriter, loc, rewriter.getF32Type(), y);
    }
    Value result = target.divide(rewriter, loc, x, y);
    if (type.getWidth() < 32)
      result = LLVM::FPTruncOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
  const TargetInfo &target;
};

/// A float to a truth value goes through i32: LLVM 22 selects the inverted comparison for a conversion to i1.
template <typename OpT> struct ToBoolPattern : OpRewritePattern<OpT> {
  explicit ToBoolPattern(MLIRContext *context) : OpRewritePattern<OpT>(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!op.getType().isInteger(1))
      return failure();
    Value wide = OpT::create(rewriter, op.getLoc(), rewriter.getI32Type(), op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, op.getType(), wide);
    return success();
  }
};

struct AbsPattern : OpRewritePattern<math::AbsFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::AbsFOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::FAbsOp>(op, op.getOperand());
    return success();
  }
};

struct FmaPattern : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FmaOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::FMAOp>(op, op.getA(), op.getB(), op.getC());
    return success();
  }
};

struct AbsIntPattern : OpRewritePattern<math::AbsIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::AbsIOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::AbsOp>(op, op.getType(), op.getOperand(), /*is_int_min_poison=*/false);
    return success();
  }
};

template <typename From, typename To> struct RoundPattern : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, op.getOperand());
    return success();
  }
};

} // namespace

void tilecc::populateMathPatterns(RewritePatternSet &patterns, const TargetInfo &target) {
  MLIRContext *context = patterns.getContext();
  patterns.add<FormulaPattern<math::ExpOp>>(context, [&target](Formula &f, Value x) {
    return f.type.isF64() ? exp64(f, x) : target.exp2(f.builder, f.loc, f.mul(x, f.number(log2e)));
  });
  patterns.add<FormulaPattern<math::Exp2Op>>(context, [&target](Formula &f, Value x) {
    return f.type.isF64() ? exp2of64(f, x) : target.exp2(f.builder, f.loc, x);
  });
  patterns.add<FormulaPattern<math::LogOp>>(
      context, [](Formula &f, Value x) { return f.type.isF64() ? log64(f, x) : log32(f, x); });
  patterns.add<FormulaPattern<math::Log2Op>>(
      context, [](Formula &f, Value x) { return f.type.isF64() ? log2of64(f, x) : log2of32(f, x); });
  patterns.add<FormulaPattern<math::SqrtOp>>(
      context, [&target](Formula &f, Value x) { return target.sqrt(f.builder, f.loc, x); });
  patterns.add<DividePattern>(context, target);
  patterns.add<ToBoolPattern<arith::FPToSIOp>, ToBoolPattern<arith::FPToUIOp>>(context);
  patterns.add<AbsPattern, AbsIntPattern, FmaPattern, RoundPattern<math::FloorOp, LLVM::FFloorOp>,
               RoundPattern<math::CeilOp, LLVM::FCeilOp>>(context);
}
