//===- Builtins.cpp - the operations of tilecc/detail/builtins.h in TTIR ------------------------------------------===//

#include "frontend/raise/Builtins.h"
#include "frontend/raise/BuiltinsShape.h"
#include "frontend/raise/BuiltinsMath.h"
#include "frontend/raise/KernelRaiser.h"
#include "frontend/raise/Ranges.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace tilecc {

//===--- two operands -----------------------------------------------------------------------------------------------===//

/// Null: not an operation of two operands.
static Value createBinary(OpBuilder &builder, Location loc, StringRef name, const ElementType &element, Value a,
                          Value b) {
  bool isFloat = element.isFloat(), isSigned = element.isSigned();
  auto pick = [&](auto makeFloat, auto makeSigned, auto makeUnsigned) -> Value {
    return isFloat ? makeFloat() : isSigned ? makeSigned() : makeUnsigned();
  };
#define OP(Type) [&]() -> Value { return arith::Type::create(builder, loc, a, b); }
  if (name == "add")
    return pick(OP(AddFOp), OP(AddIOp), OP(AddIOp));
  if (name == "sub")
    return pick(OP(SubFOp), OP(SubIOp), OP(SubIOp));
  if (name == "mul")
    return pick(OP(MulFOp), OP(MulIOp), OP(MulIOp));
  if (name == "div")
    return pick(OP(DivFOp), OP(DivSIOp), OP(DivUIOp));
  if (name == "rem")
    return pick(OP(RemFOp), OP(RemSIOp), OP(RemUIOp));
  if (name == "bit_and")
    return OP(AndIOp)();
  if (name == "bit_or")
    return OP(OrIOp)();
  if (name == "bit_xor")
    return OP(XOrIOp)();
  if (name == "shl")
    return OP(ShLIOp)();
  if (name == "shr")
    return isSigned ? OP(ShRSIOp)() : OP(ShRUIOp)();
  if (name == "maxnum")
    return pick(OP(MaxNumFOp), OP(MaxSIOp), OP(MaxUIOp));
  if (name == "minnum")
    return pick(OP(MinNumFOp), OP(MinSIOp), OP(MinUIOp));
  if (name == "maximum")
    return pick(OP(MaximumFOp), OP(MaxSIOp), OP(MaxUIOp));
  if (name == "minimum")
    return pick(OP(MinimumFOp), OP(MinSIOp), OP(MinUIOp));
#undef OP
  return {};
}

/// Ordered, but for `!=`: a NaN is unequal to everything and nothing else. Null: not a comparison.
static Value createComparison(OpBuilder &builder, Location loc, StringRef name, const ElementType &element, Value a,
                              Value b) {
  struct Predicates {
    arith::CmpFPredicate forFloat;
    arith::CmpIPredicate forSigned, forUnsigned;
  };
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  auto predicates = llvm::StringSwitch<std::optional<Predicates>>(name)
                        .Case("less", Predicates{F::OLT, I::slt, I::ult})
                        .Case("less_equal", Predicates{F::OLE, I::sle, I::ule})
                        .Case("greater", Predicates{F::OGT, I::sgt, I::ugt})
                        .Case("greater_equal", Predicates{F::OGE, I::sge, I::uge})
                        .Case("equal", Predicates{F::OEQ, I::eq, I::eq})
                        .Case("not_equal", Predicates{F::UNE, I::ne, I::ne})
                        .Default(std::nullopt);
  if (!predicates)
    return {};
  if (element.isFloat())
    return arith::CmpFOp::create(builder, loc, predicates->forFloat, a, b);
  return arith::CmpIOp::create(builder, loc, element.isSigned() ? predicates->forSigned : predicates->forUnsigned, a,
                               b);
}

//===--- one operand ------------------------------------------------------------------------------------------------===//

/// Null: not an operation of one operand.
static Value createUnary(OpBuilder &builder, Location loc, StringRef name, const ElementType &element, Value x) {
  if (name == "neg") {
    // Triton takes no arith.negf of a tile. -0.0 - x is exactly -x, zeros included.
    TypedAttr zero = builder.getZeroAttr(x.getType());
    if (element.isFloat() && isa<ShapedType>(x.getType())) {
      APFloat minusZero = APFloat::getZero(cast<FloatType>(getElementTypeOrSelf(x)).getFloatSemantics(), true);
      zero = DenseElementsAttr::get(cast<ShapedType>(x.getType()), minusZero);
    } else if (element.isFloat()) {
      return arith::NegFOp::create(builder, loc, x);
    }
    Value zeros = arith::ConstantOp::create(builder, loc, zero);
    return element.isFloat() ? Value(arith::SubFOp::create(builder, loc, zeros, x))
                             : arith::SubIOp::create(builder, loc, zeros, x);
  }
  return {};
}

Value KernelRaiser::raiseNumericCast(Location loc, const ValueType &from, const ValueType &to, Value value) {
  const ElementType &source = from.element, &target = to.element;
  Type type = convertType(to, builder.getContext());
  auto zero = [&]() -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(value.getType()));
  };
  if (source.isFloat8() || target.isFloat8()) {
    if (source.isFloat() && target.isFloat()) {
      if (value.getType() == type)
        return value;
      auto rounding = tt::RoundingModeAttr::get(builder.getContext(), tt::RoundingMode::RTNE);
      if (source.bits == target.bits) { // f16 has all numbers of both
        Type wide = tt::withElementType(type, builder.getF16Type());
        value = tt::FpToFpOp::create(builder, loc, wide, value, tt::RoundingModeAttr());
      }
      return tt::FpToFpOp::create(builder, loc, type, value, target.isFloat8() ? rounding : tt::RoundingModeAttr());
    }
    // float is between them and integers: it loses nothing that an 8-bit type would keep.
    ValueType through = source.isFloat8() ? from : to;
    through.element = {ElementType::Float, 32};
    return raiseNumericCast(loc, through, to, raiseNumericCast(loc, from, through, value));
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
    if (source.bits == target.bits) { // the two 16-bit types meet in float
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

//===--- the rest ---------------------------------------------------------------------------------------------------===//

FailureOr<int> KernelRaiser::getAxis(llvm::CallInst &call) {
  auto *axis = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  if (axis && axis->getZExtValue() <= 2)
    return static_cast<int>(axis->getZExtValue());
  emitError(locate(call), "the axis of a grid must be a constant: 0, 1 or 2");
  return failure();
}

/// The promise travels as Triton's, an attribute of the operation, or the pointer parameter, that makes the value, if that
/// is done in the same block: then whoever sees the value has made the promise. Any other value (one that a loop carries,
/// one from before a branch) is copied, and the copy has the attribute. (So is an integer parameter, of which the
/// attribute would promise its sign as well.)
static Value attachHint(OpBuilder &builder, Location loc, const BuiltinSignature &builtin, StringRef name, Value value) {
  SmallVector<int32_t> numbers(builtin.constants.begin(), builtin.constants.end());
  auto type = RankedTensorType::get(numbers.size(), builder.getI32Type());
  Attribute hint = DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers));
  bool isHere = value.getParentBlock() == builder.getInsertionBlock();
  Operation *op = value.getDefiningOp();
  if (op && isHere && !op->hasAttr(name)) {
    op->setDiscardableAttr(name, hint);
    return value;
  }
  auto argument = dyn_cast<BlockArgument>(value);
  auto func = argument ? dyn_cast<tt::FuncOp>(argument.getOwner()->getParentOp()) : tt::FuncOp();
  if (func && isHere && argument.getOwner()->isEntryBlock() && isa<tt::PointerType>(value.getType()) &&
      name == tt::divisibilityAttr && !func.getArgAttr(argument.getArgNumber(), name)) {
    func.setArgAttr(argument.getArgNumber(), name, builder.getI32IntegerAttr(numbers[0]));
    return value;
  }
  auto copy = tt::BitcastOp::create(builder, loc, value.getType(), value);
  copy->setDiscardableAttr(name, hint);
  return copy;
}

/// A single 8-bit float, which the code around operations on tiles has as its byte.
static bool isByteToLLVM(const ValueType &type) {
  return type.element.isFloat8() && !type.isPointer && !type.isTile;
}

static Value asFloat8(OpBuilder &builder, Location loc, llvm::Value *byte, Value raised, FloatType type) {
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(byte))
    return arith::ConstantOp::create(builder, builder.getUnknownLoc(),
                                     FloatAttr::get(type, APFloat(type.getFloatSemantics(), constant->getValue())));
  return tt::BitcastOp::create(builder, loc, type, raised);
}

FailureOr<Value> KernelRaiser::raiseBuiltin(llvm::CallInst &call, const BuiltinSignature &builtin) {
  FailureOr<Value> result = raiseOperation(call, builtin);
  if (succeeded(result) && *result && isByteToLLVM(builtin.result))
    return tt::BitcastOp::create(builder, locate(call), builder.getI8Type(), *result).getResult();
  return result;
}

FailureOr<Value> KernelRaiser::raiseOperation(llvm::CallInst &call, const BuiltinSignature &builtin) {
  MLIRContext *context = builder.getContext();
  Location loc = locate(call);
  StringRef name = builtin.name;
  SmallVector<Value> args;
  for (auto [argument, type] : llvm::zip(call.args(), builtin.params)) {
    Value value = valueOf(argument, convertType(type, context), loc);
    if (!value)
      return failure();
    if (isByteToLLVM(type))
      value = asFloat8(builder, loc, argument, value, cast<FloatType>(convertType(type, context)));
    // The same pointer may be another pointer elsewhere in the kernel.
    if (Type wanted = convertType(type, context); wanted != value.getType()) {
      auto pointer = dyn_cast<tt::PointerType>(wanted);
      value = pointer ? asPointerTo(pointer.getPointeeType(), value, loc) : Value();
      if (!value) {
        emitError(loc, "the address of a tile is not available in a tile kernel");
        return failure();
      }
    }
    args.push_back(value);
  }
  Type result = builtin.result.isVoid() ? Type() : convertType(builtin.result, context);
  const ElementType &element = builtin.params.empty() ? builtin.result.element : builtin.params[0].element;

  if (Value value = createAtomicOp(builder, loc, builtin, args))
    return value;
  if (Value value = createShapeOp(builder, loc, builtin, result, args))
    return value;
  if (args.size() == 2 && !builtin.params[0].isPointer)
    if (Value value = createBinary(builder, loc, name, element, args[0], args[1]))
      return value;
  if (args.size() == 2 && builtin.params[1].isPointer) // pointers compare as addresses
    for (Value &arg : args)
      arg = tt::PtrToIntOp::create(builder, loc, tt::withElementType(arg.getType(), builder.getI64Type()), arg);
  if (args.size() == 2)
    if (Value value = createComparison(builder, loc, name, element, args[0], args[1]))
      return value;
  if (args.size() == 1)
    if (Value value = createUnary(builder, loc, name, element, args[0]))
      return value;
  if (Value value = createMath(builder, loc, builtin, args))
    return value;

  // A bool in memory is a byte.
  bool boolInMemory = !builtin.params.empty() && builtin.params[0].isPointer && element.kind == ElementType::Bool;
  auto asByte = [&](Value value) -> Value {
    return boolInMemory ? arith::ExtUIOp::create(builder, loc,
                                                 tt::withElementType(value.getType(), builder.getI8Type()), value)
                        : value;
  };

  if (name == "program_id" || name == "num_programs") {
    FailureOr<int> axis = getAxis(call);
    if (failed(axis))
      return failure();
    return name == "program_id" ? tt::GetProgramIdOp::create(builder, loc, *axis).getResult()
                                : tt::GetNumProgramsOp::create(builder, loc, *axis).getResult();
  }
  if (name == "select")
    return arith::SelectOp::create(builder, loc, args[0], args[1], args[2]).getResult();
  if (name == "cast")
    return raiseNumericCast(loc, builtin.params[0], builtin.result, args[0]);
  if (name == "bitcast")
    return tt::BitcastOp::create(builder, loc, result, args[0]).getResult();
  if (name == "addptr")
    return tt::AddPtrOp::create(builder, loc, result, args[0], args[1]).getResult();
  if (name == "load" || name == "load_volatile") {
    Value mask = args.size() > 1 ? args[1] : Value(), other = args.size() > 2 ? asByte(args[2]) : Value();
    bool isVolatile = name == "load_volatile";
    Value value = tt::LoadOp::create(builder, loc, tt::getPointeeType(args[0].getType()), args[0], mask, other,
                                     static_cast<tt::CacheModifier>(builtin.constants[0]),
                                     static_cast<tt::EvictionPolicy>(builtin.constants[1]), isVolatile);
    if (!boolInMemory)
      return value;
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(value.getType()));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, zero).getResult();
  }
  if (name == "store") {
    tt::StoreOp::create(builder, loc, args[0], asByte(args[1]), args.size() > 2 ? args[2] : Value(),
                        static_cast<tt::CacheModifier>(builtin.constants[0]),
                        static_cast<tt::EvictionPolicy>(builtin.constants[1]));
    return Value();
  }
  if (name == "debug_barrier") {
    if (elementOp) { // threads combine as many elements as they happen to hold
      emitError(loc, "tt::debug_barrier is not available in the combine function of a reduction");
      return failure();
    }
    gpu::BarrierOp::create(builder, loc);
    return Value();
  }
  if (name == "dot")
    return tt::DotOp::create(builder, loc, result, args[0], args[1], args[2],
                             static_cast<tt::InputPrecision>(builtin.constants[0]), builtin.constants[1])
        .getResult();
  if (name == "range_goes_on") { // the others are comparisons by now
    emitError(loc) << findRangeMistake(call);
    return failure();
  }
  if (name == "assume") {
    LLVM::AssumeOp::create(builder, loc, args[0]);
    return Value();
  }
  if (name == "multiple_of")
    return attachHint(builder, loc, builtin, tt::divisibilityAttr, args[0]);
  if (name == "max_contiguous")
    return attachHint(builder, loc, builtin, "tt.contiguity", args[0]);
  if (name == "max_constancy")
    return attachHint(builder, loc, builtin, "tt.constancy", args[0]);
  emitError(loc) << "internal error: unknown operation tt::builtin::" << name;
  return failure();
}

} // namespace tilecc
