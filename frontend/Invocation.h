//===- Invocation.h - a clang driver's arguments as one parse of tile code ---------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_INVOCATION_H
#define TILECC_FRONTEND_INVOCATION_H

#include "frontend/Frontend.h"
#include "clang/Frontend/CompilerInvocation.h"

namespace tilecc {

/// For the host's side or, where `arch` is given, for the SIMT code of that GPU. Null: a message was printed.
std::shared_ptr<clang::CompilerInvocation> makeInvocation(llvm::ArrayRef<const char *> args,
                                                          const FrontendOptions &options, llvm::StringRef arch = {});

/// Has code be made for `arch`, where the parse was of the nearest architecture that Clang knows.
void selectArchOfCode(clang::TargetOptions &target, llvm::StringRef arch);

/// How Clang is told to look into a folder of headers that are not the user's.
llvm::StringRef optionOfHeaderDir(llvm::StringRef dir);

} // namespace tilecc

#endif // TILECC_FRONTEND_INVOCATION_H
