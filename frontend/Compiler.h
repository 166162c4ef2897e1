//===- Compiler.h - creates Clang instances for parsing ----------------------------------------------------*- C++ -*-//

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

/// Runs `parse` with a stack that Clang's parser cannot overflow, and returns its result.
bool parseWithDeepStack(clang::CompilerInstance &compiler, llvm::function_ref<bool()> parse);

/// Runs `work` in a thread with such a stack, so that parseWithDeepStack() need not create another thread.
void runWithDeepStack(llvm::function_ref<void()> work);

/// Returns the real file system, overlaid with the in-memory files of `options`.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystemFor(const FrontendOptions &options);

/// Makes `compiler` report LLVM's diagnostics about code in `context`: invalid inline assembly, stack frames that are
/// too large.
void setBackendDiagnostics(llvm::LLVMContext &context, clang::CompilerInstance &compiler);

} // namespace tilecc

#endif // TILECC_FRONTEND_COMPILER_H
