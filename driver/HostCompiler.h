//===- HostCompiler.h - runs Clang and LLD in this process -------------------------------------------------*- C++ -*-//
//
// Clang compiles sources without kernels. Its driver turns options into jobs, which run in this process.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_HOSTCOMPILER_H
#define TILECC_DRIVER_HOSTCOMPILER_H

#include "driver/Actions.h"
#include "driver/Context.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilecc {

/// Returns the step that compiles (or preprocesses, etc.) a source without kernels, up to ctx.stage.
Action planHostSource(Context &ctx, const Input &input, const std::string &output);

/// Returns the steps that link ctx.linkLine and tcc's runtime into `output`. Reports an error and returns no steps on
/// failure.
std::vector<Action> planLink(Context &ctx, llvm::StringRef output);

/// Compiles a C source that tcc generated. Reports an error and returns false on failure.
bool compileC(Context &ctx, llvm::StringRef source, llvm::StringRef output);

/// Combines objects into one relocatable object. Reports an error and returns false on failure.
bool combineObjects(Context &ctx, llvm::ArrayRef<std::string> objects, llvm::StringRef output);
Action combineAction(Context &ctx, std::vector<std::string> objects, std::string output);

/// Returns true if other programs will be able to start threads: neither the number of threads nor the address space is
/// limited. tcc tolerates failure to start a thread; ptxas and lld do not.
bool hasThreadsForOthers();

/// Returns the path of a file or folder of this installation, given relative to the folder that contains bin/.
std::string installed(const Context &ctx, llvm::StringRef relative);

/// Returns the folder of Clang's own headers (stddef.h etc.).
std::string resourceDir(const Context &ctx);

/// Returns Clang's arguments for the host code of a source.
std::vector<std::string> sourceOptions(const Context &ctx, const Input &input);

/// -ccbin: returns the arguments that make Clang use the headers and libraries of this GCC. Reports an error and
/// returns no arguments if that is impossible.
std::vector<std::string> argumentsOfHostCompiler(Context &ctx, llvm::StringRef compiler);

/// Returns true if Clang's driver finds the file among the libraries of the machine that host code is for: "crt1.o".
bool hasHostFile(Context &ctx, llvm::StringRef name);

/// Lets Clang's driver answer queries that need no input. Returns false if nothing was asked.
bool clangAnswers(Context &ctx);

/// Returns the steps that archive ctx.linkLine into a static library.
std::vector<Action> planArchive(Context &ctx, llvm::StringRef output);

} // namespace tilecc

#endif // TILECC_DRIVER_HOSTCOMPILER_H
