//===- Intrinsics.h - LLVM's intrinsics that kernels may use -----------------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_INTRINSICS_H
#define TILECC_FRONTEND_RAISE_INTRINSICS_H

#include "llvm/IR/Module.h"

namespace tilecc {

/// Returns true if KernelRaiser::raiseAsMath supports a call of an intrinsic or of the C library.
bool canRaiseAsMath(const llvm::CallBase &call);

/// Replaces llvm.expect by its value, because it would hide constants and nothing here uses it.
void dropExpectations(llvm::Module &module);

/// Replaces arithmetic that reports overflow by arithmetic on integers of twice the width.
void expandOverflowChecks(llvm::Function &function);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_INTRINSICS_H
