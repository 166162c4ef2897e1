//===- RunTimeIndices.h - arrays that a kernel indexes at run time -----------------------------------------*- C++ -*-//
//
// TTIR has no arrays, so local arrays must become SSA values, which have no index at run time.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_RAISE_RUNTIMEINDICES_H
#define TILECC_FRONTEND_RAISE_RUNTIMEINDICES_H

#include "llvm/IR/PassManager.h"

namespace tilecc {

/// The maximum number of elements of an array that is accessed with variable indices. If an array is larger, such an
/// access is an error.
inline constexpr unsigned maxRunTimeElements = 64;

/// Marks the loops that index a local array by their counter, so that they are unrolled and the indices become
/// constants.
struct UnrollIndexingLoops : llvm::PassInfoMixin<UnrollIndexingLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Replaces all remaining accesses with variable indices, to local arrays and constant tables, by selects among
/// accesses with constant indices.
struct ChooseElements : llvm::PassInfoMixin<ChooseElements> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_RUNTIMEINDICES_H
