//===- AmbiguousOperators.cpp - operators that are ambiguous in C++ and not for nvcc ------------------------------===//
//
// For `long % divisor`, where a class Divisor has `operator%(int, const Divisor &)` and a conversion to int, this
// function is better for the second operand, and the operator of the language for the first. C++ says that the
// expression is ambiguous. nvcc and g++ then prefer the function whose worst conversion is better. TensorRT-LLM and
// FlashInfer rely on that. The function here chooses such a function if it is the only one that needs no conversion by
// a class. In a statically linked tcc, the linker (--wrap, see CMakeLists.txt) calls it before Sema's.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Simt.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Sema/Overload.h"
#include "clang/Sema/Sema.h"

using namespace clang;

#define CREATE_OPERATOR                                                                                                \
  "_ZN5clang4Sema21CreateOverloadedBinOpENS_14SourceLocationENS_18BinaryOperatorKindERKNS_17UnresolvedSetImplE"        \
  "PNS_4ExprES7_bbPNS_12FunctionDeclE"
ExprResult createOfClang(Sema *, SourceLocation, BinaryOperatorKind, const UnresolvedSetImpl &, Expr *, Expr *,
                         bool usesArguments, bool allowsRewriting, FunctionDecl *) asm("__real_" CREATE_OPERATOR);
ExprResult createUnambiguous(Sema *, SourceLocation, BinaryOperatorKind, const UnresolvedSetImpl &, Expr *, Expr *,
                             bool usesArguments, bool allowsRewriting, FunctionDecl *) asm("__wrap_" CREATE_OPERATOR);

static bool convertsItself(const Expr *operand) {
  const auto *record = operand->getType()->getAsCXXRecordDecl();
  return record && record->hasDefinition() && !record->isDependentContext() &&
         llvm::any_of(record->getVisibleConversionFunctions(), [](const NamedDecl *) { return true; });
}

/// Returns the function of the only candidate whose conversions are all standard ones, or null.
static FunctionDecl *findStandard(OverloadCandidateSet &candidates) {
  FunctionDecl *found = nullptr;
  for (const OverloadCandidate &candidate : candidates) {
    if (!candidate.Viable || !llvm::all_of(candidate.Conversions, [](const ImplicitConversionSequence &conversion) {
          return conversion.isInitialized() && conversion.isStandard();
        }))
      continue;
    if (found || !candidate.Function || isa<CXXMethodDecl>(candidate.Function) || candidate.isReversed())
      return nullptr;
    found = candidate.Function;
  }
  return found;
}

ExprResult createUnambiguous(Sema *sema, SourceLocation loc, BinaryOperatorKind kind,
                             const UnresolvedSetImpl &functions, Expr *left, Expr *right, bool usesArguments,
                             bool allowsRewriting, FunctionDecl *defaulted) {
  auto create = [&] {
    return createOfClang(sema, loc, kind, functions, left, right, usesArguments, allowsRewriting, defaulted);
  };
  Expr *operands[] = {left, right};
  const bool isRight = left->getType()->isArithmeticType();
  Expr *&number = operands[isRight ? 0 : 1];
  if (!tilecc::isSimtMode(sema->getLangOpts()) || !number->getType()->isArithmeticType() ||
      !convertsItself(operands[isRight ? 1 : 0]))
    return create();
  const OverloadedOperatorKind name = BinaryOperator::getOverloadedOperator(kind);
  OverloadCandidateSet candidates(loc, OverloadCandidateSet::CSK_Operator,
                                  OverloadCandidateSet::OperatorRewriteInfo(name, loc, allowsRewriting));
  sema->LookupOverloadedBinOp(candidates, name, functions, operands, usesArguments);
  OverloadCandidateSet::iterator best;
  if (candidates.BestViableFunction(*sema, loc, best) != OR_Ambiguous)
    return create();
  const FunctionDecl *function = findStandard(candidates);
  if (!function)
    return create();
  // With the parameter's type, this operand decides for the function.
  const QualType type = function->getParamDecl(isRight ? 0 : 1)->getType().getNonReferenceType().getUnqualifiedType();
  ExprResult converted = sema->PerformImplicitConversion(number, type, AssignmentAction::Passing);
  if (converted.isInvalid())
    return ExprError();
  (isRight ? left : right) = converted.get();
  DiagnosticsEngine &diags = sema->getDiagnostics();
  diags.Report(loc, tilecc::simtWarning(diags, "'%0' is ambiguous in C++; it is taken for a call of %1, as nvcc does"))
      << BinaryOperator::getOpcodeStr(kind) << function;
  return create();
}
