//===- HostDecltypes.cpp - host functions in decltype -------------------------------------------------------------===//
//
// In decltype nothing is called, so a kernel may name functions of the host there: std::declval above all. nvcc takes it;
// Clang looks for an overload that the kernel could call, and finds none. Which may be called is a function of Sema's that
// has no option, so a tcc that is linked statically has the linker (--wrap, see CMakeLists.txt) put the function here in
// front of it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;

using Preference = SemaCUDA::CUDAFunctionPreference;
#define IDENTIFY_PREFERENCE "_ZN5clang8SemaCUDA18IdentifyPreferenceEPKNS_12FunctionDeclES3_"
Preference ofClang(SemaCUDA *, const FunctionDecl *caller, const FunctionDecl *callee) asm("__real_" IDENTIFY_PREFERENCE);
Preference ofKernels(SemaCUDA *, const FunctionDecl *caller, const FunctionDecl *callee) asm("__wrap_" IDENTIFY_PREFERENCE);

/// (Overload resolution is unevaluated by itself, in several layers: that alone says nothing.)
static bool isInDecltype(const Sema &sema) {
  for (const auto &context : llvm::reverse(sema.ExprEvalContexts)) {
    if (!context.isUnevaluated())
      return false;
    if (context.ExprContext == Sema::ExpressionEvaluationContextRecord::EK_Decltype)
      return true;
  }
  return false;
}

Preference ofKernels(SemaCUDA *sema, const FunctionDecl *caller, const FunctionDecl *callee) {
  Preference preference = ofClang(sema, caller, callee);
  return preference == SemaCUDA::CFP_Never && isInDecltype(sema->SemaRef) ? SemaCUDA::CFP_WrongSide : preference;
}
