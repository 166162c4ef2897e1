//===- HostTarget.h - the machine that host code is for -------------------------------------------------*- C++ -*-===//
//
// The driver uses these functions to compile and link for another machine than the one on which tcc runs (--target).
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_HOSTTARGET_H
#define TILECC_DRIVER_HOSTTARGET_H

#include "driver/Context.h"
#include "llvm/TargetParser/Triple.h"

namespace tilecc {

/// Reads --target and --cpu-level, and sets ctx.hostTriple and ctx.cpu accordingly.
void selectHostTarget(Context &ctx);

/// Returns the triple of the machine for which host code is compiled.
llvm::Triple hostTriple(const Context &ctx);

/// Returns Debian's name for this machine, which is also the name of folders with libraries for it:
/// "aarch64-linux-gnu".
std::string shortHostTriple(const Context &ctx);

/// Returns the folder of this installation that contains libraries for this machine: "lib", or
/// "lib/tilecc/aarch64-linux-gnu".
std::string libraryDir(const Context &ctx);

/// Returns true if libraryDir() contains the runtime library `name`; otherwise reports an error.
bool hasRuntime(Context &ctx, llvm::StringRef name);

/// Returns the folder with CUDA's libraries for this machine; empty if the toolkit has none.
std::string cudaLibraries(const Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_HOSTTARGET_H
