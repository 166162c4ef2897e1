//===- HostTarget.h - the machine that host code is for -------------------------------------------------*- C++ -*-===//

#ifndef TILECC_DRIVER_HOSTTARGET_H
#define TILECC_DRIVER_HOSTTARGET_H

#include "driver/Context.h"
#include "llvm/TargetParser/Triple.h"

namespace tilecc {

/// Reads --target and --cpu-level into ctx.hostTriple and ctx.cpu.
void selectHostTarget(Context &ctx);

/// Returns the triple of the machine that host code is for.
llvm::Triple hostTriple(const Context &ctx);

/// Returns Debian's name for the machine, which also names folders of libraries for it: "aarch64-linux-gnu".
std::string shortHostTriple(const Context &ctx);

/// Returns the folder of this installation that has libraries for the machine: "lib", or
/// "lib/tilecc/aarch64-linux-gnu".
std::string libraryDir(const Context &ctx);

/// Returns true if libraryDir() contains the runtime library `name`; otherwise reports an error.
bool hasRuntime(Context &ctx, llvm::StringRef name);

/// Returns the folder of CUDA's libraries for the machine; empty if the toolkit has none.
std::string cudaLibraries(const Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_HOSTTARGET_H
