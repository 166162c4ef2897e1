//===- CompileInputs.h - from inputs to outputs ---------------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_COMPILEINPUTS_H
#define TILECC_DRIVER_COMPILEINPUTS_H

#include "driver/Context.h"

namespace tilecc {

/// Errors for combinations that cannot be: no input, one -o for several outputs, a stage that an input is already past.
void checkOutputs(Context &ctx);

/// Takes every input to ctx.stage. When linking, replaces sources in ctx.linkOrder by their objects.
void compileInputs(Context &ctx);

/// Links what ctx.linkOrder names.
void linkProgram(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_COMPILEINPUTS_H
