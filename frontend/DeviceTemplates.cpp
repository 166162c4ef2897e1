//===- DeviceTemplates.cpp - templates that the host parse need not instantiate -----------------------------------===//
//
// Clang tells its consumers about an instantiation right after it has queued it, so a consumer can take it back.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/DeviceTemplates.h"
#include "frontend/Simt.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Stmt.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace tilecc {

/// Clang would warn that functions and variables which only the emptied bodies use are unused. The device parse sees
/// the bodies and gives these warnings.
static void markDeviceCodeUsed(Decl *decl, ASTContext &context) {
  if (isa<NamespaceDecl, LinkageSpecDecl>(decl)) {
    for (Decl *member : cast<DeclContext>(decl)->decls())
      markDeviceCodeUsed(member, context);
    return;
  }
  if (isa<FunctionDecl, VarDecl>(decl) &&
      (decl->hasAttr<CUDADeviceAttr>() || decl->hasAttr<CUDAGlobalAttr>() || decl->hasAttr<CUDAConstantAttr>()))
    decl->markUsed(context);
}

bool DeviceTemplates::mayHaveTileCode() const {
  return compiler.getPreprocessor().isMacroDefined("TILECC_DETAIL_BUILTINS_H");
}

void DeviceTemplates::HandleCXXImplicitFunctionInstantiation(FunctionDecl *function) {
  if (function->hasAttr<CUDAHostAttr>() ||
      !(function->hasAttr<CUDADeviceAttr>() || function->hasAttr<CUDAGlobalAttr>()) || mayHaveTileCode())
    return;
  auto &pending = sema->PendingInstantiations;
  if (pending.empty() || pending.back().first != function)
    return;
  emptied.emplace_back(function, pending.back().second);
  pending.pop_back();
  function->setInstantiationIsPending(false);
  function->setBody(CompoundStmt::CreateEmpty(function->getASTContext(), /*NumStmts=*/0, /*HasFPFeatures=*/false));
  // The host's stub of a kernel is the code of its definition.
  if (function->hasAttr<CUDAGlobalAttr>())
    sema->getASTConsumer().HandleTopLevelDecl(DeclGroupRef(function));
}

bool DeviceTemplates::HandleTopLevelDecl(DeclGroupRef group) {
  for (Decl *decl : group)
    markDeviceCodeUsed(decl, compiler.getASTContext());
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
