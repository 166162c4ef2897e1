//===- AsmConstants.cpp - nvcc's inline assembly constraint "C" ---------------------------------------------------===//
//
// In asm("%1.s32 %0, %2;" : "=r"(y) : "C"(operation), "r"(x)), the operand with constraint "C" is a constant array of
// characters, whose text is inserted into the assembly. Clang's targets have no such constraint. A function of Sema
// processes operands. In a statically linked tcc, the linker (--wrap, see CMakeLists.txt) replaces that function with
// the function here, which inserts the text.
//
// In a template, the text may be known only at instantiation. Until then the operand keeps a generic constraint and
// gets a name that identifies it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "clang/AST/Expr.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

#define ACT_ON_ASM                                                                                                     \
  "_ZN5clang4Sema15ActOnGCCAsmStmtENS_14SourceLocationEbbjjPPNS_14IdentifierInfoEN4llvm15MutableArrayRefIPNS_"         \
  "4ExprEEES9_"                                                                                                        \
  "S8_S9_jS1_"
StmtResult actOfClang(Sema *, SourceLocation, bool isSimple, bool isVolatile, unsigned outputs, unsigned inputs,
                      IdentifierInfo **names, MultiExprArg constraints, MultiExprArg operands, Expr *text,
                      MultiExprArg clobbers, unsigned labels, SourceLocation end) asm("__real_" ACT_ON_ASM);
StmtResult actWithConstants(Sema *, SourceLocation, bool isSimple, bool isVolatile, unsigned outputs, unsigned inputs,
                            IdentifierInfo **names, MultiExprArg constraints, MultiExprArg operands, Expr *text,
                            MultiExprArg clobbers, unsigned labels, SourceLocation end) asm("__wrap_" ACT_ON_ASM);

static constexpr char nameOfConstant[] = "constraint C"; // not a valid name in a source

namespace {
struct Operand {
  StringRef name;
  std::optional<std::string> text; ///< the text to insert; none: the operand stays
  unsigned number = 0; ///< the new number of an operand that stays
};
} // namespace

/// Renumbers the operands that stay (%0, %x0, %[name]), and replaces the other operands by their text.
static std::string putIn(StringRef assembly, llvm::ArrayRef<Operand> operands) {
  std::string result;
  while (!assembly.empty()) {
    size_t percent = assembly.find('%');
    result += assembly.take_front(percent);
    assembly = assembly.drop_front(std::min(percent, assembly.size()));
    if (assembly.empty())
      break;
    StringRef rest = assembly.drop_front(), modifier;
    if (rest.size() > 1 && llvm::isAlpha(rest[0]) && (llvm::isDigit(rest[1]) || rest[1] == '[')) {
      modifier = rest.take_front();
      rest = rest.drop_front();
    }
    const Operand *operand = nullptr;
    unsigned number = 0;
    if (!rest.consumeInteger(10, number)) {
      operand = number < operands.size() ? &operands[number] : nullptr;
    } else if (rest.consume_front("[")) {
      StringRef name = rest.take_until([](char c) { return c == ']'; });
      rest = rest.drop_front(std::min(name.size() + 1, rest.size()));
      operand = llvm::find_if(operands, [&](const Operand &each) { return each.name == name; });
      if (operand == operands.end())
        operand = nullptr;
    }
    if (!operand) { // %%, and errors that Clang reports
      result += assembly.take_front(2);
      assembly = assembly.drop_front(std::min<size_t>(2, assembly.size()));
      continue;
    }
    if (operand->text)
      for (char c : *operand->text)
        result += c == '%' ? "%%" : std::string(1, c);
    else
      result += "%" + modifier.str() + std::to_string(operand->number);
    assembly = rest;
  }
  return result;
}

static StringLiteral *makeLiteral(Sema &sema, StringRef text, SourceLocation loc) {
  ASTContext &context = sema.Context;
  QualType type = context.getStringLiteralArrayType(context.CharTy, text.size());
  return StringLiteral::Create(context, text, StringLiteralKind::Ordinary, /*Pascal=*/false, type, loc);
}

StmtResult actWithConstants(Sema *sema, SourceLocation loc, bool isSimple, bool isVolatile, unsigned outputs,
                            unsigned inputs, IdentifierInfo **names, MultiExprArg constraints, MultiExprArg operands,
                            Expr *text, MultiExprArg clobbers, unsigned labels, SourceLocation end) {
  ASTContext &context = sema->Context;
  IdentifierInfo *marker = &context.Idents.get(nameOfConstant);
  auto isConstant = [&](unsigned i) {
    const auto *constraint = dyn_cast<StringLiteral>(constraints[i]);
    return names[i] == marker || (constraint && constraint->getString() == "C");
  };
  bool any = false, isKnown = true;
  std::vector<Operand> known(outputs + inputs);
  for (unsigned i = 0; i < known.size(); ++i) {
    known[i].name = names[i] ? names[i]->getName() : StringRef();
    if (i < outputs || !isConstant(i))
      continue;
    any = true;
    if (operands[i]->isInstantiationDependent())
      isKnown = false;
    else if (ExprResult pointer = sema->DefaultFunctionArrayLvalueConversion(operands[i]); pointer.isUsable())
      known[i].text = pointer.get()->tryEvaluateString(context);
    if (isKnown && !known[i].text) {
      DiagnosticsEngine &diags = sema->getDiagnostics();
      diags.Report(operands[i]->getExprLoc(),
                   diags.getCustomDiagID(DiagnosticsEngine::Error,
                                         "an operand with the constraint \"C\" is an array of characters that is known "
                                         "when the source is compiled, such as a static constexpr char[]"));
      return StmtError();
    }
  }
  const auto *assembly = dyn_cast<StringLiteral>(text);
  if (!any || !sema->getLangOpts().CUDA || !assembly)
    return actOfClang(sema, loc, isSimple, isVolatile, outputs, inputs, names, constraints, operands, text, clobbers,
                      labels, end);

  llvm::SmallVector<IdentifierInfo *> newNames;
  llvm::SmallVector<Expr *> newConstraints, newOperands;
  for (auto [i, operand] : llvm::enumerate(known)) {
    if (isKnown && operand.text)
      continue;
    bool waits = i >= outputs && isConstant(i);
    operand.number = newOperands.size();
    newNames.push_back(waits ? marker : names[i]);
    newConstraints.push_back(waits ? makeLiteral(*sema, "l", constraints[i]->getBeginLoc()) : constraints[i]);
    newOperands.push_back(operands[i]);
  }
  for (unsigned i = 0; i < labels; ++i) {
    newNames.push_back(names[known.size() + i]);
    newOperands.push_back(operands[known.size() + i]);
  }
  Expr *newText = isKnown ? makeLiteral(*sema, putIn(assembly->getString(), known), text->getBeginLoc()) : text;
  unsigned kept = newOperands.size() - labels - outputs;
  return actOfClang(sema, loc, isSimple, isVolatile, outputs, kept, newNames.data(), newConstraints, newOperands,
                    newText, clobbers, labels, end);
}
