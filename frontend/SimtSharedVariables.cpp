//===- SimtSharedVariables.cpp - variables in shared memory whose types have constructors
//-----------------------------===//
//
// A __shared__ variable is never constructed. nvcc warns where its type has a constructor or destructor that is not
// empty; Clang refuses, and with it cuda::barrier. The check is a function of Sema's that has no option, so a tcc that
// is linked statically has the linker (--wrap, see CMakeLists.txt) put the function here in front of it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;

extern "C" void __real__ZN5clang8SemaCUDA23checkAllowedInitializerEPNS_7VarDeclE(SemaCUDA *, VarDecl *);
extern "C" void __wrap__ZN5clang8SemaCUDA23checkAllowedInitializerEPNS_7VarDeclE(SemaCUDA *sema, VarDecl *variable);

/// Whether the variable's initializer is no more than its default constructor, which the source does not write.
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
