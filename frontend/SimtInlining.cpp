//===- SimtInlining.cpp - always_inline functions of SIMT code, inlined bottom-up -------------------------------===//
//
// Libraries of device code mark their functions __forceinline__, and pass structures by reference through dozens of
// levels. LLVM's pipeline inlines such functions without simplifying them between the levels, so a kernel receives the
// variables and branches of all levels at once. Then SROA and other passes, whose time grows with the product of
// variables and blocks, practically never finish for kernels of FlashAttention.
//
// These passes inline the same functions from the callees up, and simplify each function before it is inlined into its
// callers. LLVM's own inliners handle the other functions afterwards.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/SimtOptimizations.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/MemCpyOptimizer.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace tilecc {

void addBottomUpInlining(ModulePassManager &modules) {
  FunctionPassManager simplification;
  simplification.addPass(SROAPass(SROAOptions::ModifyCFG));
  simplification.addPass(EarlyCSEPass());
  simplification.addPass(MemCpyOptPass()); // SROA does not promote variables that are only copied
  simplification.addPass(SimplifyCFGPass());
  CGSCCPassManager components;
  components.addPass(InlinerPass(/*OnlyMandatory=*/true));
  components.addPass(createCGSCCToFunctionPassAdaptor(std::move(simplification), /*EagerlyInvalidate=*/true));
  modules.addPass(createModuleToPostOrderCGSCCPassAdaptor(std::move(components)));
}

} // namespace tilecc
