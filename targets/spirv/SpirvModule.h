//===- SpirvModule.h - compiles LLVM IR to SPIR-V -------------------------------------------------------*- C++ -*-===//
//
// The last stage of compilation for OpenCL devices, which runs in this process.
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

/// The extensions that code may use, as LLVM's option spirv-ext names them. A module declares those that it uses.
inline constexpr llvm::StringLiteral extensions =
    "+SPV_EXT_shader_atomic_float_add,+SPV_INTEL_subgroup_matrix_multiply_accumulate,+SPV_INTEL_bfloat16_conversion";

/// Links kernels, all of one context, into one module for SPIR-V 1.3, the oldest version that has shuffles.
std::unique_ptr<llvm::Module> linkKernels(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels);

/// Runs LLVM's -O3 without the vectorizers, since the lowering has already chosen vector widths. If `fmad` is true,
/// contracts products and additions that may be contracted.
void optimize(llvm::Module &module, bool fmad);

/// Writes an optimized module as SPIR-V. Fails if the code calls a function that no device has. Only one call runs at a
/// time.
llvm::Expected<std::string> writeBinary(llvm::Module &module);

/// Checks a written module for two kinds of wrong code that LLVM's back end is known to create without an error. If the
/// module imports a function, returns an error. If an address is computed in other units than those of its base (which
/// loop strength reduction causes), reports a compiler bug and does not return.
llvm::Error checkModule(llvm::StringRef binary);

} // namespace tilecc::spirv

#endif // TILECC_TARGETS_SPIRV_SPIRVMODULE_H
