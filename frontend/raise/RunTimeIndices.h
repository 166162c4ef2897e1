//===- RunTimeIndices.h - arrays that a kernel indexes at run time -----------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_RUNTIMEINDICES_H
#define TILECC_FRONTEND_RAISE_RUNTIMEINDICES_H

#include "llvm/IR/PassManager.h"

namespace tilecc {

/// The maximum number of elements of an array with variable indices. For larger arrays, such an index is an error.
inline constexpr unsigned maxRunTimeElements = 64;

/// Marks loops that index a local array by their counter, so that they are unrolled.
struct UnrollIndexingLoops : llvm::PassInfoMixin<UnrollIndexingLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Replaces all other accesses with variable indices to local arrays and constant tables by selects among accesses with
/// constant indices.
struct ChooseElements : llvm::PassInfoMixin<ChooseElements> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_RUNTIMEINDICES_H
