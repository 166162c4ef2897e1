//===- Usages.h - describes how to call the language's functions ---------------------------------------*- C++ -*--===//
//
// Error messages about wrong calls and unknown names contain these texts.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_USAGES_H
#define TILECC_FRONTEND_USAGES_H

#include "llvm/ADT/StringRef.h"

namespace tilecc {

/// Returns how to call a function of tt that was called with wrong arguments, or an empty string if there is no entry
/// for it.
llvm::StringRef findUsage(llvm::StringRef function);
/// Returns what to write instead of an unknown name that Triton or CUDA has.
llvm::StringRef findReplacement(llvm::StringRef name);
/// Returns what to write instead of x.member, if Triton's tiles have such a member.
llvm::StringRef findInsteadOfMember(llvm::StringRef member);
/// Returns what kernels can use instead of a function of a host library.
llvm::StringRef findForKernels(llvm::StringRef hostFunction);

} // namespace tilecc

#endif // TILECC_FRONTEND_USAGES_H
