//===- Prepare.h - small rewrites of LLVM IR that the raise relies on --------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_PREPARE_H
#define TILECC_FRONTEND_RAISE_PREPARE_H

#include "llvm/IR/Function.h"

namespace tilecc {

/// Replaces !(a == b) by a != b, the form that loop analyses look for. C++20 rewrites `!=` to the former if only == is
/// defined.
void invertComparisons(llvm::Function &function);

/// See Prepare.cpp. Runs after local variables have become values.
void prepareForRaise(llvm::Function &function);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_PREPARE_H
