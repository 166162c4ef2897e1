//===- Options.h - the option table ------------------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_OPTIONS_H
#define TILECC_DRIVER_OPTIONS_H

#include "llvm/Option/Option.h"

namespace tilecc {

struct Context;

namespace options {
enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "driver/Options.inc"
#undef OPTION
};

/// Option flags of Options.td, in addition to llvm::opt::DriverFlag.
enum Flag { CommaList = 1 << 4 };
} // namespace options

/// Reads the command line into `ctx`: arguments, inputs, the stage to stop at, and the arguments for Clang and for the
/// linker.
void parseCommandLine(Context &ctx, int argc, char **argv);

/// Passes the options after -mllvm to LLVM.
void setLLVMOptions(Context &ctx);

/// Answers --help, --version and the like. Returns true if there is nothing more to do.
bool answerQuestions(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_OPTIONS_H
