//===- GpuPipeline.h - from tiles with layouts to LLVM IR, for every GPU -----------------------------------*- C++ -*-//
//
// Each back end for GPUs has passes of its own from TTIR to TTGIR. From there on the passes are the same: patterns ask
// the back end's TargetInfo.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_GPUPIPELINE_H
#define TILECC_TARGETS_GPUPIPELINE_H

#include "compile/Warps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/Module.h"

namespace tilecc {

/// TTGIR with final layouts to the LLVM dialect, ready for translateToLLVM().
void buildGPUToLLVMPipeline(mlir::OpPassManager &pm, const GpuOptions &options);

/// Returns the LLVM IR, valid and not optimized yet, of a module that buildGPUToLLVMPipeline() has lowered, and
/// writes to `launch` what a launch of its kernel needs. Fails after a diagnostic.
mlir::FailureOr<std::unique_ptr<llvm::Module>> translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context,
                                                               Launch &launch);

/// Puts the modules of kernels, at least one and all of one context, into the first one's.
std::unique_ptr<llvm::Module> linkModules(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels);

/// Gives a kernel `bytes` of shared memory of its own, in place of the memory whose size the launch says. Does nothing
/// if the kernel uses none.
void defineSharedMemory(llvm::Module &module, llvm::StringRef kernel, unsigned bytes);

} // namespace tilecc

#endif // TILECC_TARGETS_GPUPIPELINE_H
