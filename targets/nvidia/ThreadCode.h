//===- ThreadCode.h - SIMT functions that tile kernels call ---------------------------------------------*- C++ -*-===//
//
// The front end compiles SIMT functions that tile kernels call to bitcode, for each architecture
// (frontend/SimtThreadCode.cpp). Calls (tt.call_threads) are checked against this bitcode before they are lowered,
// while their source locations are known. The bitcode is then linked with the kernels' LLVM IR.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_THREADCODE_H
#define TILECC_TARGETS_NVIDIA_THREADCODE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace tilecc {

/// Reports an error for each call of a function that `bitcode` does not define. Records on the module how much static
/// shared memory the called functions need, and reports an error if this is more than `maxStatic` bytes. `bitcode` may
/// be empty.
mlir::LogicalResult prepareThreadCalls(mlir::ModuleOp module, llvm::StringRef bitcode, uint64_t maxStatic);

/// Links the functions that `module` declares and `bitcode` defines.
llvm::Error linkThreadCode(llvm::Module &module, llvm::StringRef bitcode);

/// Returns the newest PTX version for which some function in `module` was compiled, or 0 if no function specifies a
/// version.
unsigned getPTXVersionOfThreadCode(const llvm::Module &module);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_THREADCODE_H
