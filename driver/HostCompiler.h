//===- HostCompiler.h - Clang and LLD in process -----------------------------------------------------------*- C++ -*-//
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

/// The step that compiles (or preprocesses, etc.) a source without kernels, up to ctx.stage.
Action planHostSource(Context &ctx, const Input &input, const std::string &output);

/// Compiles a C source that tcc generated. Returns false after an Error.
bool compileC(Context &ctx, llvm::StringRef source, llvm::StringRef output);

/// Runs LLD with these arguments. Returns false after an Error.
bool runLinker(Context &ctx, llvm::ArrayRef<std::string> args);

/// An external linker that runs the same command, for printed steps.
std::string linkerProgram();

/// Combines objects into one relocatable object. Returns false after an Error.
bool combineObjects(Context &ctx, llvm::ArrayRef<std::string> objects, llvm::StringRef output);
Action combineAction(Context &ctx, std::vector<std::string> objects, std::string output);

/// -ccbin: the arguments that make Clang use the headers and libraries of this GCC. Empty, with an Error, if that is
/// impossible.
std::vector<std::string> argumentsOfHostCompiler(Context &ctx, llvm::StringRef compiler);

} // namespace tilecc

#endif // TILECC_DRIVER_HOSTCOMPILER_H
