//===- Float8.cpp - conversions of 8-bit and 4-bit floats ---------------------------------------------------------===//
//
// In registers, an 8-bit float is an i8. It is extended to f16, which represents all values of both 8-bit types, and
// from there to other types. Rounding starts from f32, which represents all f16 and bf16 values. An f64 is first
// rounded to f32 by round-to-odd, which makes double rounding correct. A target may have instructions that convert
// pairs; otherwise the bits are computed:
//
//   e5m2 is the upper half of an f16: targets permute bytes. e4m3fn, shifted to the fields of f16, is an f16 that is
//   2^8 times too small. Multiplying by 2^8 is exact, even if that number was subnormal.
//
//   Rounding adds half of the last digit that is kept, minus one if that digit is even, and truncates. Carries into the
//   exponent give the correct result. If the result is subnormal, the code instead adds a number whose last digit has
//   the weight of the result's last digit, which rounds.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"

using namespace mlir;
using namespace tilecc;

namespace {

class Conversion {
public:
  Conversion(OpBuilder &builder, Location loc, const TargetInfo &target, Type float8)
      : b(builder), loc(loc), target(target), float8(float8), isE5M2(isa<Float8E5M2Type>(float8)) {}

  /// Extends i8 to f16.
  SmallVector<Value> extend(ValueRange bytes) {
    SmallVector<Value> results;
    Type i16 = b.getI16Type();
    for (unsigned i = 0; i < bytes.size(); i += 2) {
      Value low = arith::ExtUIOp::create(b, loc, i16, bytes[i]), pair = low;
      if (i + 1 < bytes.size())
        pair = shiftedOr(arith::ExtUIOp::create(b, loc, i16, bytes[i + 1]), 8, low);
      if (Value halves = target.extendFloat8(b, loc, float8, pair)) {
        auto both = unpackVector(b, loc, halves);
        results.append(both.begin(), both.begin() + std::min<size_t>(2, bytes.size() - i));
        continue;
      }
      for (Value byte : bytes.slice(i, std::min<size_t>(2, bytes.size() - i)))
        results.push_back(extendBits(byte));
    }
    return results;
  }

  /// Rounds f16 or f32 to i8.
  SmallVector<Value> round(ValueRange values) {
    SmallVector<Value> results;
    Type i8 = b.getI8Type();
    for (unsigned i = 0; i < values.size(); i += 2) {
      bool isPair = i + 1 < values.size();
      Value pair = target.truncateToFloat8(b, loc, float8, {values[i], values[isPair ? i + 1 : i]});
      if (!pair) {
        for (Value value : values.slice(i, isPair ? 2 : 1))
          results.push_back(
              roundBits(value.getType().isF32() ? value : Value(arith::ExtFOp::create(b, loc, b.getF32Type(), value))));
        continue;
      }
      results.push_back(arith::TruncIOp::create(b, loc, i8, pair));
      if (isPair)
        results.push_back(
            arith::TruncIOp::create(b, loc, i8, arith::ShRUIOp::create(b, loc, pair, constant(pair.getType(), 8))));
    }
    return results;
  }

  /// Rounds f64 to f32 by round-to-odd: if any nonzero digits are cut off, the last digit kept is odd.
  Value roundToOdd(Value x) {
    Type f32 = b.getF32Type(), i32 = b.getI32Type();
    Value nearest = arith::TruncFOp::create(b, loc, f32, x);
    Value back = arith::ExtFOp::create(b, loc, x.getType(), nearest);
    Value bits = arith::BitcastOp::create(b, loc, i32, nearest);
    Value away = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, math::AbsFOp::create(b, loc, back),
                                       math::AbsFOp::create(b, loc, x));
    Value towardsZero = arith::SubIOp::create(b, loc, bits, arith::ExtUIOp::create(b, loc, i32, away));
    Value odd = arith::OrIOp::create(b, loc, towardsZero, constant(i32, 1));
    Value isInexact = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ONE, back, x);
    return arith::BitcastOp::create(b, loc, f32, arith::SelectOp::create(b, loc, isInexact, odd, bits));
  }

private:
  Value constant(Type type, int64_t value) { return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value)); }
  Value shiftedOr(Value high, unsigned bits, Value low) {
    Value shifted = arith::ShLIOp::create(b, loc, high, constant(high.getType(), bits));
    return arith::OrIOp::create(b, loc, shifted, low);
  }

  /// Extends e4m3fn.
  Value extendBits(Value byte) {
    Type i16 = b.getI16Type(), f16 = b.getF16Type();
    Value wide = arith::ExtUIOp::create(b, loc, i16, byte);
    Value magnitude = arith::AndIOp::create(b, loc, wide, constant(i16, 0x7f));
    Value sign =
        arith::ShLIOp::create(b, loc, arith::AndIOp::create(b, loc, wide, constant(i16, 0x80)), constant(i16, 8));
    Value placed = shiftedOr(magnitude, 7, sign);
    Value scale = arith::ConstantOp::create(b, loc, b.getFloatAttr(f16, 256.0));
    Value number = arith::MulFOp::create(b, loc, arith::BitcastOp::create(b, loc, f16, placed), scale);
    Value isNaN = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, magnitude, constant(i16, 0x7f));
    // This is the NaN that NVIDIA's instruction returns.
    Value nan = arith::BitcastOp::create(b, loc, f16, constant(i16, 0x7fff));
    return arith::SelectOp::create(b, loc, isNaN, nan, number);
  }

  Value roundBits(Value x) {
    Type i32 = b.getI32Type(), f32 = b.getF32Type();
    int digits = isE5M2 ? 2 : 3, cut = 23 - digits;
    int64_t smallest = isE5M2 ? 127 - 14 : 127 - 6; // the exponent of the smallest normal number
    int64_t largest = isE5M2 ? 0x7b : 0x7e;
    auto shiftRight = [&](Value v, int64_t n) -> Value { return arith::ShRUIOp::create(b, loc, v, constant(i32, n)); };
    Value bits = arith::BitcastOp::create(b, loc, i32, x);
    Value magnitude = arith::AndIOp::create(b, loc, bits, constant(i32, 0x7fffffff));
    Value odd = arith::AndIOp::create(b, loc, shiftRight(magnitude, cut), constant(i32, 1));
    Value half = constant(i32, (1 << (cut - 1)) - 1 - ((smallest - 1) << 23));
    Value normal = arith::AddIOp::create(b, loc, arith::AddIOp::create(b, loc, magnitude, half), odd);
    normal = arith::MinUIOp::create(b, loc, shiftRight(normal, cut), constant(i32, largest));
    // The last digit of this number has the weight of a subnormal result's last digit.
    int64_t exponent = smallest + cut;
    Value digit = arith::ConstantOp::create(b, loc, b.getFloatAttr(f32, std::ldexp(1.0, exponent - 127)));
    Value sum = arith::AddFOp::create(b, loc, arith::BitcastOp::create(b, loc, f32, magnitude), digit);
    Value subnormal =
        arith::SubIOp::create(b, loc, arith::BitcastOp::create(b, loc, i32, sum), constant(i32, exponent << 23));
    Value isSubnormal =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, magnitude, constant(i32, smallest << 23));
    Value result = arith::SelectOp::create(b, loc, isSubnormal, subnormal, normal);
    Value sign = arith::AndIOp::create(b, loc, shiftRight(bits, 24), constant(i32, 0x80));
    result = arith::OrIOp::create(b, loc, result, sign);
    Value isNaN = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, magnitude, constant(i32, 0x7f800000));
    result = arith::SelectOp::create(b, loc, isNaN, constant(i32, 0x7f), result);
    return arith::TruncIOp::create(b, loc, b.getI8Type(), result);
  }

  OpBuilder &b;
  Location loc;
  const TargetInfo &target;
  Type float8;
  bool isE5M2;
};

bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

struct FpToFpPattern : TilePattern<tt::FpToFpOp> {
  FpToFpPattern(const TileTypeConverter &types, MLIRContext *context, const LoweringContext &lowering)
      : TilePattern(types, context, lowering, /*benefit=*/2) {} // takes precedence over ElementwisePattern
  LogicalResult matchAndRewrite(tt::FpToFpOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getSrc().getType()), to = getElementTypeOrSelf(op.getType());
    Location loc = op.getLoc();
    SmallVector<Value> values(adaptor.getSrc());
    auto each = [&](auto convert) {
      for (Value &value : values)
        value = convert(value);
    };
    if (isFloat8(from)) {
      values = Conversion(rewriter, loc, target, from).extend(values);
      Type f32 = rewriter.getF32Type();
      if (to.isBF16())
        each([&](Value v) { return arith::ExtFOp::create(rewriter, loc, f32, v); });
      if (to.isBF16())
        each([&](Value v) { return arith::TruncFOp::create(rewriter, loc, to, v); });
      else if (!to.isF16())
        each([&](Value v) { return arith::ExtFOp::create(rewriter, loc, to, v); });
    } else {
      Conversion conversion(rewriter, loc, target, to);
      if (from.isBF16())
        each([&](Value v) { return arith::ExtFOp::create(rewriter, loc, rewriter.getF32Type(), v); });
      else if (from.isF64())
        each([&](Value v) { return conversion.roundToOdd(v); });
      values = conversion.round(values);
    }
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

/// Lowers ttg.fp4_to_fp by moving the exponent and mantissa of e2m1 to the fields of f16. The result is 2^14 times too
/// small, even if it is subnormal.
struct Fp4ToFpPattern : TilePattern<ttg::Fp4ToFpOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::Fp4ToFpOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i16 = rewriter.getI16Type(), f16 = rewriter.getF16Type(), f32 = rewriter.getF32Type(),
         to = cast<RankedTensorType>(op.getType()).getElementType();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(i16, value));
    };
    auto place = [&](Value bits, int64_t mask, int64_t shift) -> Value {
      Value field = arith::AndIOp::create(rewriter, loc, bits, constant(mask));
      return arith::ShLIOp::create(rewriter, loc, field, constant(shift));
    };
    Value scale = arith::ConstantOp::create(rewriter, loc, rewriter.getFloatAttr(f16, 16384.0));
    SmallVector<Value> numbers;
    for (Value byte : adaptor.getSrc()) {
      Value low = arith::ExtUIOp::create(rewriter, loc, i16, byte);
      for (Value bits : {low, arith::ShRUIOp::create(rewriter, loc, low, constant(4)).getResult()}) {
        Value placed = arith::OrIOp::create(rewriter, loc, place(bits, 8, 12), place(bits, 7, 9));
        Value number =
            arith::MulFOp::create(rewriter, loc, arith::BitcastOp::create(rewriter, loc, f16, placed), scale);
        if (!to.isF16())
          number = arith::ExtFOp::create(rewriter, loc, f32, number);
        if (to.isBF16())
          number = arith::TruncFOp::create(rewriter, loc, to, number);
        numbers.push_back(number);
      }
    }
    rewriter.replaceOpWithMultiple(op, {convertLayout(rewriter, op, planMovement(op), numbers, target)});
    return success();
  }
};

} // namespace

void tilecc::populateFloat8Patterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                    const LoweringContext &lowering) {
  patterns.add<FpToFpPattern, Fp4ToFpPattern>(types, patterns.getContext(), lowering);
}
