//===- UnevaluatedHost.cpp - calls across sides that nvcc accepts -------------------------------------------------===//
//
// A function of Sema decides which functions may be called, and no option changes that. In a statically linked tcc, the
// linker (--wrap, see CMakeLists.txt) replaces it with the function here, which accepts calls in two further cases.
//
// First, a parse for a device does not generate code for host functions, so host functions may call device functions.
// Sources such as Eigen declare operators of half for devices instead of for the host where __CUDA_ARCH__ is defined.
// If host functions could not call these operators, their calls could be ambiguous in the device parse. Overload
// resolution prefers host functions, because both parses must instantiate the same kernels.
//
// Second, operands of decltype and sizeof are not evaluated, so a kernel may name host functions there, most often
// std::declval. nvcc accepts this. Clang searches for an overload that the kernel may call, and finds none.
//
// Overload resolution itself uses unevaluated contexts, in several layers, so a context alone does not show whether the
// operand in the source is unevaluated. The context of a decltype is marked as such. The contexts of sizeof and alignof
// are entered by a separate function (it keeps the declaration in which lambdas are numbered), which overload
// resolution does not call. The linker wraps that function too, and also the function that leaves a context.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Simt.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;

using Kind = Sema::ExpressionEvaluationContextRecord::ExpressionKind;
#define PUSH_CONTEXT                                                                                                   \
  "_ZN5clang4Sema31PushExpressionEvaluationContextENS0_27ExpressionEvaluationContextENS0_24ReuseLambdaContextDecl_tE"  \
  "NS0_33ExpressionEvaluationContextRecord14ExpressionKindE"
#define POP_CONTEXT "_ZN5clang4Sema30PopExpressionEvaluationContextEv"
void pushOfClang(Sema *, Sema::ExpressionEvaluationContext, Sema::ReuseLambdaContextDecl_t,
                 Kind) asm("__real_" PUSH_CONTEXT);
void pushOfOperand(Sema *, Sema::ExpressionEvaluationContext, Sema::ReuseLambdaContextDecl_t,
                   Kind) asm("__wrap_" PUSH_CONTEXT);
void popOfClang(Sema *) asm("__real_" POP_CONTEXT);
void popOfAll(Sema *) asm("__wrap_" POP_CONTEXT);

using Preference = SemaCUDA::CUDAFunctionPreference;
#define IDENTIFY_PREFERENCE "_ZN5clang8SemaCUDA18IdentifyPreferenceEPKNS_12FunctionDeclES3_"
Preference ofClang(SemaCUDA *, const FunctionDecl *caller,
                   const FunctionDecl *callee) asm("__real_" IDENTIFY_PREFERENCE);
Preference ofKernels(SemaCUDA *, const FunctionDecl *caller,
                     const FunctionDecl *callee) asm("__wrap_" IDENTIFY_PREFERENCE);

/// The contexts of this thread that are operands of sizeof and similar operators, by depth, innermost last.
static thread_local llvm::SmallVector<std::pair<const Sema *, size_t>> operands;

void pushOfOperand(Sema *sema, Sema::ExpressionEvaluationContext context, Sema::ReuseLambdaContextDecl_t reuse,
                   Kind kind) {
  pushOfClang(sema, context, reuse, kind);
  operands.emplace_back(sema, sema->ExprEvalContexts.size());
}

void popOfAll(Sema *sema) {
  popOfClang(sema);
  while (!operands.empty() && operands.back().first == sema && operands.back().second > sema->ExprEvalContexts.size())
    operands.pop_back();
}

static bool isInOperand(const Sema &sema) {
  for (size_t depth = sema.ExprEvalContexts.size(); depth > 0; --depth) {
    const Sema::ExpressionEvaluationContextRecord &context = sema.ExprEvalContexts[depth - 1];
    if (!context.isUnevaluated())
      return false;
    if (context.ExprContext == Sema::ExpressionEvaluationContextRecord::EK_Decltype ||
        llvm::is_contained(operands, std::pair(&sema, depth)))
      return true;
  }
  return false;
}

/// Returns true if `function` is a host function in a parse for a device, which does not generate code for it.
static bool isNotGenerated(SemaCUDA &cuda, const FunctionDecl *function) {
  const LangOptions &lang = cuda.SemaRef.getLangOpts();
  return lang.CUDAIsDevice && tilecc::isSimtMode(lang) && function && !function->isImplicit() &&
         cuda.IdentifyTarget(function) == CUDAFunctionTarget::Host;
}

Preference ofKernels(SemaCUDA *sema, const FunctionDecl *caller, const FunctionDecl *callee) {
  Preference preference = ofClang(sema, caller, callee);
  if (preference == SemaCUDA::CFP_Never && isInOperand(sema->SemaRef))
    return SemaCUDA::CFP_WrongSide;
  if (!isNotGenerated(*sema, caller))
    return preference;
  // Overload resolution drops functions of the wrong side if it finds one of the same side.
  if (preference == SemaCUDA::CFP_Native)
    return SemaCUDA::CFP_SameSide;
  // Clang's wrapper overloads functions of the C++ library for devices, with other types: std::pow(float, int).
  const bool isOfSystem = sema->SemaRef.getSourceManager().isInSystemHeader(callee->getLocation());
  return preference == SemaCUDA::CFP_Never && !isOfSystem ? SemaCUDA::CFP_WrongSide : preference;
}
