//===- SimtHost.cpp - the host side of a source with SIMT code ----------------------------------------------------===//
//
// What becomes of Clang's stubs and registrations when kernels of both kinds are in one source. Called when the host's
// code has been generated (HostStubs.cpp), and by the driver when it has the SIMT kernels' fatbinary.
//
//===----------------------------------------------------------------------------------------------------------------===//

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
         !findAnnotation(decl, tileAnnotation);
}

void launchTileKernels(llvm::Module &host, const llvm::SmallPtrSetImpl<llvm::Function *> &tileStubs) {
  // The same arguments, each by a pointer to it. What pops the configuration is cudart's, as what pushed it is.
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
    // Clang has put in what the invocation names as the file, which is empty.
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
