//===- KernelActions.h - the steps of an input with kernels ------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_KERNELACTIONS_H
#define TILECC_DRIVER_KERNELACTIONS_H

#include "driver/Actions.h"
#include "driver/Context.h"
#include "driver/Images.h"

namespace tilecc {

/// What takes a .tt.cpp, or kernels in one of their later forms, to ctx.stage.
std::vector<Action> planKernels(Context &ctx, const Input &input, const std::string &output);

/// What makes relocatable code of linked tile code: PTX and a cubin for the target of each of `files`, whose names are filled
/// in. Empty after an Error.
std::vector<Action> planRelocatableCode(Context &ctx, const Input &input, std::vector<TargetFile> &files);

} // namespace tilecc

#endif // TILECC_DRIVER_KERNELACTIONS_H
