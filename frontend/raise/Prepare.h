//===- Prepare.h - small rewrites of LLVM IR that the raise relies on --------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_PREPARE_H
#define TILECC_FRONTEND_RAISE_PREPARE_H

#include "llvm/IR/Function.h"

namespace tilecc {

/// See Prepare.cpp. To be run when locals have become values.
void prepareForRaise(llvm::Function &function);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_PREPARE_H
