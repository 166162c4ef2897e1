//===- CodeObject.h - from LLVM IR to code objects ---------------------------------------------------------*- C++ -*-//
//
// The last part of the way to an AMD GPU, in process: LLVM's back end and lld. Nothing of ROCm takes part.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_AMD_CODEOBJECT_H
#define TILECC_TARGETS_AMD_CODEOBJECT_H

#include "targets/amd/Architectures.h"
#include "lowering/gpu/GpuTarget.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace tilecc::amd {

/// Puts kernels, all of one context, into one module for `facts`, with the attributes that say how they are launched:
/// - the kernarg segment has the parameters in order, each with its natural alignment, and nothing else, unless the
///   kernel asks for the grid's size: then the implicit arguments of code object v5 follow, of which
///   hidden_block_count_* are read;
/// - the work-group's size is exact, and is .reqd_workgroup_size in the metadata;
/// - LDS is static.
std::unique_ptr<llvm::Module> linkKernels(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels,
                                          const Facts &facts, const FloatOptions &floats);

/// LLVM's -O3 without the vectorizers, since the lowering has chosen widths already.
void optimize(llvm::Module &module, const Facts &facts);

/// Writes an optimized module as assembly.
llvm::Expected<std::string> writeAssembly(llvm::Module &module, const Facts &facts);

/// Writes an optimized module as a code object, which the driver loads: an hsaco.
llvm::Expected<std::string> writeCodeObject(llvm::Module &module, const Facts &facts);

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_CODEOBJECT_H
