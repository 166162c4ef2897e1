//===- Options.h - reads the command line ------------------------------------------------------------------*- C++ -*-//
//
// The first steps of main(): what the user has asked for.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_OPTIONS_H
#define TILECC_DRIVER_OPTIONS_H

namespace tilecc {

struct Context;

/// Reads the command line into `ctx`: the arguments, the inputs, the stage at which to stop, and the arguments for
/// Clang and for the linker.
void parseCommandLine(Context &ctx, int argc, char **argv);

/// Passes the options that follow -mllvm to LLVM.
void setLLVMOptions(Context &ctx);

/// Prints the answer to --help, --version and similar options. Returns true if nothing else was asked.
bool answerQuestions(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_OPTIONS_H
