//===- DeviceRedeclarations.cpp - functions of CUDA's headers that sources redeclare ------------------------------===//
//
// Clang's wrapper of CUDA's headers declares some functions for devices that a system header declares for the host. A
// source may declare such a function again for both sides, as PyTorch does with __assert_fail. For nvcc, this
// redeclares the known function. For Clang, it declares a third function, which cannot overload the function for
// devices. The function here makes it a redeclaration of the host's function. In a statically linked tcc, the linker
// (--wrap, see CMakeLists.txt) calls the function here instead of Sema's.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Simt.h"
#include "clang/AST/Attr.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

using namespace clang;

#define CHECK_OVERLOAD                                                                                                 \
  "_ZN5clang4Sema13CheckOverloadEPNS_5ScopeEPNS_12FunctionDeclERKNS_12LookupResultERPNS_9NamedDeclEb"
OverloadKind checkOverloadOfClang(Sema *, Scope *, FunctionDecl *, const LookupResult &, NamedDecl *&,
                                  bool) asm("__real_" CHECK_OVERLOAD);
OverloadKind checkRedeclaration(Sema *, Scope *, FunctionDecl *, const LookupResult &, NamedDecl *&,
                                bool) asm("__wrap_" CHECK_OVERLOAD);

static bool isOfSystem(Sema &sema, const Decl *decl) {
  return sema.getSourceManager().isInSystemHeader(decl->getLocation());
}

OverloadKind checkRedeclaration(Sema *sema, Scope *scope, FunctionDecl *added, const LookupResult &others,
                                NamedDecl *&match, bool usesMemberRules) {
  auto isForDevices = [&](const NamedDecl *other) {
    auto *function = dyn_cast<FunctionDecl>(other->getUnderlyingDecl());
    return function && function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAHostAttr>() &&
           isOfSystem(*sema, function) &&
           sema->Context.hasSameType(function->getReturnType(), added->getReturnType()) &&
           function->getNumParams() == added->getNumParams();
  };
  if (tilecc::isSimtMode(sema->getLangOpts()) && added->getDeclContext()->isExternCContext() &&
      added->hasAttr<CUDADeviceAttr>() && added->hasAttr<CUDAHostAttr>() && llvm::any_of(others, isForDevices))
    added->dropAttr<CUDADeviceAttr>();
  return checkOverloadOfClang(sema, scope, added, others, match, usesMemberRules);
}
