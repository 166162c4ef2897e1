//===- SimtSharedVariables.cpp - __shared__ variables whose types have constructors ------------------------------===//
//
// A __shared__ variable is never constructed. If its type has a nonempty constructor or destructor, nvcc warns, but
// Clang reports an error, which makes cuda::barrier unusable. No option disables this check of Sema. In a statically
// linked tcc, the linker (--wrap, see CMakeLists.txt) replaces the check with the function here.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;

extern "C" void __real__ZN5clang8SemaCUDA23checkAllowedInitializerEPNS_7VarDeclE(SemaCUDA *, VarDecl *);
extern "C" void __wrap__ZN5clang8SemaCUDA23checkAllowedInitializerEPNS_7VarDeclE(SemaCUDA *sema, VarDecl *variable);

/// Returns true if the variable's initializer is only its implicit default constructor call.
static bool isDefaultConstructed(const VarDecl *variable) {
  if (!variable->hasInit() || variable->isInvalidDecl() || variable->getType()->isDependentType())
    return false;
  const auto *construct = dyn_cast<CXXConstructExpr>(variable->getInit()->IgnoreImplicit());
  return construct && construct->getNumArgs() == 0;
}

void __wrap__ZN5clang8SemaCUDA23checkAllowedInitializerEPNS_7VarDeclE(SemaCUDA *sema, VarDecl *variable) {
  if (!variable->hasAttr<CUDASharedAttr>() || !isDefaultConstructed(variable))
    return __real__ZN5clang8SemaCUDA23checkAllowedInitializerEPNS_7VarDeclE(sema, variable);
  const CXXRecordDecl *record = variable->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (record && !(record->hasTrivialDefaultConstructor() && record->hasTrivialDestructor())) {
    DiagnosticsEngine &diags = sema->SemaRef.getDiagnostics();
    diags.Report(variable->getLocation(),
                 diags.getCustomDiagID(DiagnosticsEngine::Warning,
                                       "%0 is not constructed: variables in shared memory have no initialization"))
        << variable;
  }
  variable->setInit(nullptr);
}
