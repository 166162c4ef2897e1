//===- HostCompiler.h - Clang and LLD in process ----------------------------------------------------------------*- C++ -*-//
//
// What has no kernels in it is Clang's work: Clang's driver turns options into jobs, which run in this process.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_HOSTCOMPILER_H
#define TILECC_DRIVER_HOSTCOMPILER_H

#include "driver/Actions.h"
#include "driver/Context.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilecc {

/// What compiles (or preprocesses, ...) a source without kernels, as the stage says.
Action planHostSource(Context &ctx, const Input &input, const std::string &output);

/// What links ctx.linkLine with tcc's runtime into `output`. Empty after an Error.
std::vector<Action> planLink(Context &ctx, llvm::StringRef output);

/// Compiles a C source that tcc has made itself. False after an Error.
bool compileC(Context &ctx, llvm::StringRef source, llvm::StringRef output);

/// Combines objects into one relocatable object. False after an Error.
bool combineObjects(Context &ctx, llvm::ArrayRef<std::string> objects, llvm::StringRef output);
Action combineAction(Context &ctx, std::vector<std::string> objects, std::string output);

/// Returns true if other programs' threads will start: neither the number of threads nor the address space is limited. tcc's
/// own threads may fail to start; ptxas and lld do not expect that.
bool hasThreadsForOthers();

/// A file or folder of this installation, relative to the folder that holds bin/.
std::string installed(const Context &ctx, llvm::StringRef relative);

/// Clang's own headers (stddef.h, ...).
std::string resourceDir(const Context &ctx);

/// What Clang gets for the host code of a source.
std::vector<std::string> sourceOptions(const Context &ctx, const Input &input);

/// -ccbin: what makes the host code that of this GCC: its headers and libraries. Empty, with an Error, if that cannot be.
std::vector<std::string> argumentsOfHostCompiler(Context &ctx, llvm::StringRef compiler);

/// Lets Clang's driver answer what it is asked without an input. False: nothing was asked.
bool clangAnswers(Context &ctx);

/// The steps that collect ctx.linkLine in a static library.
std::vector<Action> planArchive(Context &ctx, llvm::StringRef output);

} // namespace tilecc

#endif // TILECC_DRIVER_HOSTCOMPILER_H
