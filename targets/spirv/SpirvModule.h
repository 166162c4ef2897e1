//===- SpirvModule.h - compiles LLVM IR to SPIR-V -------------------------------------------------------*- C++ -*-===//
//
// The last stage for OpenCL devices, which runs in this process.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_SPIRV_SPIRVMODULE_H
#define TILECC_TARGETS_SPIRV_SPIRVMODULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace tilecc::spirv {

/// Links kernels, all of one context, into one module for SPIR-V 1.3, the oldest version with shuffles.
std::unique_ptr<llvm::Module> linkKernels(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels);

/// Runs LLVM's -O3 without the vectorizers, since the lowering has already chosen widths. With `fmad`, contracts
/// products and additions that may be contracted.
void optimize(llvm::Module &module, bool fmad);

/// Writes an optimized module as SPIR-V. Calls are serialized. Fails if the code calls a function that no device has.
llvm::Expected<std::string> writeBinary(llvm::Module &module);

/// Checks a written module for known silent errors of LLVM's back end: an imported function, and an address in units
/// that differ from its base's (which loop strength reduction creates). Returns an error for the first. Does not return
/// from the second, which is a compiler bug.
llvm::Error checkModule(llvm::StringRef binary);

} // namespace tilecc::spirv

#endif // TILECC_TARGETS_SPIRV_SPIRVMODULE_H
