//===- BuiltinsMath.cpp - conversions and math functions in TTIR --------------------------------------------------===//
//
// Triton's math functions are for f32 and f64. This file extends f16 and bf16 to f32 and converts the results back, so
// that the IR is the same as Triton's, and lowerings need no functions of narrow types. (Operations that are exact in a
// narrow type, or that round only once, stay in that type.)
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Builtins.h"
#include "frontend/raise/KernelRaiser.h"

using namespace mlir;

namespace tilecc {

FailureOr<Value> raiseNegation(KernelRaiser &, BuiltinCall &call) {
  OpBuilder &builder = call.builder;
  Value x = call.args[0];
  if (!call.element().isFloat()) {
    Value zero = arith::ConstantOp::create(builder, call.loc, builder.getZeroAttr(x.getType()));
    return arith::SubIOp::create(builder, call.loc, zero, x).getResult();
  }
  auto tile = dyn_cast<RankedTensorType>(x.getType());
  if (!tile)
    return arith::NegFOp::create(builder, call.loc, x).getResult();
  // Triton has no arith.negf on tiles. But -0.0 - x is exactly -x, even for zeros.
  APFloat minusZero = APFloat::getZero(cast<FloatType>(tile.getElementType()).getFloatSemantics(), /*Negative=*/true);
  Value zero = arith::ConstantOp::create(builder, call.loc, DenseElementsAttr::get(tile, minusZero));
  return arith::SubFOp::create(builder, call.loc, zero, x).getResult();
}

/// Converts the numbers in `value` from type `from` to type `to`.
static Value convert(OpBuilder &builder, Location loc, const ValueType &from, const ValueType &to, Value value) {
  const ElementType &source = from.element, &target = to.element;
  Type type = convertType(to, builder.getContext());
  auto zero = [&]() -> Value { return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(value.getType())); };
  if (source.isFloat8() || target.isFloat8()) {
    if (source.isFloat() && target.isFloat()) {
      if (value.getType() == type)
        return value;
      auto rounding = tt::RoundingModeAttr::get(builder.getContext(), tt::RoundingMode::RTNE);
      if (source.bits == target.bits) { // f16 represents all numbers of both
        Type wide = tt::withElementType(type, builder.getF16Type());
        value = tt::FpToFpOp::create(builder, loc, wide, value, tt::RoundingModeAttr());
      }
      return tt::FpToFpOp::create(builder, loc, type, value, target.isFloat8() ? rounding : tt::RoundingModeAttr());
    }
    // Conversions between 8-bit floats and integers go through float, which is exact for every 8-bit type.
    ValueType through = source.isFloat8() ? from : to;
    through.element = {ElementType::Float, 32};
    return convert(builder, loc, through, to, convert(builder, loc, from, through, value));
  }
  if (target.kind == ElementType::Bool) {
    if (source.isFloat())
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, value, zero());
    return source.kind == ElementType::Bool
               ? value
               : Value(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, zero()));
  }
  if (source.isFloat() && target.isFloat()) {
    if (value.getType() == type)
      return value;
    if (source.bits == target.bits) { // convert between the two 16-bit types through float
      Type wide = tt::withElementType(type, builder.getF32Type());
      value = arith::ExtFOp::create(builder, loc, wide, value);
      return arith::TruncFOp::create(builder, loc, type, value);
    }
    return source.bits < target.bits ? Value(arith::ExtFOp::create(builder, loc, type, value))
                                     : arith::TruncFOp::create(builder, loc, type, value);
  }
  if (source.isFloat())
    return target.isSigned() ? Value(arith::FPToSIOp::create(builder, loc, type, value))
                             : arith::FPToUIOp::create(builder, loc, type, value);
  if (target.isFloat())
    return source.isSigned() ? Value(arith::SIToFPOp::create(builder, loc, type, value))
                             : arith::UIToFPOp::create(builder, loc, type, value);
  if (source.bits == target.bits)
    return value;
  if (source.bits > target.bits)
    return arith::TruncIOp::create(builder, loc, type, value);
  return source.isSigned() ? Value(arith::ExtSIOp::create(builder, loc, type, value))
                           : arith::ExtUIOp::create(builder, loc, type, value);
}

FailureOr<Value> raiseConversion(KernelRaiser &, BuiltinCall &call) {
  if (call.signature.params[0].isPointer) { // converts the address
    Type type = convertType(call.signature.result, call.builder.getContext());
    return tt::PtrToIntOp::create(call.builder, call.loc, type, call.args[0]).getResult();
  }
  if (call.signature.result.isPointer)
    return tt::IntToPtrOp::create(call.builder, call.loc, call.result, call.args[0]).getResult();
  return convert(call.builder, call.loc, call.signature.params[0], call.signature.result, call.args[0]);
}

FailureOr<Value> raiseClamp(KernelRaiser &, BuiltinCall &call) {
  OpBuilder &builder = call.builder;
  Location loc = call.loc;
  Value x = call.args[0], low = call.args[1], high = call.args[2];
  if (call.element().isFloat())
    return tt::ClampFOp::create(builder, loc, x, low, high, static_cast<tt::PropagateNan>(call.constant(0)))
        .getResult();
  if (call.element().isSigned())
    return arith::MinSIOp::create(builder, loc, arith::MaxSIOp::create(builder, loc, x, low), high).getResult();
  return arith::MinUIOp::create(builder, loc, arith::MaxUIOp::create(builder, loc, x, low), high).getResult();
}

Value raiseWidened(BuiltinCall &call, llvm::function_ref<Value(ValueRange)> create) {
  if (call.element().bits >= 32)
    return create(call.args);
  OpBuilder &builder = call.builder;
  Type narrow = call.args[0].getType(), wide = tt::withElementType(narrow, builder.getF32Type());
  SmallVector<Value> in;
  for (Value arg : call.args)
    in.push_back(arith::ExtFOp::create(builder, call.loc, wide, arg));
  return arith::TruncFOp::create(builder, call.loc, narrow, create(in));
}

Value createOwnFunction(OpBuilder &builder, Location loc, StringRef symbol32, StringRef symbol64, ValueRange in) {
  bool isDouble = getElementTypeOrSelf(in[0]).isF64();
  return tt::ExternElementwiseOp::create(builder, loc, in[0].getType(), in, tt::ownLibrary, "",
                                         isDouble ? symbol64 : symbol32, /*pure=*/true);
}
static Value raiseOwn(BuiltinCall &call, StringRef symbol32, StringRef symbol64) {
  return raiseWidened(call,
                      [&](ValueRange in) { return createOwnFunction(call.builder, call.loc, symbol32, symbol64, in); });
}
FailureOr<Value> raiseTanh(KernelRaiser &, BuiltinCall &call) { return raiseOwn(call, "__nv_tanhf", "__nv_tanh"); }
FailureOr<Value> raisePow(KernelRaiser &, BuiltinCall &call) { return raiseOwn(call, "__nv_powf", "__nv_pow"); }

/// Creates a call of a libdevice function under its own name.
FailureOr<Value> raiseLibdevice(KernelRaiser &, BuiltinCall &call) {
  ValueType number{call.signature.result.element};
  Type result = tt::withElementType(call.args[0].getType(), convertType(number, call.builder.getContext()));
  return tt::ExternElementwiseOp::create(call.builder, call.loc, result, call.args, "", "", call.signature.name,
                                         /*pure=*/true)
      .getResult();
}

} // namespace tilecc
