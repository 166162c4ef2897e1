//===- Usages.h - describes how to call the language's functions ---------------------------------------*- C++ -*--===//

#ifndef TILECC_FRONTEND_USAGES_H
#define TILECC_FRONTEND_USAGES_H

#include "llvm/ADT/StringRef.h"

namespace tilecc {

/// Returns the correct use of a function of tt that was called with wrong arguments. Empty if there is no entry.
llvm::StringRef findUsage(llvm::StringRef function);
/// Returns the equivalent of an unknown name from Triton or CUDA.
llvm::StringRef findReplacement(llvm::StringRef name);
/// Returns the equivalent of a tile member x.member that Triton has.
llvm::StringRef findInsteadOfMember(llvm::StringRef member);
/// Returns the equivalent in kernels of a host library function.
llvm::StringRef findForKernels(llvm::StringRef hostFunction);

} // namespace tilecc

#endif // TILECC_FRONTEND_USAGES_H
