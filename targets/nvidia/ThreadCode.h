//===- ThreadCode.h - SIMT functions that tile kernels call ---------------------------------------------*- C++ -*-===//
//
// The front end compiles them for each architecture to a module of bitcode (frontend/SimtThreadCode.cpp). Calls
// (tt.call_threads) are checked against it before they are lowered, where their source locations are known, and it is
// linked with the kernels' LLVM IR.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_THREADCODE_H
#define TILECC_TARGETS_NVIDIA_THREADCODE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace tilecc {

/// Reports calls of functions that `bitcode` does not define, and records the static shared memory of the other
/// functions on the module. Also reports more than `maxStatic` bytes of it. `bitcode` may be empty.
mlir::LogicalResult prepareThreadCalls(mlir::ModuleOp module, llvm::StringRef bitcode, uint64_t maxStatic);

/// Links the functions that `module` declares and `bitcode` defines.
llvm::Error linkThreadCode(llvm::Module &module, llvm::StringRef bitcode);

/// Returns the newest PTX version for which functions in `module` were compiled, or 0 if none specifies one.
unsigned getPTXVersionOfThreadCode(const llvm::Module &module);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_THREADCODE_H
