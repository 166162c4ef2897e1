//===- CodeObjectWriter.h - compiles LLVM IR to code objects -----------------------------------------------*- C++ -*-//
//
// The last stage of compilation for AMD's GPUs. It runs LLVM's back end and lld in this process, and does not use ROCm.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_AMD_CODEOBJECTWRITER_H
#define TILECC_TARGETS_AMD_CODEOBJECTWRITER_H

#include "targets/amd/Architectures.h"
#include "lowering/gpu/GpuTarget.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace tilecc::amd {

/// Links kernels of one context into a module for `facts`, and adds the attributes that describe their launch. The
/// kernarg segment contains the parameters in order, with natural alignment. If a kernel reads the size of the grid,
/// the implicit arguments of code object v5 follow; the kernel reads hidden_block_count_* among these. The work-group
/// size is exact, and is recorded as .reqd_workgroup_size in the metadata. LDS is static.
std::unique_ptr<llvm::Module> linkKernels(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels,
                                          const Facts &facts, const FloatOptions &floats);

/// Runs LLVM's -O3 without the vectorizers, since the lowering has already chosen vector widths.
void optimize(llvm::Module &module, const Facts &facts);

/// Packs phis of 8-bit and 16-bit elements that come from the same vectors into wider phis. optimize() does this, too.
void packPhis(llvm::Function &function);

/// Writes an optimized module as assembly.
llvm::Expected<std::string> writeAssembly(llvm::Module &module, const Facts &facts);

/// Writes an optimized module as a code object (hsaco), which the driver loads.
llvm::Expected<std::string> writeCodeObject(llvm::Module &module, const Facts &facts);

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_CODEOBJECTWRITER_H
