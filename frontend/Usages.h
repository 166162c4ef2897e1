//===- Usages.h - how the functions of the language are called ---------------------------------------------*- C++ -*--===//

#ifndef TILECC_FRONTEND_USAGES_H
#define TILECC_FRONTEND_USAGES_H

#include "llvm/ADT/StringRef.h"

namespace tilecc {

/// What to write, for a function of tt that was called in another way. Empty: nothing is known of it.
llvm::StringRef findUsage(llvm::StringRef function);
/// What the language has for a name that it has not, from Triton or CUDA.
llvm::StringRef findReplacement(llvm::StringRef name);
/// What a user of Triton means who writes x.member of a tile.
llvm::StringRef findInsteadOfMember(llvm::StringRef member);
/// What kernels have for a function of the host's libraries.
llvm::StringRef findForKernels(llvm::StringRef hostFunction);

} // namespace tilecc

#endif // TILECC_FRONTEND_USAGES_H
