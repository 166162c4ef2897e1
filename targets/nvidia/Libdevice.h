//===- Libdevice.h - functions of the CUDA toolkit's bitcode library ------------------------------------*- C++ -*-===//
//
// libdevice is the CUDA toolkit's library of math functions, a file of bitcode. Kernels that call none of its functions
// do not need the toolkit. Calls are checked against the library before they are lowered, while their source locations
// are known. After all kernels of a module have been lowered, the functions that they use are linked.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_LIBDEVICE_H
#define TILECC_TARGETS_NVIDIA_LIBDEVICE_H

#include "lowering/gpu/GpuTarget.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace tilecc {

/// Reports each call of a function that the file `library` does not define with the types of the call.
mlir::LogicalResult checkLibdeviceCalls(mlir::ModuleOp module, llvm::StringRef library);

/// Links the functions of the library that `module` calls.
llvm::Error linkLibdevice(llvm::Module &module, const GpuLibrary &library);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_LIBDEVICE_H
