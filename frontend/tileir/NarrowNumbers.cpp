//===- NarrowNumbers.cpp - the element types of CUDA Tile IR that TTIR does not have ------------------------------===//
//
// TTIR has no elements of the types f8E8M0FNU (a power of two), f8E5M3FNU (unsigned, a scale), f4E2M1FN and i4. Each
// such element is kept in an i8, whose other bits are zero. Moving elements works on the i8. Arithmetic does not exist
// in Tile IR, either: there are conversions, and products of scaled matrices.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/Translator.h"

using namespace mlir;

namespace tilecc::tileir {

/// Returns the f32 with the value of a number that is kept in an i8.
Value Translator::decodeNarrow(Value bits, Type::Kind kind) {
  mlir::Type i32 = tt::withElementType(bits.getType(), builder.getI32Type());
  mlir::Type f32 = tt::withElementType(bits.getType(), builder.getF32Type());
  Value wide = create<arith::ExtUIOp>(i32, bits);
  auto number = [&](int64_t n) { return constantOf(i32, n); };
  auto equals = [&](Value value, int64_t n) {
    return create<arith::CmpIOp>(arith::CmpIPredicate::eq, value, number(n));
  };
  auto select = [&](Value condition, Value a, Value b) { return create<arith::SelectOp>(condition, a, b); };
  constexpr int64_t nan = 0x7fc00000;
  constexpr unsigned fraction = 23; // bits of the fraction of an f32
  Value result;
  if (kind == Type::F8E8M0FNU) {
    // The exponent of an f32. Its least power is a subnormal f32.
    result = create<arith::ShLIOp>(wide, number(fraction));
    result = select(equals(wide, 0), number(0x00400000), result);
    result = select(equals(wide, 255), number(nan), result);
    return create<tt::BitcastOp>(f32, result);
  }
  // Exponent and fraction are moved into place. A number with the exponent 0 is a multiple of the smallest number.
  bool isE5M3 = kind == Type::F8E5M3FNU;
  unsigned bitsOfFraction = isE5M3 ? 3 : 1;
  int bias = isE5M3 ? 15 : 1;
  Value magnitude = isE5M3 ? wide : create<arith::AndIOp>(wide, number(7));
  Value normal = create<arith::AddIOp>(create<arith::ShLIOp>(magnitude, number(fraction - bitsOfFraction)),
                                       number(int64_t(127 - bias) << fraction));
  Value isSmall = create<arith::CmpIOp>(arith::CmpIPredicate::ult, magnitude, number(1 << bitsOfFraction));
  Value small = create<arith::MulFOp>(create<arith::SIToFPOp>(f32, magnitude),
                                      constantOf(f32, std::ldexp(1.0, 1 - bias - int(bitsOfFraction))));
  result = select(isSmall, create<tt::BitcastOp>(i32, small), normal);
  if (isE5M3)
    result = select(equals(wide, 255), number(nan), result);
  else // the sign
    result =
        create<arith::OrIOp>(result, create<arith::ShLIOp>(create<arith::AndIOp>(wide, number(8)), number(31 - 3)));
  return create<tt::BitcastOp>(f32, result);
}

/// Converts the magnitude of an f32 or an f64 to f8E8M0FNU: its exponent, or the next one. As the hardware's
/// conversions do, it saturates. NaNs stay NaNs.
static Value encodePower(OpBuilder &builder, Location loc, Value value, bool up) {
  const bool isDouble = getElementTypeOrSelf(value).isF64();
  const unsigned fractionBits = isDouble ? 52 : 23;
  mlir::Type integers = tt::withElementType(value.getType(), builder.getIntegerType(isDouble ? 64 : 32));
  auto number = [&](int64_t n) {
    APInt bits(isDouble ? 64 : 32, n, /*isSigned=*/true);
    if (auto tile = dyn_cast<RankedTensorType>(integers))
      return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(tile, bits)).getResult();
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(integers, bits)).getResult();
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b).getResult();
  };
  auto select = [&](Value c, Value a, Value b) { return arith::SelectOp::create(builder, loc, c, a, b).getResult(); };
  Value bits = tt::BitcastOp::create(builder, loc, integers, math::AbsFOp::create(builder, loc, value));
  Value power = arith::ShRUIOp::create(builder, loc, bits, number(fractionBits));
  if (isDouble)
    power = arith::SubIOp::create(builder, loc, power, number(1023 - 127));
  if (up) {
    Value fraction = arith::AndIOp::create(builder, loc, bits, number((int64_t(1) << fractionBits) - 1));
    // The least power, 2^-127, is a subnormal f32, with this fraction.
    Value isLeast = compare(arith::CmpIPredicate::eq, power, number(0));
    Value exact = isDouble ? number(0) : select(isLeast, number(0x400000), number(0));
    Value isAbove = compare(arith::CmpIPredicate::ugt, fraction, exact);
    power = arith::AddIOp::create(builder, loc, power, arith::ExtUIOp::create(builder, loc, integers, isAbove));
  }
  power = arith::MaxSIOp::create(builder, loc, arith::MinSIOp::create(builder, loc, power, number(254)), number(0));
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value, value);
  power = select(isNaN, number(255), power);
  return arith::TruncIOp::create(builder, loc, tt::withElementType(integers, builder.getI8Type()), power);
}

/// Converts a number to f4E2M1FN, rounding to nearest even. As the hardware's conversions do, it saturates, and a NaN
/// becomes the largest number.
static Value encodeFloat4(OpBuilder &builder, Location loc, Value value, function_ref<Value(double)> number,
                          function_ref<Value(int64_t)> byte) {
  mlir::Type i8 = tt::withElementType(value.getType(), builder.getI8Type());
  Value magnitude = math::AbsFOp::create(builder, loc, value), result;
  // The numbers are 0, 0.5, 1, 1.5, 2, 3, 4 and 6. Halfway between two, the even one of them is taken.
  using enum arith::CmpFPredicate;
  constexpr std::pair<double, arith::CmpFPredicate> limits[] = {{0.25, UGT}, {0.75, UGE}, {1.25, UGT}, {1.75, UGE},
                                                                {2.5, UGT},  {3.5, UGE},  {5, UGT}};
  for (auto [limit, predicate] : limits) {
    Value isAbove = arith::CmpFOp::create(builder, loc, predicate, magnitude, number(limit));
    Value one = arith::ExtUIOp::create(builder, loc, i8, isAbove);
    result = result ? arith::AddIOp::create(builder, loc, result, one).getResult() : one;
  }
  unsigned bits = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  mlir::Type integers = tt::withElementType(value.getType(), builder.getIntegerType(bits));
  APInt zero(bits, 0);
  mlir::Attribute zeros = builder.getIntegerAttr(builder.getIntegerType(bits), zero);
  if (auto tile = dyn_cast<RankedTensorType>(integers))
    zeros = DenseElementsAttr::get(tile, zero);
  Value isNegative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                           tt::BitcastOp::create(builder, loc, integers, value),
                                           arith::ConstantOp::create(builder, loc, cast<TypedAttr>(zeros)));
  Value isNumber = arith::CmpFOp::create(builder, loc, OEQ, value, value);
  Value sign = arith::SelectOp::create(builder, loc, arith::AndIOp::create(builder, loc, isNegative, isNumber), byte(8),
                                       byte(0));
  return arith::OrIOp::create(builder, loc, result, sign);
}

/// Converts a floating-point number, of a type that TTIR has, to one that is kept in an i8.
FailureOr<Value> Translator::encodeNarrow(const Operation &op, Value value, Type::Kind kind, Rounding rounding) {
  unsigned bits = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  mlir::Type i8 = tt::withElementType(value.getType(), builder.getI8Type());
  if (kind == Type::F4E2M1FN && rounding == Rounding::NearestEven) {
    if (bits == 8)
      value = toFloat(value, builder.getF16Type());
    return encodeFloat4(
        builder, loc, value, [&](double n) { return constantOf(value.getType(), n); },
        [&](int64_t n) { return constantOf(i8, n); });
  }
  if (kind == Type::F8E8M0FNU && (rounding == Rounding::Zero || rounding == Rounding::PositiveInf)) {
    if (bits < 32)
      value = toFloat(value, builder.getF32Type());
    return encodePower(builder, loc, value, rounding == Rounding::PositiveInf);
  }
  return unsupported(op, "its rounding to " + typeOf(op.results[0]).print());
}

/// Extends an integer of 4 bits, which is kept in an i8, to an i8.
Value Translator::extendInt4(Value value, bool isSigned) {
  Value four = constantOf(value.getType(), int64_t(4));
  return isSigned ? create<arith::ShRSIOp>(create<arith::ShLIOp>(value, four), four) : value;
}

//===--- directed rounding ----------------------------------------------------------------------------------------===//

/// Converts to a narrower type of at least 16 bits. The result of rounding to nearest is at most one step away from
/// that of any other rounding.
Value Translator::narrowFloat(Value value, mlir::Type element, Rounding rounding) {
  mlir::Type type = tt::withElementType(value.getType(), element);
  mlir::Type bitsType = tt::withElementType(type, builder.getIntegerType(element.getIntOrFloatBitWidth()));
  Value nearest = create<arith::TruncFOp>(type, value), back = create<arith::ExtFOp>(value.getType(), nearest);
  Value bits = create<tt::BitcastOp>(bitsType, nearest);
  Value isNegative = create<arith::CmpIOp>(arith::CmpIPredicate::slt, bits, constantOf(bitsType, int64_t(0)));
  Value isAbove = create<arith::CmpFOp>(arith::CmpFPredicate::OGT, back, value);
  Value isBelow = create<arith::CmpFOp>(arith::CmpFPredicate::OLT, back, value);
  Value one = constantOf(bitsType, int64_t(1));
  // A step of the bits away from zero and towards zero.
  Value larger = create<arith::AddIOp>(bits, one), smaller = create<arith::SubIOp>(bits, one);
  Value lower = create<arith::SelectOp>(isNegative, larger, smaller);
  Value higher = create<arith::SelectOp>(isNegative, smaller, larger);
  if (rounding == Rounding::NegativeInf)
    bits = create<arith::SelectOp>(isAbove, lower, bits);
  else if (rounding == Rounding::PositiveInf)
    bits = create<arith::SelectOp>(isBelow, higher, bits);
  else
    bits = create<arith::SelectOp>(create<arith::SelectOp>(isNegative, isBelow, isAbove), smaller, bits);
  return create<tt::BitcastOp>(type, bits);
}

/// Converts between floating-point types of TTIR with any rounding; null if that is not supported. Two roundings in one
/// direction are as exact as one.
Value Translator::toFloatRounded(Value value, mlir::Type element, Rounding rounding) {
  unsigned before = getElementTypeOrSelf(value).getIntOrFloatBitWidth(), after = element.getIntOrFloatBitWidth();
  if (rounding == Rounding::NearestEven)
    return toFloat(value, element);
  if (rounding != Rounding::Zero && rounding != Rounding::NegativeInf && rounding != Rounding::PositiveInf)
    return {};
  if (before == 8 && after > 8)
    return toFloat(value, element); // exact
  if (after == 8)
    return {};
  mlir::Type f32 = builder.getF32Type();
  if (before == 64 && after < 64)
    value = narrowFloat(value, f32, rounding);
  else if (before == 16 && getElementTypeOrSelf(value) != element)
    value = toFloat(value, f32);
  return after == 16 && getElementTypeOrSelf(value) != element ? narrowFloat(value, element, rounding)
                                                               : toFloat(value, element);
}

/// Computes sums, products, quotients and square roots that round in one direction, by functions of libdevice. Narrower
/// types are computed as f32: two roundings in one direction are as exact as one.
LogicalResult Translator::roundedArithmetic(const Operation &op, Values in, Rounding rounding) {
  StringRef name;
  switch (op.op()) {
  case Op::Addf: name = "add"; break;
  case Op::Subf: name = "sub"; break;
  case Op::Mulf: name = "mul"; break;
  case Op::Divf: name = "div"; break;
  case Op::Sqrt: name = "sqrt"; break;
  case Op::Fma: name = "fma"; break;
  default: return unsupported(op, "its rounding");
  }
  StringRef suffix = rounding == Rounding::Zero          ? "_rz"
                     : rounding == Rounding::NegativeInf ? "_rd"
                     : rounding == Rounding::PositiveInf ? "_ru"
                                                         : "";
  if (suffix.empty())
    return unsupported(op, "its rounding");
  mlir::Type element = getElementTypeOrSelf(in[0]);
  for (Value &value : in)
    if (element.getIntOrFloatBitWidth() < 32)
      value = toFloat(value, builder.getF32Type());
  bool isDouble = element.isF64(), isFma = op.op() == Op::Fma;
  std::string symbol = (Twine("__nv_") +
                        (isFma      ? ""
                         : isDouble ? "d"
                                    : "f") +
                        name + (isFma && !isDouble ? "f" : "") + suffix)
                           .str();
  Value result = create<tt::ExternElementwiseOp>(in[0].getType(), in, "", "", symbol, /*pure=*/true);
  return setResult(op, element.getIntOrFloatBitWidth() < 32 ? narrowFloat(result, element, rounding) : result);
}

} // namespace tilecc::tileir
