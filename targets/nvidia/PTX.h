//===- PTX.h - from the LLVM dialect to PTX ----------------------------------------------------------------*- C++ -*-//
//
// The last part of the GPU path, in process. All functions are thread-safe for separate contexts.
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

/// An error where kernels cannot be compiled for `target`, or not to this version of PTX (as ".version" times ten; 0:
/// the oldest that will do).
llvm::Error checkTarget(const nvidia::Architecture &target, unsigned ptxVersion = 0);

/// Puts kernels, all of one context, into one module for `target`, with what they use of `library`.
llvm::Expected<std::unique_ptr<llvm::Module>> linkKernels(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels,
                                                          const nvidia::Architecture &target,
                                                          const GpuLibrary &library = {});

/// Optimizes a module of linkKernels' for `target`: LLVM's -O3 without the vectorizers, since the lowering has chosen
/// widths already.
llvm::Error optimize(llvm::Module &module, const nvidia::Architecture &target);

/// Optimizes a module of linkKernels' and writes it as PTX, with line directives.
/// `optimized` is called
/// with the optimized module, unless it is null.
llvm::Expected<std::string> emitPTX(llvm::Module &module, const nvidia::Architecture &target, unsigned ptxVersion = 0,
                                    llvm::function_ref<void(llvm::Module &)> optimized = nullptr);

/// PTX for `target`, from PTX for another suffix of its number (sm_90a from sm_90) that needs no feature in which they
/// differ. It is what emitPTX would have written for it.
std::string retargetPTX(llvm::StringRef ptx, const nvidia::Architecture &target);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PTX_H
