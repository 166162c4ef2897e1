//===- SpirvModule.h - from LLVM IR to SPIR-V --------------------------------------------------------------*- C++ -*-//
//
// The last part of the way to an OpenCL device, in process.
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

/// Puts kernels, all of one context, into one module of SPIR-V 1.3, the oldest that has shuffles.
std::unique_ptr<llvm::Module> linkKernels(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels);

/// LLVM's -O3 without the vectorizers, since the lowering has chosen widths already. With `fmad`, products and sums
/// that may be one operation become one.
void optimize(llvm::Module &module, bool fmad);

/// Writes an optimized module as SPIR-V. Not more than one thread at a time gets through. Fails if the code calls a
/// function that no device has.
llvm::Expected<std::string> writeBinary(llvm::Module &module);

/// Reads a module as written, for what LLVM's back end is known to get wrong in silence: a function that is imported,
/// and an address whose unit is another than its base's (loop strength reduction makes such). Returns an error for the
/// first and does not return from the second, which is a bug of the compiler.
llvm::Error checkModule(llvm::StringRef binary);

} // namespace tilecc::spirv

#endif // TILECC_TARGETS_SPIRV_SPIRVMODULE_H
