//===- CWriter.cpp - writes LLVM IR as C --------------------------------------------------------------------------===//
//
// LLVM's passes first replace what C does not have: vectors, atomic operations (the device runs one program at a time),
// and phis. A function then becomes a C function with a variable for each value and a label for each block. Integers
// are unsigned, in the next larger type of C.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "CWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include <map>

using namespace llvm;

static constexpr StringLiteral prelude = R"(#include <math.h>
#include <stdint.h>
typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64;
typedef int8_t s8; typedef int16_t s16; typedef int32_t s32; typedef int64_t s64;
#define AT(T, p) (((struct { T v; } __attribute__((packed)) *)(p))->v) /* memory at any address */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SATURATED(op, a, b, n) ({ __typeof__(a) r; int f = __builtin_##op##_overflow(a, b, &r); \
  f ? a < 0 ? 1ull << (n - 1) : (1ull << (n - 1)) - 1 : r; })
#define NAN_OR(a, b, c) ((a) != (a) || (b) != (b) ? (a) + (b) : c)
)";

// The C expressions of instructions and intrinsics. $0 is operand 0, and #0 the same as a signed number. @T and @S are
// the types of the result and of operand 0, and @B is the number of bits of operand 0.
static const std::map<StringRef, StringRef> expressions = {
    {"add", "$0 + $1"}, {"sub", "$0 - $1"}, {"mul", "$0 * $1"}, {"udiv", "$0 / $1"}, {"sdiv", "#0 / #1"},
    {"urem", "$0 % $1"}, {"srem", "#0 % #1"}, {"and", "$0 & $1"}, {"or", "$0 | $1"}, {"xor", "$0 ^ $1"},
    {"shl", "$0 << $1"}, {"lshr", "$0 >> $1"}, {"ashr", "#0 >> $1"}, {"fadd", "$0 + $1"}, {"fsub", "$0 - $1"},
    {"fmul", "$0 * $1"}, {"fdiv", "$0 / $1"}, {"frem", "(@T)fmod($0, $1)"}, {"fneg", "-$0"}, {"trunc", "$0"},
    {"zext", "$0"}, {"sext", "#0"}, {"fptrunc", "$0"}, {"fpext", "$0"}, {"fptoui", "(@T)$0"}, {"fptosi", "(s64)$0"},
    {"uitofp", "$0"}, {"sitofp", "#0"}, {"ptrtoint", "(u64)$0"}, {"inttoptr", "(char *)(u64)$0"}, {"freeze", "$0"},
    {"select", "$0 ? $1 : $2"}, {"load", "AT(@T, $0)"}, {"store", "AT(@S, $1) = $0"},
    {"unreachable", "__builtin_unreachable()"}, {"bitcast", "((union { @S from; @T to; }){$0}).to"},
    {"llvm.fmuladd", "$0 * $1 + $2"}, {"llvm.maximum", "NAN_OR($0, $1, MAX($0, $1))"}, {"llvm.smax", "MAX(#0, #1)"},
    {"llvm.minimum", "NAN_OR($0, $1, MIN($0, $1))"}, {"llvm.smin", "MIN(#0, #1)"}, {"llvm.umax", "MAX($0, $1)"},
    {"llvm.umin", "MIN($0, $1)"}, {"llvm.abs", "#0 < 0 ? -$0 : $0"}, {"llvm.ctpop", "__builtin_popcountll($0)"},
    {"llvm.ctlz", "$0 ? __builtin_clzll($0) - (64 - @B) : @B"}, {"llvm.cttz", "$0 ? __builtin_ctzll($0) : @B"},
    {"llvm.usub.sat", "$0 > $1 ? $0 - $1 : 0"}, {"llvm.maxnum", "(@T)fmax($0, $1)"},
    {"llvm.minnum", "(@T)fmin($0, $1)"}, {"llvm.memset", "__builtin_memset($0, $1, $2)"},
    {"mask", "({ @T r = 0; for (int i = 0; i < @B; ++i) r |= (@T)$0.e[i] << i; r; })"},
    {"llvm.memcpy", "__builtin_memcpy($0, $1, $2)"},
    {"llvm.vector.reduce.or", "({ @T r = 0; for (int i = 0; i < sizeof $0.e / sizeof(@T); ++i) r |= $0.e[i]; r; })"},
    {"llvm.ssub.sat", "SATURATED(sub, #0, #1, @B)"}, {"llvm.sadd.sat", "SATURATED(add, #0, #1, @B)"}};
// Intrinsics that are functions of <math.h>, with an f at the end for float.
static constexpr StringLiteral mathFunctions[] = {
    "fabs", "sqrt", "floor", "ceil", "trunc", "rint", "round", "exp", "exp2", "log", "log2", "sin", "cos", "pow", "fma",
    "copysign", "ldexp"};

namespace {
class Writer {
public:
  Writer(Module &module) : module(module), layout(module.getDataLayout()) {}
  Expected<std::string> write();

private:
  /// Remembers the first problem, which write() returns.
  std::string fail(const Twine &what) { return problem = problem.empty() ? what.str() : problem, "0"; }
  std::string typeOf(Type *type);
  std::string initializer(const Constant *constant);
  std::string nameOf(const Value *value);
  std::string address(const GEPOperator &gep);
  std::string fill(StringRef format, const User &user);
  std::string expression(const Instruction &i);
  void writeInstruction(const Instruction &i);
  void writeFunction(const Function &function, bool isDefinition);

  Module &module;
  const DataLayout &layout;
  std::map<const Value *, std::string> names;
  std::map<Type *, std::string> records; ///< names of structs, arrays and vectors
  std::string types, text, problem;
  raw_string_ostream out{text};
};
} // namespace

static bool isRecord(Type *type) { return type->isVectorTy() || type->isAggregateType(); }

static std::string path(Type *type, ArrayRef<unsigned> indices) {
  std::string result;
  for (unsigned index : indices) {
    result += type->isStructTy() ? ".f" + utostr(index) : ".e[" + utostr(index) + "]";
    type = type->getContainedType(type->isStructTy() ? index : 0);
  }
  return result;
}

std::string Writer::typeOf(Type *type) {
  if (type->isVoidTy() || type->isPointerTy())
    return type->isVoidTy() ? "void" : "char *";
  if (type->isFloatTy() || type->isDoubleTy() || type->isHalfTy())
    return type->isFloatTy() ? "float" : type->isDoubleTy() ? "double" : "_Float16";
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
    return "u" + utostr(std::max<uint64_t>(PowerOf2Ceil(type->getIntegerBitWidth()), 8));
  if (std::string &name = records[type]; !name.empty())
    return name;
  std::string members;
  if (auto *record = dyn_cast<StructType>(type))
    for (auto [i, member] : enumerate(record->elements()))
      members += typeOf(member) + " f" + utostr(i) + "; ";
  else if (auto *vector = dyn_cast<FixedVectorType>(type); vector || type->isArrayTy())
    members = typeOf(type->getContainedType(0)) + " e[" +
              utostr(vector ? vector->getNumElements() : type->getArrayNumElements()) + "]; ";
  else
    return fail("type of this kind");
  std::string name = records[type] = "t" + utostr(types.size());
  types += "typedef struct { " + members + "} " + name + ";\n";
  return name;
}

std::string Writer::initializer(const Constant *constant) {
  Type *type = constant->getType();
  if (isa<UndefValue, ConstantAggregateZero, ConstantPointerNull>(constant)) // undef: poison, too
    return isRecord(type) ? "{0}" : "0";
  if (isRecord(type)) {
    std::string elements;
    for (unsigned i = 0; const Constant *part = constant->getAggregateElement(i); ++i)
      elements += initializer(part) + ", ";
    return type->isStructTy() ? "{" + elements + "}" : "{{" + elements + "}}";
  }
  if (auto *number = dyn_cast<ConstantInt>(constant))
    return utostr(number->getZExtValue()) + "ull";
  if (auto *number = dyn_cast<ConstantFP>(constant)) {
    char digits[64];
    number->getValueAPF().convertToHexString(digits, 0, /*UpperCase=*/false, APFloat::rmNearestTiesToEven);
    std::string sign = number->isNegative() ? "-" : "";
    return number->getValueAPF().isInfinity() ? sign + "INFINITY" : number->isNaN() ? "NAN" : digits;
  }
  if (auto *gep = dyn_cast<GEPOperator>(constant))
    return address(*gep);
  return isa<GlobalValue>(constant) ? nameOf(constant) : fail("constant of this kind");
}

std::string Writer::nameOf(const Value *value) {
  if (auto *constant = dyn_cast<Constant>(value); constant && !isa<GlobalValue>(constant)) {
    std::string literal = "(" + typeOf(value->getType()) + ")" + initializer(constant);
    return isRecord(value->getType()) ? literal : "(" + literal + ")";
  }
  std::string &name = names[value];
  if (name.empty())
    name = (isa<BasicBlock>(value) ? "b" : isa<GlobalValue>(value) ? "g" : "v") + utostr(names.size());
  return isa<GlobalVariable>(value) ? "(char *)&" + name : name;
}

std::string Writer::address(const GEPOperator &gep) {
  std::string sum = "(" + nameOf(gep.getPointerOperand());
  for (auto it = gep_type_begin(gep), end = gep_type_end(gep); it != end; ++it)
    if (StructType *record = it.getStructTypeOrNull())
      sum += " + " + utostr(layout.getStructLayout(record)->getElementOffset(
                         cast<ConstantInt>(it.getOperand())->getZExtValue()));
    else
      sum += " + (s" + utostr(it.getOperand()->getType()->getIntegerBitWidth()) + ")" + nameOf(it.getOperand()) +
             " * (s64)" + utostr(it.getSequentialElementStride(layout));
  return sum + ")";
}

/// Replaces $0, #0 and similar placeholders in an expression.
std::string Writer::fill(StringRef format, const User &user) {
  std::string result;
  for (size_t at = 0; at < format.size(); ++at) {
    char kind = format[at], which = StringRef("$#@").contains(kind) ? format[++at] : 0;
    const Value *operand = user.getOperand(isDigit(which) ? which - '0' : 0);
    std::string bits = utostr(operand->getType()->getPrimitiveSizeInBits());
    if (!which)
      result += kind;
    else if (isDigit(which))
      result += (kind == '$' ? "" : bits == "1" ? "(s8)-" : "(s" + bits + ")") + nameOf(operand);
    else
      result += which == 'B' ? bits : typeOf(which == 'T' ? user.getType() : operand->getType());
  }
  auto *integer = dyn_cast<IntegerType>(user.getType());
  bool isWhole = !integer || typeOf(integer) == "u" + utostr(integer->getBitWidth());
  return isWhole ? result : "(" + result + ") & " + utostr(integer->getBitMask()) + "ull";
}

std::string Writer::expression(const Instruction &i) {
  if (auto *gep = dyn_cast<GetElementPtrInst>(&i))
    return address(*cast<GEPOperator>(gep));
  if (auto *comparison = dyn_cast<CmpInst>(&i)) { // an unordered one is the opposite of an ordered one
    bool isFloat = isa<FCmpInst>(i), isOpposite = isFloat && CmpInst::isUnordered(comparison->getPredicate());
    CmpInst::Predicate predicate = isOpposite ? comparison->getInversePredicate() : comparison->getPredicate();
    std::string a = comparison->isSigned() ? "#0" : "$0", b = comparison->isSigned() ? "#1" : "$1";
    std::string sign = StringSwitch<std::string>(CmpInst::getPredicateName(predicate).take_back(2))
                           .Case("eq", "==").Case("ne", "!=").Case("gt", ">").Case("ge", ">=").Case("lt", "<")
                           .Case("le", "<=").Default("");
    std::string format = sign.empty()             ? "$0 == $0 && $1 == $1" // ordered
                         : isFloat && sign == "!=" ? "$0 < $1 || $0 > $1"
                                                   : a + " " + sign + " " + b;
    return fill(isOpposite ? "!(" + format + ")" : format, i);
  }
  if (auto *extract = dyn_cast<ExtractValueInst>(&i))
    return nameOf(extract->getAggregateOperand()) + path(extract->getAggregateOperand()->getType(), extract->getIndices());
  auto *call = dyn_cast<CallInst>(&i);
  Function *callee = call ? call->getCalledFunction() : nullptr;
  StringRef name = !callee ? i.getOpcodeName()
                   : callee->isIntrinsic() ? Intrinsic::getBaseName(callee->getIntrinsicID()) : callee->getName();
  if (isa<BitCastInst>(i) && i.getOperand(0)->getType()->getScalarType()->isIntegerTy(1))
    name = "mask";
  if (auto row = expressions.find(name); row != expressions.end())
    return fill(row->second, i);
  bool isMath = callee && name.consume_front("llvm.") && is_contained(mathFunctions, name);
  if (!callee || (callee->isIntrinsic() && !isMath) || callee->isVarArg() || name.starts_with("__tilecc"))
    return fail(name); // functions named __tilecc... belong to the runtime of tcc's CPU device
  auto arguments = map_range(call->args(), [&](const Use &argument) { return nameOf(argument); });
  std::string function = isMath ? name.str() + (i.getType()->isFloatTy() ? "f" : "") : nameOf(callee);
  return function + "(" + join(arguments, ", ") + ")";
}

void Writer::writeInstruction(const Instruction &i) {
  std::string name = i.getType()->isVoidTy() ? "" : nameOf(&i), result = name.empty() ? "" : name + " = ";
  if (auto *hint = dyn_cast<IntrinsicInst>(&i))
    if (hint->isAssumeLikeIntrinsic() || hint->getIntrinsicID() == Intrinsic::prefetch)
      return;
  if (auto *branch = dyn_cast<BranchInst>(&i)) {
    if (branch->isConditional())
      out << "if (" << nameOf(branch->getCondition()) << ") goto " << nameOf(branch->getSuccessor(0)) << "; else ";
    out << "goto " << nameOf(branch->getSuccessor(branch->isConditional())) << ";\n";
  } else if (isa<ReturnInst>(i)) {
    out << "return" << (i.getNumOperands() ? " " + nameOf(i.getOperand(0)) : "") << ";\n";
  } else if (isa<AllocaInst>(i)) {
    out << result << "(char *)" << name << "m;\n"; // writeFunction() declares the memory
  } else if (isa<InsertElementInst, InsertValueInst>(i)) {
    auto *value = dyn_cast<InsertValueInst>(&i);
    std::string part = value ? path(i.getType(), value->getIndices()) : ".e[" + nameOf(i.getOperand(2)) + "]";
    out << result << nameOf(i.getOperand(0)) << "; " << name << part << " = " << nameOf(i.getOperand(1)) << ";\n";
  } else {
    out << result << expression(i) << ";\n";
  }
}

/// Writes the declaration of a function, which gives it its name in the object, or its definition.
void Writer::writeFunction(const Function &function, bool isDefinition) {
  auto parameters = map_range(function.args(), [&](const Argument &argument) {
    return typeOf(argument.getType()) + " " + nameOf(&argument);
  });
  out << typeOf(function.getReturnType()) << " " << nameOf(&function) << "(" << join(parameters, ", ") << ")";
  if (!isDefinition)
    return void(out << " __asm__(\"" << function.getName() << "\");\n");
  out << " {\n";
  for (const Instruction &i : instructions(function)) {
    if (auto *memory = dyn_cast<AllocaInst>(&i))
      out << "_Alignas(" << memory->getAlign().value() << ") char " << nameOf(&i) << "m[sizeof("
          << typeOf(memory->getAllocatedType()) << ") * " << nameOf(memory->getArraySize()) << "];\n";
    if (!i.getType()->isVoidTy())
      out << typeOf(i.getType()) << " " << nameOf(&i) << ";\n";
  }
  for (const BasicBlock &block : function) {
    out << nameOf(&block) << ":;\n";
    for (const Instruction &i : block)
      writeInstruction(i);
  }
  out << "}\n";
}

Expected<std::string> Writer::write() {
  PassBuilder builder;
  FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  FunctionPassManager passes;
  if (Error error = builder.parsePassPipeline(
          passes, "lower-atomic,lower-switch,scalarize-masked-mem-intrin,scalarizer<load-store>,dce,reg2mem"))
    return error;
  for (Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, analyses);
  for (const GlobalVariable &global : module.globals()) {
    std::string declaration = typeOf(global.getValueType()) + nameOf(&global).replace(0, strlen("(char *)&"), " ");
    if (global.isDeclaration())
      out << "extern " << declaration << " __asm__(\"" << global.getName() << "\") __attribute__((weak));\n";
    else
      out << "static " << declaration << " = " << initializer(global.getInitializer()) << ";\n";
  }
  for (bool isDefinition : {false, true})
    for (const Function &function : module)
      if (!function.isIntrinsic() && !(isDefinition && function.isDeclaration()))
        writeFunction(function, isDefinition);
  if (!problem.empty())
    return createStringError("C code has no " + problem);
  return (prelude + types + text).str();
}

Expected<std::string> writeC(Module &module) { return Writer(module).write(); }
