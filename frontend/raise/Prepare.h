//===- Prepare.h - small rewrites of LLVM IR that the raise relies on --------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_PREPARE_H
#define TILECC_FRONTEND_RAISE_PREPARE_H

#include "llvm/IR/Function.h"

namespace tilecc {

/// Replaces !(a == b) by a != b, which is what the analyses of loops look for: C++20 makes the one of `!=` by itself.
void invertComparisons(llvm::Function &function);

/// See Prepare.cpp. To be run when locals have become values.
void prepareForRaise(llvm::Function &function);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_PREPARE_H
