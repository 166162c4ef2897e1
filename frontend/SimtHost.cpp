//===- SimtHost.cpp - adapts the host side of a source with SIMT code ---------------------------------------------===//
//
// This file adapts Clang's stubs and registration for a source with both kinds of kernels. HostStubs.cpp calls it after
// host code generation, and the driver when it has the fat binary of the SIMT kernels.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Simt.h"
#include "frontend/TileGenerator.h"
#include "clang/AST/Attr.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace clang;

namespace tilecc {

bool isSimtCode(const Decl *decl) {
  if (decl->hasAttr<CUDAGlobalAttr>())
    return !findAnnotation(decl, kernelAnnotation);
  if (isa<VarDecl>(decl))
    return true;
  const auto *function = dyn_cast<FunctionDecl>(decl);
  return function && !function->isInlined() && !function->isTemplateInstantiation() &&
         !function->hasAttr<CUDAHostAttr>() && !findAnnotation(decl, tileAnnotation);
}

bool isSimtFunction(const FunctionDecl *function) {
  return isSimtMode(function->getASTContext().getLangOpts()) && function->hasAttr<CUDADeviceAttr>() &&
         !function->hasAttr<CUDAGlobalAttr>() && !function->getBuiltinID() && isSimtCode(function);
}

void launchTileKernels(llvm::Module &host, const llvm::SmallPtrSetImpl<llvm::Function *> &tileStubs) {
  // Both functions take an array of pointers to the arguments. CUDA's runtime pops the configuration, because it has
  // pushed it.
  for (const char *name : {"cudaLaunchKernel", "cudaLaunchKernel_ptsz"})
    if (llvm::Function *callee = host.getFunction(name))
      callee->replaceUsesWithIf(
          host.getOrInsertFunction("__tilecc_launch_args", callee->getFunctionType(), callee->getAttributes())
              .getCallee(),
          [&](llvm::Use &use) {
            auto *call = dyn_cast<llvm::CallInst>(use.getUser());
            return call && tileStubs.contains(call->getFunction());
          });
  if (llvm::Function *callee = host.getFunction("__cudaRegisterFunction"))
    for (llvm::User *user : llvm::make_early_inc_range(callee->users()))
      if (auto *call = dyn_cast<llvm::CallInst>(user))
        if (auto *stub = dyn_cast<llvm::Function>(call->getArgOperand(1)->stripPointerCasts());
            tileStubs.contains(stub))
          call->eraseFromParent();
}

void embedSimtFatbin(llvm::Module &host, llvm::StringRef fatbin) {
  for (llvm::GlobalVariable &global : llvm::make_early_inc_range(host.globals())) {
    if (global.getSection() != ".nv_fatbin" && global.getSection() != "__nv_relfatbin")
      continue;
    // Replace the contents of the empty file that the invocation named.
    llvm::Constant *bytes = llvm::ConstantDataArray::getString(host.getContext(), fatbin, /*AddNull=*/false);
    auto *whole = new llvm::GlobalVariable(host, bytes->getType(), /*isConstant=*/true, global.getLinkage(), bytes);
    whole->takeName(&global);
    whole->copyAttributesFrom(&global);
    global.replaceAllUsesWith(whole);
    global.eraseFromParent();
    return;
  }
}

} // namespace tilecc
