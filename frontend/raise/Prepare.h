//===- Prepare.h - rewrites forms of LLVM IR that the raise does not handle --------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_PREPARE_H
#define TILECC_FRONTEND_RAISE_PREPARE_H

#include "llvm/IR/Function.h"

namespace tilecc {

/// Replaces !(a == b) by a != b, the form that analyses of loops expect. If a class defines only ==, C++20 rewrites
/// `!=` to !(a == b).
void invertComparisons(llvm::Function &function);

/// Performs the other rewrites (see Prepare.cpp). Must run after local variables have become SSA values.
void prepareForRaise(llvm::Function &function);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_PREPARE_H
