//===- Intrinsics.h - LLVM's intrinsics that kernels may use -----------------------------------------------*- C++ -*-//
//
// Clang turns some functions and operators into LLVM intrinsics, of which kernels may use those that TTIR can express.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_RAISE_INTRINSICS_H
#define TILECC_FRONTEND_RAISE_INTRINSICS_H

#include "llvm/IR/Module.h"

namespace tilecc {

/// Returns true if KernelRaiser::raiseAsMath supports this call of an intrinsic or of a C library function.
bool canRaiseAsMath(const llvm::CallBase &call);

/// Replaces llvm.expect by its operand, because it would hide constants, and nothing after it uses the expectation.
void dropExpectations(llvm::Module &module);

/// Replaces arithmetic that reports overflow by arithmetic on integers of twice the width, and a comparison.
void expandOverflowChecks(llvm::Function &function);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_INTRINSICS_H
