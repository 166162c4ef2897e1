//===- BuiltinsEscape.cpp - messages and assembly ------------------------------------------------------------------===//

#include "frontend/raise/KernelRaiser.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace mlir;

namespace tilecc {

/// The operands from the `first` one on; nothing after an error.
std::optional<SmallVector<Value>> KernelRaiser::raiseOperands(llvm::CallInst &call, const BuiltinSignature &builtin,
                                                              unsigned first) {
  SmallVector<Value> values;
  for (unsigned i = first; i < call.arg_size(); ++i) {
    values.push_back(valueOf(call.getArgOperand(i), convertType(builtin.params[i], builder.getContext()), locate(call)));
    if (!values.back())
      return std::nullopt;
  }
  return values;
}

/// A type as messages spell it: `tile<float *, 64x32>`.
static std::string spellType(const ValueType &type) {
  const ElementType &element = type.element;
  std::string text;
  switch (element.kind) {
  case ElementType::None: text = "void"; break;
  case ElementType::Bool: text = "bool"; break;
  case ElementType::Signed: text = element.bits == 32 ? "int" : "int" + std::to_string(element.bits); break;
  case ElementType::Unsigned: text = element.bits == 32 ? "unsigned" : "uint" + std::to_string(element.bits); break;
  case ElementType::Float: text = element.bits == 16 ? "float16" : element.bits == 32 ? "float" : "double"; break;
  case ElementType::BFloat: text = "bfloat16"; break;
  case ElementType::Float8E4M3FN: text = "float8_e4m3fn"; break;
  case ElementType::Float8E5M2: text = "float8_e5m2"; break;
  }
  if (type.isPointer)
    text += " *";
  if (!type.isTile)
    return text;
  text = "tile<" + text + ", ";
  for (auto [i, size] : llvm::enumerate(type.shape))
    text += (i ? "x" : "") + std::to_string(size);
  return text + ">";
}

/// The value of a constant, the type of anything else.
static std::string describe(const llvm::Value *value, const ValueType &type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto printFloat = [&](const llvm::APFloat &number) {
    llvm::SmallString<32> digits;
    number.toString(digits);
    stream << digits;
  };
  if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(value))
    printFloat(number->getValueAPF());
  else if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(value); integer && type.element.isFloat8())
    printFloat(llvm::APFloat(type.element.kind == ElementType::Float8E5M2 ? llvm::APFloat::Float8E5M2()
                                                                          : llvm::APFloat::Float8E4M3FN(),
                             integer->getValue()));
  else if (integer && type.element.kind == ElementType::Bool)
    stream << (integer->isZero() ? "false" : "true");
  else if (integer)
    integer->getValue().print(stream, type.element.isSigned());
  else
    stream << spellType(type);
  return text;
}

std::optional<LogicalResult> KernelRaiser::raiseEscapeBuiltin(llvm::CallInst &call, const BuiltinSignature &builtin) {
  StringRef name = builtin.name;
  Location loc = locate(call);
  if (name == "static_print") {
    StringRef text;
    if (!llvm::getConstantStringInfo(call.getArgOperand(0), text))
      return emitError(loc, "the text of tt::static_print must be a string literal");
    InFlightDiagnostic remark = emitRemark(loc) << text;
    for (unsigned i = 1; i < call.arg_size(); ++i)
      remark << " " << describe(call.getArgOperand(i), builtin.params[i]);
    return success();
  }
  if (name == "print" || name == "require") {
    StringRef text;
    if (!llvm::getConstantStringInfo(call.getArgOperand(0), text))
      return emitError(loc) << "the text of tt::" << (name == "print" ? "device_print" : "device_assert")
                            << " must be a string literal";
    auto operands = raiseOperands(call, builtin, 1);
    if (!operands)
      return failure();
    if (elementOp)
      return emitError(loc) << "tt::" << (name == "print" ? "device_print" : "device_assert")
                            << " is not available in a function on elements";
    if (name == "require") {
      tt::AssertOp::create(builder, loc, operands->front(), text);
      return success();
    }
    SmallVector<int32_t> isSigned;
    for (const ValueType &type : llvm::drop_begin(builtin.params))
      isSigned.push_back(!type.isPointer && type.element.isSigned());
    std::string prefix = " " + text.str() + (operands->empty() ? "" : ": ");
    tt::PrintOp::create(builder, loc, prefix, /*hex=*/builtin.constants[0] != 0, *operands, isSigned);
    return success();
  }
  if (name != "inline_asm")
    return std::nullopt;
  auto operands = raiseOperands(call, builtin, 0);
  if (!operands)
    return failure();
  // The types of results come before those of operands.
  SmallVector<Type> results;
  for (const ValueType &type : ArrayRef(builtin.types).drop_back(builtin.params.size()))
    results.push_back(convertType(type, builder.getContext()));
  groups[&call] = tt::ElementwiseInlineAsmOp::create(builder, loc, results, builtin.strings[0], builtin.strings[1],
                                                     /*pure=*/builtin.constants[1] != 0,
                                                     static_cast<uint32_t>(builtin.constants[0]), *operands);
  return success();
}

} // namespace tilecc
