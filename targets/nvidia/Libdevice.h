//===- Libdevice.h - functions of the CUDA toolkit's bitcode library ----------------------------------------*- C++ -*-//
//
// A kernel that calls none of them needs no toolkit. Calls are checked against the library when they are lowered, where
// their places in the source are known; the library is linked when all kernels of a module are there, and of it only what
// they use.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_LIBDEVICE_H
#define TILECC_TARGETS_NVIDIA_LIBDEVICE_H

#include "lowering/gpu/GpuTarget.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace tilecc {

/// Fails after an error at each call of a function that the library, a file, does not have with these types.
mlir::LogicalResult checkLibdeviceCalls(mlir::ModuleOp module, llvm::StringRef library);

/// Adds the functions that `module` calls.
llvm::Error linkLibdevice(llvm::Module &module, const GpuLibrary &library);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_LIBDEVICE_H
