//===- BuiltinsEscape.cpp - messages, inline assembly and calls of SIMT code --------------------------------------===//
//
// These are handlers for the table in Builtins.cpp.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Builtins.h"
#include "frontend/raise/KernelRaiser.h"
#include "lowering/dialects/tt/MessageFormat.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/Regex.h"

using namespace mlir;

namespace tilecc {

/// Formats a type as messages spell it: `tile<float *, 64x32>`.
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
    text += (i ? ", " : "") + std::to_string(size);
  return text + ">";
}

/// Formats the value of a constant, or the type of any other value.
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

/// Returns the string literal that is the first argument. If the argument is not a literal, reports an error and
/// returns nothing.
static std::optional<StringRef> getText(BuiltinCall &call, StringRef function) {
  StringRef text;
  if (llvm::getConstantStringInfo(call.call.getArgOperand(0), text))
    return text;
  emitError(call.loc) << "the text of tt::" << function << " must be a string literal";
  return std::nullopt;
}

/// In a function on elements, reports an error and returns false, because it is unspecified how many elements one call
/// of such a function processes.
static bool isAllowedHere(KernelRaiser &raiser, BuiltinCall &call, StringRef function) {
  if (raiser.elementOp)
    emitError(call.loc) << function << " is not available in a function on elements";
  return !raiser.elementOp;
}

/// Warns about a text that looks like a printf format. "100% done" does not look like one, because a blank is not
/// accepted as a flag here.
static void warnOfFormat(BuiltinCall &call, StringRef text) {
  static const llvm::Regex conversion("%[-+#0-9.]*[hljzt]*[diuoxXcfFeEgGaAps]");
  llvm::SmallVector<StringRef, 1> found;
  if (!call.args.empty() && conversion.match(text, &found))
    emitWarning(call.loc) << "tt::device_print has no formats: it prints '" << found[0]
                          << "' as it is, and the values behind the text; tt::device_print(\"x\", x) names one";
}

FailureOr<Value> raisePrint(KernelRaiser &raiser, BuiltinCall &call) {
  std::optional<StringRef> text = getText(call, "device_print");
  if (!text || !isAllowedHere(raiser, call, "tt::device_print"))
    return failure();
  warnOfFormat(call, *text);
  SmallVector<int32_t> isSigned;
  for (const ValueType &type : llvm::drop_begin(call.signature.params))
    isSigned.push_back(!type.isPointer && type.element.isSigned());
  std::string prefix = " " + text->str() + (call.args.empty() ? "" : ": ");
  tt::PrintOp::create(call.builder, call.loc, prefix, /*hex=*/call.constant(0) != 0, call.args, isSigned);
  return Value();
}

/// Returns the operand type of a printf conversion, or null if the conversion does not exist.
static const char *operandOf(char conversion) {
  switch (conversion) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
  case 'c': return "an integer";
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A': return "a floating-point number";
  case 'p': return "a pointer";
  default: return nullptr;
  }
}
static const char *operandOf(const ValueType &type) {
  return type.isPointer ? "a pointer" : type.element.isFloat() ? "a floating-point number" : "an integer";
}

/// Rewrites `format` for operands of `types`: replaces the length modifiers by those for the actual sizes. On failure,
/// reports an error and returns nothing.
static std::optional<std::string> adaptFormat(Location loc, StringRef format, ArrayRef<ValueType> types) {
  std::string adapted;
  unsigned used = 0;
  while (!format.empty()) {
    size_t begin = format.find('%');
    adapted += format.substr(0, begin);
    if (begin == StringRef::npos)
      break;
    format = format.drop_front(begin + 1);
    if (format.consume_front("%")) {
      adapted += "%%";
      continue;
    }
    StringRef options = format.take_while([](char c) { return StringRef("-+ #0123456789.").contains(c); });
    format = format.drop_front(options.size()).drop_while([](char c) { return StringRef("hljztL").contains(c); });
    const char *expected = format.empty() ? nullptr : operandOf(format.front());
    if (!expected) {
      emitError(loc) << "printf in a kernel has no conversion %" << options << format.take_front()
                     << ": there are d, i, u, o, x, X, c for integers, f, e, g, a and their kin, and p";
      return std::nullopt;
    }
    if (used < types.size()) {
      const ValueType &type = types[used];
      if (StringRef(expected) != operandOf(type)) {
        emitError(loc) << "%" << options << format.front() << " of printf takes " << expected << ", and value "
                       << used + 1 << " is " << spellType(type);
        return std::nullopt;
      }
      bool isLong = !type.isPointer && !type.element.isFloat() && type.element.bits > 32;
      adapted += ("%" + options + (isLong ? "ll" : "") + format.take_front()).str();
    }
    ++used;
    format = format.drop_front();
  }
  if (used == types.size())
    return adapted;
  emitError(loc) << "the format of printf has " << used << " conversions for " << types.size() << " values";
  return std::nullopt;
}

FailureOr<Value> raisePrintFormatted(KernelRaiser &raiser, BuiltinCall &call) {
  StringRef format;
  if (!llvm::getConstantStringInfo(call.call.getArgOperand(0), format))
    return emitError(call.loc) << "the format of printf in a kernel must be a string literal";
  ArrayRef<ValueType> types = ArrayRef(call.signature.params).drop_front();
  std::optional<std::string> adapted = adaptFormat(call.loc, format, types);
  if (!adapted || !isAllowedHere(raiser, call, "printf"))
    return failure();
  if (llvm::count_if(types, [](const ValueType &type) { return type.isTile; }) > 1)
    return emitError(call.loc) << "printf in a kernel prints one tile at a time";
  auto isSigned = llvm::map_to_vector(
      types, [](const ValueType &type) -> int32_t { return !type.isPointer && type.element.isSigned(); });
  auto print = tt::PrintOp::create(call.builder, call.loc, *adapted, /*hex=*/false, call.args, isSigned);
  print->setDiscardableAttr(formattedAttr, call.builder.getUnitAttr());
  return Value();
}

FailureOr<Value> raiseRequire(KernelRaiser &raiser, BuiltinCall &call) {
  std::optional<StringRef> text = getText(call, "device_assert");
  if (!text || !isAllowedHere(raiser, call, "tt::device_assert"))
    return failure();
  tt::AssertOp::create(call.builder, call.loc, call.args[0], *text);
  return Value();
}

FailureOr<Value> raiseStaticPrint(KernelRaiser &, BuiltinCall &call) {
  std::optional<StringRef> text = getText(call, "static_print");
  if (!text)
    return failure();
  InFlightDiagnostic remark = emitRemark(call.loc) << *text;
  for (unsigned i = 1; i < call.call.arg_size(); ++i)
    remark << " " << describe(call.call.getArgOperand(i), call.signature.params[i]);
  return Value();
}

FailureOr<Value> raiseRecord(KernelRaiser &raiser, BuiltinCall &call) {
  std::optional<StringRef> name = getText(call, "profile_scope");
  if (!name || !isAllowedHere(raiser, call, "tt::profile_scope"))
    return failure();
  tt::RecordOp::create(call.builder, call.loc, /*isStart=*/call.constant(0) != 0, *name);
  return Value();
}

FailureOr<Value> raiseInlineAsm(KernelRaiser &raiser, BuiltinCall &call) {
  // Result types come before operand types.
  SmallVector<Type> results;
  for (const ValueType &type : ArrayRef(call.signature.types).drop_back(call.signature.params.size()))
    results.push_back(convertType(type, call.builder.getContext()));
  raiser.groups[&call.call] = tt::ElementwiseInlineAsmOp::create(
      call.builder, call.loc, results, call.signature.strings[0], call.signature.strings[1],
      /*pure=*/call.constant(1) != 0, static_cast<uint32_t>(call.constant(0)), call.args);
  return Value();
}

FailureOr<Value> raiseCallThreads(KernelRaiser &raiser, BuiltinCall &call) {
  if (!isAllowedHere(raiser, call, "a call of SIMT code"))
    return failure();
  // The template arguments are the result types, the function, and the operand types.
  SmallVector<Type> results;
  for (const ValueType &type : ArrayRef(call.signature.types).drop_back(call.signature.params.size()))
    results.push_back(convertType(type, call.builder.getContext()));
  auto *function = llvm::cast<llvm::Function>(call.call.getArgOperand(0)->stripPointerCasts());
  auto threads = static_cast<uint32_t>(call.constant(1));
  raiser.groups[&call.call] = tt::CallThreadsOp::create(
      call.builder, call.loc, results, static_cast<tt::ThreadCallKind>(call.constant(0)), function->getName(),
      threads ? call.builder.getI32IntegerAttr(threads) : IntegerAttr(), call.args);
  return Value();
}

} // namespace tilecc
