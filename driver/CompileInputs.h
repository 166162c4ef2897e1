//===- CompileInputs.h - from inputs to outputs ---------------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_COMPILEINPUTS_H
#define TILECC_DRIVER_COMPILEINPUTS_H

#include "driver/Context.h"

namespace tilecc {

/// Errors for combinations that cannot be: no input, one -o for several outputs, a stage that an input is already past.
void checkOutputs(Context &ctx);

/// Takes every input to ctx.stage. When linking, gives sources the names of their objects in ctx.linkLine.
void compileInputs(Context &ctx);

/// Links ctx.linkLine, or makes an archive of it. The output's name.
std::string linkProgram(Context &ctx);

/// -run: what was linked, with -run-args. Its exit status.
int runProgramOfUser(Context &ctx, llvm::StringRef program);

} // namespace tilecc

#endif // TILECC_DRIVER_COMPILEINPUTS_H
