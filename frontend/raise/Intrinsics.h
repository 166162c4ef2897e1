//===- Intrinsics.h - LLVM's intrinsics that kernels may use ---------------------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_INTRINSICS_H
#define TILECC_FRONTEND_RAISE_INTRINSICS_H

#include "llvm/IR/Module.h"

namespace tilecc {

/// Whether KernelRaiser::raiseIntrinsic has operations for it.
bool canRaiseIntrinsic(const llvm::CallBase &call);

/// Replaces hints about probable values by the values: they would hide constants, and nothing reads them here.
void dropExpectations(llvm::Module &module);

/// Replaces arithmetic that reports overflow by arithmetic on integers of twice the width.
void expandOverflowChecks(llvm::Function &function);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_INTRINSICS_H
