//===- CompileInputs.h - compiles the inputs and links them ------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_COMPILEINPUTS_H
#define TILECC_DRIVER_COMPILEINPUTS_H

#include "driver/Context.h"

namespace tilecc {

/// Reports Errors for impossible combinations: no input, one -o for several outputs, a stage that an input has already
/// passed.
void checkOutputs(Context &ctx);

/// Takes every input to ctx.stage. If tcc links, replaces the sources in ctx.linkLine by their objects.
void compileInputs(Context &ctx);

/// Links ctx.linkLine, or makes an archive of it. Returns the output's name.
std::string linkProgram(Context &ctx);

/// -run: runs the linked program with the arguments of -run-args. Returns its exit status.
int runProgramOfUser(Context &ctx, llvm::StringRef program);

} // namespace tilecc

#endif // TILECC_DRIVER_COMPILEINPUTS_H
