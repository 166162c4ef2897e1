//===- Compiler.h - creates Clang instances for parsing ----------------------------------------------------*- C++ -*-//
//
// All parses of a source create Clang by these functions, so that options and files are treated alike.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_COMPILER_H
#define TILECC_FRONTEND_COMPILER_H

#include "frontend/Frontend.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilecc {

/// Creates a compiler for one parse: of the host side or, if `arch` is given, of the SIMT code for that GPU. Returns
/// null after printing a message.
std::unique_ptr<clang::CompilerInstance> makeCompiler(llvm::ArrayRef<const char *> args, const FrontendOptions &options,
                                                      llvm::StringRef arch = {});

/// Runs `parse` with a stack that is large enough for Clang's parser, and returns its result.
bool parseWithDeepStack(clang::CompilerInstance &compiler, llvm::function_ref<bool()> parse);

/// Runs `work` in a thread with such a stack, so that parseWithDeepStack() need not create a thread inside `work`.
void runWithDeepStack(llvm::function_ref<void()> work);

/// Returns the real file system, in which the in-memory files of `options` hide other files.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystemFor(const FrontendOptions &options);

/// Makes `compiler` report what LLVM finds wrong with the code in `context`, such as invalid inline assembly and stack
/// frames that are too large.
void setBackendDiagnostics(llvm::LLVMContext &context, clang::CompilerInstance &compiler);

} // namespace tilecc

#endif // TILECC_FRONTEND_COMPILER_H
