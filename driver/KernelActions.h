//===- KernelActions.h - the steps of an input with kernels ------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_KERNELACTIONS_H
#define TILECC_DRIVER_KERNELACTIONS_H

#include "driver/Actions.h"
#include "driver/Context.h"
#include "driver/Cubins.h"

namespace tilecc {

/// Returns the steps that take a .tt.cpp file, or kernels in a later form, to ctx.stage.
std::vector<Action> planKernels(Context &ctx, const Input &input, const std::string &output);

/// Returns the steps that make relocatable PTX and a cubin from linked tile code, for the target of each of `files`.
/// Fills in their file names. Reports an error and returns no steps on failure.
std::vector<Action> planRelocatableCode(Context &ctx, const Input &input, std::vector<TargetFile> &files);

/// --precompile-headers.
void precompileHeaders(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_KERNELACTIONS_H
