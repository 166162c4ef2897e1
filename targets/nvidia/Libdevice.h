//===- Libdevice.h - functions of the CUDA toolkit's bitcode library ------------------------------------*- C++ -*-===//
//
// A kernel that calls none of them does not need the toolkit. Calls are checked against the library before they are
// lowered, where their source locations are known. The library is linked after all kernels of a module have been
// lowered, and only the functions that they use.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_LIBDEVICE_H
#define TILECC_TARGETS_NVIDIA_LIBDEVICE_H

#include "lowering/gpu/GpuTarget.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace tilecc {

/// Reports each call of a function that the library (a file) does not have with these types.
mlir::LogicalResult checkLibdeviceCalls(mlir::ModuleOp module, llvm::StringRef library);

/// Links the functions that `module` calls.
llvm::Error linkLibdevice(llvm::Module &module, const GpuLibrary &library);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_LIBDEVICE_H
