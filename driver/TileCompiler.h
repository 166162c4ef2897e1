//===- TileCompiler.h - inputs with kernels ------------------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_TILECOMPILER_H
#define TILECC_DRIVER_TILECOMPILER_H

#include "driver/Context.h"

namespace tilecc {

/// Takes a .tt.cpp, or kernels in one of their later forms, to ctx.stage. False after an Error.
bool compileKernels(Context &ctx, const Input &input, llvm::StringRef output);

} // namespace tilecc

#endif // TILECC_DRIVER_TILECOMPILER_H
