//===- Options.h - reads the command line ------------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_OPTIONS_H
#define TILECC_DRIVER_OPTIONS_H

namespace tilecc {

struct Context;

/// Reads the command line into `ctx`: arguments, inputs, the stage to stop at, and the arguments for Clang and for the
/// linker.
void parseCommandLine(Context &ctx, int argc, char **argv);

/// Passes the options after -mllvm to LLVM.
void setLLVMOptions(Context &ctx);

/// Answers --help, --version and the like. Returns true if there is nothing more to do.
bool answerQuestions(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_OPTIONS_H
