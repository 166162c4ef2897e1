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

std::optional<LogicalResult> KernelRaiser::raiseEscapeBuiltin(llvm::CallInst &call, const BuiltinSignature &builtin) {
  StringRef name = builtin.name;
  Location loc = locate(call);
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
