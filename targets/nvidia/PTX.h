//===- PTX.h - compiles the LLVM dialect to PTX ---------------------------------------------------------*- C++ -*-===//
//
// The last stage for NVIDIA GPUs, in process. All functions are thread-safe for separate contexts.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_PTX_H
#define TILECC_TARGETS_NVIDIA_PTX_H

#include "targets/nvidia/Architectures.h"
#include "lowering/gpu/GpuTarget.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace tilecc {

/// Registers LLVM's back end, which the functions below also do.
void initializeNVPTX();

/// Returns an error if kernels cannot be compiled for `target`, or for this version of PTX (".version" times ten; 0
/// selects the oldest that suffices).
llvm::Error checkTarget(const nvidia::Architecture &target, unsigned ptxVersion = 0);

/// Links kernels, all of one context, into one module for `target`, with the functions of `library` and of `threadCode`
/// (bitcode, see ThreadCode.h) that they use.
llvm::Expected<std::unique_ptr<llvm::Module>> linkKernels(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels,
                                                          const nvidia::Architecture &target,
                                                          const GpuLibrary &library = {},
                                                          llvm::StringRef threadCode = {});

/// Optimizes a module from linkKernels for `target`: LLVM's -O3 without the vectorizers, since the lowering has already
/// chosen widths.
llvm::Error optimize(llvm::Module &module, const nvidia::Architecture &target);

/// Optimizes a module from linkKernels and writes it as PTX, with line directives. `optimized`, if not null, is called
/// with the optimized module.
llvm::Expected<std::string> emitPTX(llvm::Module &module, const nvidia::Architecture &target, unsigned ptxVersion = 0,
                                    llvm::function_ref<void(llvm::Module &)> optimized = nullptr);

/// Joins files that emitPTX has written for kernels with different names and the same target.
std::string joinPTX(llvm::ArrayRef<std::string> files);

/// Returns PTX for `target`, made from PTX for another suffix of the same number (sm_90a from sm_90). The code must not
/// use a feature in which the two differ. The result is the same as from emitPTX.
std::string retargetPTX(llvm::StringRef ptx, const nvidia::Architecture &target);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PTX_H
