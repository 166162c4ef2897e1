//===- Invocation.h - translates arguments of Clang's driver for one parse ---------------------------------*- C++ -*-//
//
// Clang's driver turns arguments into the options of one compilation, the invocation. Each parse of a source has its
// own.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_INVOCATION_H
#define TILECC_FRONTEND_INVOCATION_H

#include "frontend/Frontend.h"
#include "clang/Frontend/CompilerInvocation.h"

namespace tilecc {

/// Creates the invocation for the host side or, if `arch` is given, for the SIMT code of that GPU. Returns null after
/// printing a message.
std::shared_ptr<clang::CompilerInvocation> makeInvocation(llvm::ArrayRef<const char *> args,
                                                          const FrontendOptions &options, llvm::StringRef arch = {});

/// Makes Clang generate code for `arch`, even if Clang does not know `arch` and the parse used the nearest architecture
/// that it knows.
void selectArchOfCode(clang::TargetOptions &target, llvm::StringRef arch);

/// Options that turn errors of Clang into warnings where g++ only warns. They come before the user's options.
inline constexpr llvm::StringLiteral warningsOfGcc[] = {"-Wno-error=c++11-narrowing", "-Wno-error=register",
                                                        "-Wno-error=reserved-user-defined-literal"};

/// Returns the Clang option that adds a folder with headers that are not the user's own.
llvm::StringRef optionOfHeaderDir(llvm::StringRef dir);

} // namespace tilecc

#endif // TILECC_FRONTEND_INVOCATION_H
