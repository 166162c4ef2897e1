//===- DeviceBodies.cpp - omits function bodies that the host parse does not need ---------------------------------===//
//
// Clang asks its consumers whether to skip the body of a function, unless the body determines a type or may be part of
// a constant expression. Clang also notifies consumers right after it has queued an instantiation, so a consumer can
// remove the instantiation from the queue.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/DeviceBodies.h"
#include "frontend/Simt.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace tilecc {

static bool isDeviceOnly(const FunctionDecl *function) {
  return !function->hasAttr<CUDAHostAttr>() &&
         (function->hasAttr<CUDADeviceAttr>() || function->hasAttr<CUDAGlobalAttr>());
}

/// Returns true if the instantiation of a kernel has its stub in this unit. Otherwise, either its definition follows,
/// or another unit instantiates it: the declaration is `extern template`, and its parameters may be incomplete types.
static bool hasStubHere(const FunctionDecl *kernel) {
  const FunctionDecl *pattern = kernel->getTemplateInstantiationPattern();
  return pattern && pattern->isDefined() &&
         kernel->getTemplateSpecializationKind() != TSK_ExplicitInstantiationDeclaration;
}

static void makeEmpty(FunctionDecl *function) {
  function->setBody(CompoundStmt::CreateEmpty(function->getASTContext(), /*NumStmts=*/0, /*HasFPFeatures=*/false));
}

bool DeviceBodies::mayHaveTileCode() const {
  return compiler.getPreprocessor().isMacroDefined("TILECC_DETAIL_BUILTINS_H");
}

bool DeviceBodies::shouldSkipFunctionBody(Decl *decl) {
  const FunctionDecl *function = decl->getAsFunction();
  if (!function || !isDeviceOnly(function) || mayHaveTileCode())
    return false;
  // Keep constructors and destructors: variables in GPU memory may be initialized by constructors that do nothing.
  if (isa<CXXConstructorDecl, CXXDestructorDecl>(function))
    return false;
  // finish() does not reach kernels in classes.
  if (function->hasAttr<CUDAGlobalAttr>() && !function->getLexicalDeclContext()->isFileContext())
    return false;
  return hasSkipped = true;
}

/// Completes a declaration for the host's code generator and for warnings about unused declarations.
void DeviceBodies::finish(Decl *decl) {
  if (isa<NamespaceDecl, LinkageSpecDecl>(decl)) {
    for (Decl *member : cast<DeclContext>(decl)->decls())
      finish(member);
    return;
  }
  // In the host module, the code of a kernel's definition is its stub, so the definition must have a body.
  if (auto *function = dyn_cast<FunctionDecl>(decl);
      function && function->hasSkippedBody() && function->hasAttr<CUDAGlobalAttr>())
    makeEmpty(function);
  // If functions and variables are used only in bodies that were skipped, Clang would warn that they are unused. The
  // parse for the device sees the bodies and gives these warnings. (Device code may also use constants of the host.)
  if (isa<FunctionDecl, VarDecl>(decl) && (decl->hasAttr<CUDADeviceAttr>() || decl->hasAttr<CUDAGlobalAttr>() ||
                                           decl->hasAttr<CUDAConstantAttr>() || (hasSkipped && isa<VarDecl>(decl))))
    decl->markUsed(compiler.getASTContext());
}

void DeviceBodies::HandleCXXImplicitFunctionInstantiation(FunctionDecl *function) {
  const bool isKernel = function->hasAttr<CUDAGlobalAttr>();
  if (!isDeviceOnly(function) || mayHaveTileCode() || (isKernel && !hasStubHere(function)))
    return;
  auto &pending = sema->PendingInstantiations;
  if (pending.empty() || pending.back().first != function)
    return;
  emptied.emplace_back(function, pending.back().second);
  pending.pop_back();
  function->setInstantiationIsPending(false);
  makeEmpty(function);
  // The code of a kernel's definition in the host module is its stub.
  if (isKernel)
    sema->getASTConsumer().HandleTopLevelDecl(DeclGroupRef(function));
}

bool DeviceBodies::HandleTopLevelDecl(DeclGroupRef group) {
  if (mayHaveTileCode() && hasSkipped) {
    lacksBodies = true;
    return false; // ends the parse
  }
  for (Decl *decl : group)
    finish(decl);
  if (!emptied.empty() && mayHaveTileCode()) {
    for (auto [function, place] : emptied)
      if (!function->hasAttr<CUDAGlobalAttr>()) {
        function->setLazyBody(0);
        function->setInstantiationIsPending(true);
        sema->PendingInstantiations.emplace_back(function, place);
      }
    emptied.clear();
  }
  return true;
}

} // namespace tilecc
