//===- PTX.h - compiles the LLVM dialect to PTX ---------------------------------------------------------*- C++ -*-===//
//
// The last stage of compilation for NVIDIA's GPUs, which runs in this process. All functions are thread-safe, provided
// that threads use different LLVM contexts.
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

/// Registers LLVM's back end for PTX. The functions below do this, too.
void initializeNVPTX();

/// Returns an error if kernels cannot be compiled for `target`, or not with this version of PTX. `ptxVersion` is the
/// number after ".version", times ten; 0 selects the oldest version that suffices.
llvm::Error checkTarget(const nvidia::Architecture &target, unsigned ptxVersion = 0);

/// Links kernels, all of one context, into one module for `target`. Also links the functions of `library` and of
/// `threadCode` (bitcode, see ThreadCode.h) that they use.
llvm::Expected<std::unique_ptr<llvm::Module>> linkKernels(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels,
                                                          const nvidia::Architecture &target,
                                                          const GpuLibrary &library = {},
                                                          llvm::StringRef threadCode = {});

/// Optimizes a module that linkKernels() has returned, for `target`. Runs LLVM's -O3 without the vectorizers, since the
/// lowering has already chosen vector widths.
llvm::Error optimize(llvm::Module &module, const nvidia::Architecture &target);

/// Optimizes a module that linkKernels() has returned, and writes it as PTX with line directives. `optimized`, if not
/// null, is called with the optimized module.
llvm::Expected<std::string> emitPTX(llvm::Module &module, const nvidia::Architecture &target, unsigned ptxVersion = 0,
                                    llvm::function_ref<void(llvm::Module &)> optimized = nullptr);

/// Joins the texts that emitPTX() has returned for kernels with different names and the same target.
std::string joinPTX(llvm::ArrayRef<std::string> files);

/// Returns PTX for `target`, made from PTX for an architecture with the same number and another suffix (sm_90a from
/// sm_90). The code must not use features in which the two architectures differ. The result is what emitPTX() would
/// return.
std::string retargetPTX(llvm::StringRef ptx, const nvidia::Architecture &target);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PTX_H
