//===- MissingTypes.cpp - replaces types that OpenCL devices lack -------------------------------------------------===//
//
// The code generator makes this last change to a kernel before it becomes LLVM IR. Operations that only move values get
// other types, and operations that compute get conversions around them.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/spirv/MissingTypes.h"
#include "targets/spirv/SpirvPatterns.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilecc::spirv {

/// Returns `type` with i16 in place of bf16.
static Type withoutBFloat(Type type) {
  MLIRContext *context = type.getContext();
  return llvm::TypeSwitch<Type, Type>(type)
      .Case([&](BFloat16Type) { return IntegerType::get(context, 16); })
      .Case(
          [](VectorType vector) { return VectorType::get(vector.getShape(), withoutBFloat(vector.getElementType())); })
      .Case([](LLVM::LLVMArrayType array) {
        return LLVM::LLVMArrayType::get(withoutBFloat(array.getElementType()), array.getNumElements());
      })
      .Case([](LLVM::LLVMStructType record) -> Type {
        if (record.isIdentified())
          return record;
        return LLVM::LLVMStructType::getLiteral(
            record.getContext(), llvm::map_to_vector(record.getBody(), withoutBFloat), record.isPacked());
      })
      .Default([](Type type) { return type; });
}
static bool hasBFloat(Type type) { return withoutBFloat(type) != type; }

namespace {
/// Converts bf16 scalars or vectors in their memory format.
struct Converter {
  OpBuilder &builder;
  Location loc;
  bool hasInstructions; ///< SPV_INTEL_bfloat16_conversion

  Value constant(Type type, int64_t value) {
    if (auto vector = dyn_cast<VectorType>(type))
      return LLVM::ConstantOp::create(
          builder, loc, type,
          DenseElementsAttr::get(vector, APInt(vector.getElementTypeBitWidth(), value, /*isSigned=*/true)));
    return createConstant(builder, loc, type, value);
  }
  static Type withElement(Type type, Type element) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? VectorType::get(vector.getShape(), element) : element;
  }

  /// Calls `name`, mangled for an argument of type `value`'s, whose elements have the mangled type `element`.
  Value callConversion(StringRef name, char element, Type result, Value value) {
    auto vector = dyn_cast<VectorType>(value.getType());
    std::string dimension = vector ? "Dv" + std::to_string(vector.getNumElements()) + "_" : "";
    std::string mangled = "_Z" + std::to_string(name.size()) + name.str() + dimension + element;
    return callBuiltin(builder, loc, mangled, result, value);
  }

  Value extend(Value half) {
    if (hasInstructions)
      return callConversion("__spirv_ConvertBF16ToFINTEL", 's', withElement(half.getType(), builder.getF32Type()),
                            half);
    Type words = withElement(half.getType(), builder.getI32Type());
    Value placed =
        LLVM::ShlOp::create(builder, loc, LLVM::ZExtOp::create(builder, loc, words, half), constant(words, 16));
    return LLVM::BitcastOp::create(builder, loc, withElement(words, builder.getF32Type()), placed);
  }

  /// Rounds to f32 such that a second rounding, to bf16, is correct: if the result is inexact, its last bit is odd.
  Value roundToOdd(Value wide) {
    Type floats = withElement(wide.getType(), builder.getF32Type()), words = withElement(floats, builder.getI32Type());
    Value nearest = LLVM::FPTruncOp::create(builder, loc, floats, wide);
    Value back = LLVM::FPExtOp::create(builder, loc, wide.getType(), nearest);
    Value isInexact = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::one, back, wide);
    Value isBeyond =
        LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::ogt, LLVM::FAbsOp::create(builder, loc, back),
                             LLVM::FAbsOp::create(builder, loc, wide));
    Value bits = LLVM::BitcastOp::create(builder, loc, words, nearest);
    bits = LLVM::SubOp::create(builder, loc, bits, LLVM::ZExtOp::create(builder, loc, words, isBeyond));
    bits = LLVM::OrOp::create(builder, loc, bits, LLVM::ZExtOp::create(builder, loc, words, isInexact));
    return LLVM::BitcastOp::create(builder, loc, floats, bits);
  }

  /// Rounds to nearest even; NaNs stay NaNs.
  Value truncate(Value value) {
    if (cast<FloatType>(getElementTypeOrSelf(value.getType())).getWidth() == 64)
      value = roundToOdd(value);
    if (hasInstructions)
      return callConversion("__spirv_ConvertFToBF16INTEL", 'f', withElement(value.getType(), builder.getI16Type()),
                            value);
    Type words = withElement(value.getType(), builder.getI32Type()), halves = withElement(words, builder.getI16Type());
    Value bits = LLVM::BitcastOp::create(builder, loc, words, value);
    Value high = LLVM::LShrOp::create(builder, loc, bits, constant(words, 16));
    Value odd = LLVM::AndOp::create(builder, loc, high, constant(words, 1));
    Value rounded =
        LLVM::AddOp::create(builder, loc, LLVM::AddOp::create(builder, loc, bits, constant(words, 0x7fff)), odd);
    rounded = LLVM::LShrOp::create(builder, loc, rounded, constant(words, 16));
    Value isNaN = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::uno, value, value);
    Value quiet = LLVM::OrOp::create(builder, loc, high, constant(words, 0x40));
    return LLVM::TruncOp::create(builder, loc, halves, LLVM::SelectOp::create(builder, loc, isNaN, quiet, rounded));
  }
};
} // namespace

/// Returns true if the operation moves values without interpreting them.
static bool isMove(Operation *op) {
  return isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::GEPOp, LLVM::InsertElementOp, LLVM::ExtractElementOp,
             LLVM::ShuffleVectorOp, LLVM::InsertValueOp, LLVM::ExtractValueOp, LLVM::BitcastOp, LLVM::SelectOp,
             LLVM::ConstantOp, LLVM::ZeroOp, LLVM::PoisonOp, LLVM::UndefOp, LLVM::FreezeOp, LLVM::BrOp, LLVM::CondBrOp,
             LLVM::SwitchOp, LLVM::ReturnOp, LLVM::AllocaOp>(op);
}

static void changeAttributes(Operation *op) {
  if (auto gep = dyn_cast<LLVM::GEPOp>(op))
    gep.setElemType(withoutBFloat(gep.getElemType()));
  if (auto memory = dyn_cast<LLVM::AllocaOp>(op))
    memory.setElemType(withoutBFloat(memory.getElemType()));
  auto constant = dyn_cast<LLVM::ConstantOp>(op);
  if (!constant)
    return;
  Builder builder(op->getContext());
  if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
    constant.setValueAttr(builder.getIntegerAttr(builder.getI16Type(), number.getValue().bitcastToAPInt()));
  else
    constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).bitcast(builder.getI16Type()));
}

/// Returns true if the operation has bf16 in its types, or in attributes that describe memory.
static bool concernsBFloat(Operation *op) {
  auto gep = dyn_cast<LLVM::GEPOp>(op);
  auto memory = dyn_cast<LLVM::AllocaOp>(op);
  return llvm::any_of(op->getOperandTypes(), hasBFloat) || llvm::any_of(op->getResultTypes(), hasBFloat) ||
         (gep && hasBFloat(gep.getElemType())) || (memory && hasBFloat(memory.getElemType()));
}

/// Makes an operation compute in f32: extends its bf16 operands, and rounds its result. The remaining casts between
/// bf16 and i16 are no-ops once all bf16 values have become i16.
static void computeAsF32(Operation *op, bool hasInstructions) {
  OpBuilder builder(op);
  Converter convert{builder, op->getLoc(), hasInstructions};
  for (OpOperand &operand : op->getOpOperands())
    if (Type type = operand.get().getType(); hasBFloat(type))
      operand.set(convert.extend(LLVM::BitcastOp::create(builder, op->getLoc(), withoutBFloat(type), operand.get())));
  if (auto extension = dyn_cast<LLVM::FPExtOp>(op); extension && extension.getArg().getType() == extension.getType()) {
    extension.replaceAllUsesWith(extension.getArg());
    extension.erase();
    return;
  }
  if (op->getNumResults() == 0 || !hasBFloat(op->getResult(0).getType()))
    return;
  OpResult result = op->getResult(0);
  Type type = result.getType();
  // Give users of the result a typed alias first, before other uses are added.
  builder.setInsertionPointAfter(op);
  auto typed = LLVM::BitcastOp::create(builder, op->getLoc(), type, result);
  result.replaceAllUsesExcept(typed, typed);
  builder.setInsertionPoint(typed);
  if (auto truncation = dyn_cast<LLVM::FPTruncOp>(op)) {
    typed.getArgMutable().assign(convert.truncate(truncation.getArg()));
    truncation.erase();
  } else {
    result.setType(Converter::withElement(type, builder.getF32Type()));
    typed.getArgMutable().assign(convert.truncate(result));
  }
}

static void expandBFloat(ModuleOp module, bool hasInstructions) {
  SmallVector<Operation *> computing;
  module.walk([&](Operation *op) {
    if (concernsBFloat(op) && !isMove(op))
      computing.push_back(op);
  });
  for (Operation *op : computing)
    computeAsF32(op, hasInstructions);
  // From here on, bf16 is only moved.
  module.walk([](Operation *op) {
    if (concernsBFloat(op))
      changeAttributes(op);
    for (Value result : op->getResults())
      result.setType(withoutBFloat(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(withoutBFloat(argument.getType()));
    if (auto func = dyn_cast<LLVM::LLVMFuncOp>(op)) {
      LLVM::LLVMFunctionType type = func.getFunctionType();
      func.setFunctionType(LLVM::LLVMFunctionType::get(withoutBFloat(type.getReturnType()),
                                                       llvm::map_to_vector(type.getParams(), withoutBFloat)));
    }
  });
}

/// Gives a kernel parameters that OpenCL can set. An i1 becomes a byte, and a struct or an array becomes a pointer to
/// the kernel's own copy.
static void changeParameters(LLVM::LLVMFuncOp kernel) {
  OpBuilder builder(kernel.getBody());
  Location loc = kernel.getLoc();
  for (BlockArgument argument : kernel.getArguments()) {
    Type type = argument.getType();
    if (type.isInteger(1)) {
      argument.setType(builder.getI8Type());
      Value truth = LLVM::TruncOp::create(builder, loc, type, argument);
      argument.replaceAllUsesExcept(truth, truth.getDefiningOp());
    } else if (isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type)) {
      argument.setType(LLVM::LLVMPointerType::get(builder.getContext()));
      Value value = LLVM::LoadOp::create(builder, loc, type, argument);
      argument.replaceAllUsesExcept(value, value.getDefiningOp());
      kernel.setArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(type));
    }
  }
  kernel.setFunctionType(LLVM::LLVMFunctionType::get(kernel.getFunctionType().getReturnType(),
                                                     llvm::to_vector(kernel.getBody().front().getArgumentTypes())));
}

void useOpenCLTypes(ModuleOp module) {
  const Facts *facts = parseTarget(module->getAttrOfType<StringAttr>(ttg::targetAttr).getValue());
  expandBFloat(module, facts->convertsBFloat);
  for (auto func : module.getOps<LLVM::LLVMFuncOp>())
    if (func.getCConv() == LLVM::CConv::SPIR_KERNEL)
      changeParameters(func);
}

} // namespace tilecc::spirv
