//===- DeviceRedeclarations.cpp - functions of CUDA's headers that a source declares again ------------------------===//
//
// A source may declare a function again for both sides that Clang's wrapper of CUDA's headers defines for devices, and a
// header of the system for the host. PyTorch does so with __assert_fail. nvcc takes such a declaration as one of the
// function that it knows. To Clang it is a third function, which cannot overload the one for devices. Here it becomes a
// declaration of the one for the host. In a statically linked tcc, the linker (--wrap, see CMakeLists.txt) puts the
// function in front of Sema's.
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
