//===- KernelActions.h - the steps of an input with kernels ------------------------------------------------*- C++ -*-//
//
// An input with kernels is a source, or kernels in a later form (TTIR, PTX, ...). KernelJob.h does the work of these
// steps.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_KERNELACTIONS_H
#define TILECC_DRIVER_KERNELACTIONS_H

#include "driver/Actions.h"
#include "driver/Context.h"
#include "driver/Cubins.h"

namespace tilecc {

/// Returns the steps that compile an input with kernels up to ctx.stage.
std::vector<Action> planKernels(Context &ctx, const Input &input, const std::string &output);

/// Returns the steps that make relocatable PTX and a cubin from linked tile code, for the target of each of `files`,
/// and sets the names of the files. Returns no steps after it has reported an error.
std::vector<Action> planRelocatableCode(Context &ctx, const Input &input, std::vector<TargetFile> &files);

/// Implements --precompile-headers.
void precompileHeaders(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_KERNELACTIONS_H
