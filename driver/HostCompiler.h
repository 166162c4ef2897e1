//===- HostCompiler.h - runs Clang and LLD in this process -------------------------------------------------*- C++ -*-//
//
// Clang compiles the sources without kernels. Its driver turns options into jobs, which run in this process.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_HOSTCOMPILER_H
#define TILECC_DRIVER_HOSTCOMPILER_H

#include "driver/Actions.h"
#include "driver/Context.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilecc {

/// Returns the step that compiles a source without kernels (or preprocesses it, etc.), up to ctx.stage.
Action planHostSource(Context &ctx, const Input &input, const std::string &output);

/// Compiles a C source that tcc generated. Reports an error and returns false on failure.
bool compileC(Context &ctx, llvm::StringRef source, llvm::StringRef output);

/// Runs LLD with the given arguments. Returns false after it has reported an Error.
bool runLinker(Context &ctx, llvm::ArrayRef<std::string> args);

/// Returns the name of an external linker that accepts the same command; it is used in printed steps.
std::string linkerProgram();

/// Combines objects into one relocatable object. Reports an error and returns false on failure.
bool combineObjects(Context &ctx, llvm::ArrayRef<std::string> objects, llvm::StringRef output);
Action combineAction(Context &ctx, std::vector<std::string> objects, std::string output);

/// Implements -ccbin: returns the arguments that make Clang use the headers and libraries of the given GCC. If this is
/// impossible, reports an error and returns no arguments.
std::vector<std::string> argumentsOfHostCompiler(Context &ctx, llvm::StringRef compiler);

} // namespace tilecc

#endif // TILECC_DRIVER_HOSTCOMPILER_H
