//===- Programs.h - external programs, intermediate files, outputs --------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_PROGRAMS_H
#define TILECC_DRIVER_PROGRAMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tilecc {

struct Context;

/// Runs a program. What it prints is collected and relayed whole, so that programs that run side by side do not mix their
/// lines. With `output`, its standard output is the result; with `messages`, the rest goes there if it succeeds. False, with
/// an Error, if it could not run or failed. Safe to call from several threads.
bool runProgram(Context &ctx, llvm::ArrayRef<std::string> command, std::string *output = nullptr,
                std::string *messages = nullptr);

/// What a program prints on standard output; empty if it cannot be run or fails. It goes through memory: dry runs ask, too, and
/// have no folder for temporary files.
std::string outputOf(llvm::ArrayRef<llvm::StringRef> command);

/// Writes a whole output: a regular file appears at once or not at all (a temporary beside it, then a rename); `-`, pipes
/// and devices are written straight. False, with an Error, if that failed.
bool writeOutput(Context &ctx, llvm::StringRef path, llvm::StringRef bytes);

/// A file's bytes. Empty, with an Error, if it cannot be read.
std::string readFile(Context &ctx, llvm::StringRef path);

/// Removes the folder of intermediate files. Called however a run ends, also by signal handlers, so it allocates nothing;
/// SIGKILL alone leaves the folder behind.
void removeTemporaries();

} // namespace tilecc

#endif // TILECC_DRIVER_PROGRAMS_H
