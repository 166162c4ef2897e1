//===- DeviceRedeclarations.cpp - sources that declare a function again with other attributes ---------------------===//
//
// Clang's wrapper of CUDA's headers declares some functions for devices that a system header declares for the host. A
// source may declare such a function again for both sides, as PyTorch does with __assert_fail. For nvcc, this
// redeclares the known function. For Clang, it declares a third function, which cannot overload the function for
// devices. The function here makes it a redeclaration of the host's function.
//
// A class may declare a kernel or a device function as its friend without __global__ or __device__, as Eigen does. For
// nvcc, the friend is the known function. For Clang, it is a new function for the host. The function here gives the
// declaration the attributes of the known function.
//
// In a statically linked tcc, the linker (--wrap, see CMakeLists.txt) replaces the function of Sema with the function
// here.
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

static bool hasTarget(const Decl *decl) {
  return decl->hasAttr<CUDAGlobalAttr>() || decl->hasAttr<CUDADeviceAttr>() || decl->hasAttr<CUDAHostAttr>();
}

/// Gives `added` the CUDA attributes of `other`, or removes them if `other` is null.
static void copyTarget(ASTContext &ast, FunctionDecl *added, const FunctionDecl *other) {
  added->dropAttrs<CUDAGlobalAttr, CUDADeviceAttr, CUDAHostAttr>();
  if (!other)
    return;
  if (other->hasAttr<CUDAGlobalAttr>())
    added->addAttr(CUDAGlobalAttr::CreateImplicit(ast));
  if (other->hasAttr<CUDADeviceAttr>())
    added->addAttr(CUDADeviceAttr::CreateImplicit(ast));
  if (other->hasAttr<CUDAHostAttr>())
    added->addAttr(CUDAHostAttr::CreateImplicit(ast));
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
  OverloadKind kind = checkOverloadOfClang(sema, scope, added, others, match, usesMemberRules);
  if (kind != OverloadKind::Overload || !tilecc::isSimtMode(sema->getLangOpts()) || !added->getFriendObjectKind() ||
      hasTarget(added))
    return kind;
  for (NamedDecl *other : others) {
    const FunctionDecl *function = other->getUnderlyingDecl()->getAsFunction();
    if (!function || !hasTarget(function))
      continue;
    copyTarget(sema->Context, added, function);
    NamedDecl *sameMatch = nullptr;
    if (checkOverloadOfClang(sema, scope, added, others, sameMatch, usesMemberRules) == OverloadKind::Match) {
      match = sameMatch;
      return OverloadKind::Match;
    }
    copyTarget(sema->Context, added, nullptr);
  }
  return kind;
}
