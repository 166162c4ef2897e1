//===- CompileInputs.h - from inputs to outputs ---------------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_COMPILEINPUTS_H
#define TILECC_DRIVER_COMPILEINPUTS_H

#include "driver/Context.h"

namespace tilecc {

/// Errors for combinations that cannot be: no input, one -o for several outputs, a stage that an input is already past.
void checkOutputs(Context &ctx);

/// Takes every input to ctx.stage. When linking, gives sources the names of their objects in ctx.linkLine.
void compileInputs(Context &ctx);

/// Links ctx.linkLine.
void linkProgram(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_COMPILEINPUTS_H
