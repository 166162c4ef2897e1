//===- SimtOptimizations.h - adds passes that LLVM's pipeline lacks for SIMT code -----------------*- C++ -*-===//
//
// Clang optimizes SIMT code with LLVM's usual pipeline, which lacks some passes that matter on GPUs.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_SIMTOPTIMIZATIONS_H
#define TILECC_FRONTEND_SIMTOPTIMIZATIONS_H

#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace llvm {
class PassBuilder;
}

namespace tilecc {

/// An attribute on functions of SIMT code, by which passes of the code generator recognize them (SimtLoopStrength.cpp).
inline constexpr char simtAttribute[] = "tilecc-simt";

/// Adds these passes to LLVM's pipeline. `isWholeProgram` is true if no other module calls functions of this one (there
/// is no -rdc=true).
void addSimtOptimizations(llvm::PassBuilder &passes, bool isWholeProgram);

/// Adds the passes of SimtInlining.cpp.
void addBottomUpInlining(llvm::ModulePassManager &modules);

/// Adds the pass of SimtIndices.cpp. It must run before LLVM reassociates sums.
void addIndexSplitting(llvm::FunctionPassManager &functions);

/// Adds HoistGuards of SimtLoops.cpp. The loops must have been rotated.
void addGuardHoisting(llvm::LoopPassManager &loops);

/// Adds UnrollShortPaths of SimtLoops.cpp, which must run after complete unrolling and before LLVM's partial unrolling.
void addUnrollingOfShortPaths(llvm::FunctionPassManager &functions);

/// Adds the pass of SimtNarrowIntegers.cpp. LLVM's other passes for IR would narrow the integers again.
void addPromotionOfNarrowIntegers(llvm::ModulePassManager &modules);

} // namespace tilecc

#endif // TILECC_FRONTEND_SIMTOPTIMIZATIONS_H
