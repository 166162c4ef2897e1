//===- KernelActions.h - the steps of an input with kernels ------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_KERNELACTIONS_H
#define TILECC_DRIVER_KERNELACTIONS_H

#include "driver/Actions.h"
#include "driver/Context.h"

namespace tilecc {

/// What takes a .tt.cpp, or kernels in one of their later forms, to ctx.stage.
std::vector<Action> planKernels(Context &ctx, const Input &input, const std::string &output);

} // namespace tilecc

#endif // TILECC_DRIVER_KERNELACTIONS_H
