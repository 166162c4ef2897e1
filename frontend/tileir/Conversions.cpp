//===- Conversions.cpp - conversions of CUDA Tile IR --------------------------------------------------------------===//

#include "frontend/tileir/Translator.h"

using namespace mlir;

namespace tilecc::tileir {

/// Converts between floating-point types, rounding to nearest even.
Value Translator::toFloat(Value value, mlir::Type element) {
  auto from = cast<FloatType>(getElementTypeOrSelf(value)), to = cast<FloatType>(element);
  if (from == to)
    return value;
  mlir::Type type = tt::withElementType(value.getType(), to);
  unsigned before = from.getWidth(), after = to.getWidth();
  if (before == 8 || after == 8) {
    if (before == after) // f16 represents all numbers of both
      value = toFloat(value, builder.getF16Type());
    auto rounding = tt::RoundingModeAttr::get(builder.getContext(), tt::RoundingMode::RTNE);
    return create<tt::FpToFpOp>(type, value, after == 8 ? rounding : tt::RoundingModeAttr());
  }
  if (before == after) { // convert between the two 16-bit types through f32
    value = create<arith::ExtFOp>(tt::withElementType(type, builder.getF32Type()), value);
    return create<arith::TruncFOp>(type, value);
  }
  return before < after ? create<arith::ExtFOp>(type, value) : create<arith::TruncFOp>(type, value);
}

/// Rounds an f32 to the precision of tf32: clears the last 13 of the 23 fraction bits, with rounding. NaNs stay NaNs.
Value Translator::roundToTf32(Value value) {
  mlir::Type bitsType = tt::withElementType(value.getType(), builder.getI32Type());
  auto number = [&](int64_t n) { return constantOf(bitsType, n); };
  Value bits = create<tt::BitcastOp>(bitsType, value);
  Value isOdd = create<arith::AndIOp>(create<arith::ShRUIOp>(bits, number(13)), number(1));
  Value rounded = create<arith::AddIOp>(bits, create<arith::AddIOp>(isOdd, number(0xfff)));
  rounded = create<tt::BitcastOp>(value.getType(), create<arith::AndIOp>(rounded, number(0xffffe000)));
  Value isNumber = create<arith::CmpFOp>(arith::CmpFPredicate::OEQ, value, value);
  return create<arith::SelectOp>(isNumber, rounded, value);
}

/// Rounds to the precision of tf32 towards zero, or to the nearest with ties away from zero. Returns null for another
/// rounding, after reporting an error.
Value Translator::cutToTf32(const Operation &op, Value value, Rounding rounding) {
  bool away = rounding == Rounding::NearestAway && !getElementTypeOrSelf(value).isF64();
  if (rounding != Rounding::Zero && !away) {
    (void)unsupported(op, "its rounding to " + typeOf(op.results[0]).print());
    return {};
  }
  value = toFloatRounded(value, builder.getF32Type(), Rounding::Zero);
  mlir::Type bitsType = tt::withElementType(value.getType(), builder.getI32Type());
  Value bits = create<tt::BitcastOp>(bitsType, value);
  if (away)
    bits = create<arith::AddIOp>(bits, constantOf(bitsType, int64_t(0x1000)));
  Value cut =
      create<tt::BitcastOp>(value.getType(), create<arith::AndIOp>(bits, constantOf(bitsType, int64_t(0xffffe000))));
  Value isNumber = create<arith::CmpFOp>(arith::CmpFPredicate::OEQ, value, value);
  return create<arith::SelectOp>(isNumber, cut, value);
}

/// Converts to an integer. A saturating conversion returns the nearest representable integer, and zero for NaN.
/// Otherwise, out-of-range results are unspecified.
Value Translator::toInteger(Value value, mlir::Type type, bool isSigned, bool saturates) {
  Value plain = isSigned ? create<arith::FPToSIOp>(type, value) : create<arith::FPToUIOp>(type, value);
  if (!saturates)
    return plain;
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  APInt least = isSigned ? APInt::getSignedMinValue(bits) : APInt(bits, 0);
  APInt most = isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  auto choose = [&](arith::CmpFPredicate predicate, double limit, const APInt &result) {
    Value isBeyond = create<arith::CmpFOp>(predicate, value, constantOf(value.getType(), limit));
    plain = create<arith::SelectOp>(isBeyond, constantOf(type, result.getSExtValue()), plain);
  };
  double limit = std::ldexp(1.0, isSigned ? bits - 1 : bits);
  choose(arith::CmpFPredicate::OGE, limit, most);
  choose(arith::CmpFPredicate::OLE, isSigned ? -limit : 0.0, least);
  Value isNaN = create<arith::CmpFOp>(arith::CmpFPredicate::UNO, value, value);
  return create<arith::SelectOp>(isNaN, constantOf(type, int64_t(0)), plain);
}

LogicalResult Translator::convertIntegers(const Operation &op, Value value, mlir::Type type) {
  const Type &fromType = *typeOf(op.operand("a")).element, &toType = *typeOf(op.results[0]).element;
  unsigned before = fromType.bits(), after = toType.bits();
  bool isSigned = op.number("sign") == unsigned(Sign::Signed);
  if (op.op() == Op::Exti ? before >= after : before <= after)
    return error(op) << "it converts from " << before << " to " << after << " bits";
  if (op.op() == Op::Trunci) {
    if (value.getType() != type)
      value = create<arith::TruncIOp>(type, value);
    bool givesInt4 = toType.kind == Type::I4;
    return setResult(op, givesInt4 ? create<arith::AndIOp>(value, constantOf(type, int64_t(15))) : value);
  }
  if (fromType.kind == Type::I4)
    value = extendInt4(value, isSigned);
  if (value.getType() == type)
    return setResult(op, value);
  return setResult(op, isSigned ? create<arith::ExtSIOp>(type, value) : create<arith::ExtUIOp>(type, value));
}

LogicalResult Translator::convertNumbers(const Operation &op) {
  Value value = get(op.operand("a"));
  mlir::Type type = convert(typeOf(op.results[0]));
  if (!type || shapeOf(type) != shapeOf(value.getType()))
    return error(op) << "operand and result are not of one shape";
  const Type &fromType = *typeOf(op.operand("a")).element, &toType = *typeOf(op.results[0]).element;
  bool isSigned = op.number("sign") == unsigned(Sign::Signed);
  auto rounding = Rounding(op.number("rounding"));
  bool takesFloat = op.op() == Op::Ftoi || op.op() == Op::Ftof, givesFloat = op.op() == Op::Itof || op.op() == Op::Ftof;
  if (takesFloat ? !fromType.isFloat() : !fromType.isInteger())
    return error(op) << "it does not take " << typeOf(op.operand("a")).print();
  if (givesFloat ? !toType.isFloat() : !toType.isInteger())
    return error(op) << "it does not give " << typeOf(op.results[0]).print();
  if (op.op() == Op::Itof   ? rounding != Rounding::NearestEven
      : op.op() == Op::Ftoi ? rounding != Rounding::NearestIntToZero && rounding != Rounding::Zero
                            : false)
    return unsupported(op, "its rounding");
  if (!takesFloat && !givesFloat)
    return convertIntegers(op, value, type);

  const unsigned before = fromType.bits();
  if (takesFloat && fromType.isNarrow())
    value = decodeNarrow(value, fromType.kind);
  if (!takesFloat) {
    if (fromType.kind == Type::I4)
      value = extendInt4(value, isSigned);
    // f32 represents every number of a type of 8 bits or less.
    mlir::Type number = toType.bits() <= 8 ? tt::withElementType(type, builder.getF32Type()) : type;
    value = isSigned ? create<arith::SIToFPOp>(number, value) : create<arith::UIToFPOp>(number, value);
  }
  if (!givesFloat) {
    if (toType.isNarrow())
      return unsupported(op, "a result of type " + typeOf(op.results[0]).print());
    // Narrow types cannot represent the limits for saturation.
    unsigned bits = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
    if (bits < 32 && (bits == 8 || op.has("saturating")))
      value = toFloat(value, builder.getF32Type());
    return setResult(op, toInteger(value, type, isSigned, op.has("saturating")));
  }
  if (toType.isNarrow()) {
    auto bits = encodeNarrow(op, value, toType.kind, rounding);
    return succeeded(bits) ? setResult(op, *bits) : failure();
  }
  bool isTf32 = toType.kind == Type::TF32, wasExact = takesFloat && before <= 16;
  if (isTf32 && rounding != Rounding::NearestEven && !wasExact)
    return (value = cutToTf32(op, value, rounding)) ? setResult(op, value) : failure();
  // Numbers of 16 bits or less are exact as f32, in any rounding.
  bool isExact = takesFloat && (before <= 8 ? toType.bits() > 8 : before < toType.bits());
  value = toFloatRounded(value, getElementTypeOrSelf(type), isExact ? Rounding::NearestEven : rounding);
  if (!value)
    return unsupported(op, "its rounding to " + typeOf(op.results[0]).print());
  return setResult(op, isTf32 && !wasExact ? roundToTf32(value) : value);
}

/// Reinterprets the bits of a value as another type.
LogicalResult Translator::reinterpret(const Operation &op) {
  Value value = get(op.operand("a"));
  mlir::Type type = convert(typeOf(op.results[0]));
  if (!type || shapeOf(type) != shapeOf(value.getType()))
    return error(op) << "operand and result are not of one shape";
  mlir::Type from = getElementTypeOrSelf(value), to = getElementTypeOrSelf(type);
  bool wasPointer = isa<tt::PointerType>(from), isPointer = isa<tt::PointerType>(to);
  unsigned before = typeOf(op.operand("a")).element->bits(), after = typeOf(op.results[0]).element->bits();
  bool fits = op.op() == Op::Bitcast    ? !wasPointer && !isPointer && before == after
              : op.op() == Op::PtrToInt ? wasPointer && to.isInteger(64)
              : op.op() == Op::IntToPtr ? from.isInteger(64) && isPointer
                                        : wasPointer && isPointer;
  if (!fits)
    return error(op) << "it does not make " << typeOf(op.results[0]).print() << " of "
                     << typeOf(op.operand("a")).print();
  if (value.getType() == type)
    return setResult(op, value);
  switch (op.op()) {
  case Op::PtrToInt: return setResult(op, create<tt::PtrToIntOp>(type, value));
  case Op::IntToPtr: return setResult(op, create<tt::IntToPtrOp>(type, value));
  default: return setResult(op, create<tt::BitcastOp>(type, value));
  }
}

} // namespace tilecc::tileir
