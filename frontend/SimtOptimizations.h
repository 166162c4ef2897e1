//===- SimtOptimizations.h - adds passes that LLVM's pipeline lacks for SIMT code -----------------*- C++ -*-===//

#ifndef TILECC_FRONTEND_SIMTOPTIMIZATIONS_H
#define TILECC_FRONTEND_SIMTOPTIMIZATIONS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
}

namespace tilecc {

/// Marks functions of SIMT code for code generation (SimtLoopStrength.cpp).
inline constexpr char simtAttribute[] = "tilecc-simt";

/// Adds these passes to LLVM's pipeline. `isWholeProgram` means that no other module calls functions of this one (no
/// -rdc=true).
void addSimtOptimizations(llvm::PassBuilder &passes, bool isWholeProgram);

/// Adds the passes of SimtInlining.cpp.
void addBottomUpInlining(llvm::ModulePassManager &modules);

} // namespace tilecc

#endif // TILECC_FRONTEND_SIMTOPTIMIZATIONS_H
