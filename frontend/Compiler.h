//===- Compiler.h - instances of Clang for parses ---------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_COMPILER_H
#define TILECC_FRONTEND_COMPILER_H

#include "frontend/Frontend.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilecc {

/// Clang for one parse: of the host's side or, where `arch` is given, of the SIMT code for that GPU. Null: a message
/// was printed.
std::unique_ptr<clang::CompilerInstance> makeCompiler(llvm::ArrayRef<const char *> args, const FrontendOptions &options,
                                                      llvm::StringRef arch = {});

/// Runs `parse` with a stack that Clang's parser cannot exceed. Its result.
bool parseWithDeepStack(llvm::function_ref<bool()> parse);

/// Runs `work` in a thread with such a stack, in which parseWithDeepStack() needs no other one.
void runWithDeepStack(llvm::function_ref<void()> work);

/// The disk, under the files that `options` has in memory.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystemFor(const FrontendOptions &options);

/// Has `compiler` report what LLVM says of code in `context`: bad inline assembly, frames that are too large.
void setBackendDiagnostics(llvm::LLVMContext &context, clang::CompilerInstance &compiler);

} // namespace tilecc

#endif // TILECC_FRONTEND_COMPILER_H
