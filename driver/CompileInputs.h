//===- CompileInputs.h - compiles the inputs and links them ------------------------------------------------*- C++ -*-//
//
// The middle of main()'s list of steps: after the command line has been read, these functions do the work.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_COMPILEINPUTS_H
#define TILECC_DRIVER_COMPILEINPUTS_H

#include "driver/Context.h"

namespace tilecc {

/// Reports an error for each impossible combination: there is no input, one -o is given for several outputs, or an
/// input has already passed the requested stage.
void checkOutputs(Context &ctx);

/// Compiles every input up to ctx.stage. If tcc links, replaces the sources in ctx.linkLine by their objects.
void compileInputs(Context &ctx);

/// Links ctx.linkLine, or makes an archive of it. Returns the name of the output.
std::string linkProgram(Context &ctx);

/// Implements -run: runs the linked program with the arguments of -run-args. Returns its exit status.
int runProgramOfUser(Context &ctx, llvm::StringRef program);

} // namespace tilecc

#endif // TILECC_DRIVER_COMPILEINPUTS_H
