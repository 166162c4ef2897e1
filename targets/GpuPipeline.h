//===- GpuPipeline.h - from tiles with layouts to LLVM IR, for every GPU -----------------------------------*- C++ -*-//
//
// The back end for NVIDIA's GPUs has passes of its own from TTIR to TTGIR, and the others share theirs. From there on
// the passes are the same for all: patterns ask the back end's TargetInfo.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_GPUPIPELINE_H
#define TILECC_TARGETS_GPUPIPELINE_H

#include "compile/Warps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace tilecc {

/// Reports an error at each operation of `module` that only the back end for NVIDIA's GPUs has code for. `target` is
/// what the errors call the other: "SPIR-V".
mlir::LogicalResult checkPortable(mlir::ModuleOp module, llvm::StringRef target);

/// TTIR to TTGIR with final layouts, for GPUs whose matrix units are not used: products are computed by multiply and
/// add, and loops are not pipelined.
void buildPortableTTGIRPipeline(mlir::OpPassManager &pm, const GpuOptions &options, unsigned threadsPerWarp);

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

/// LLVM's -O3 for `machine`, without the vectorizers, since the lowering has chosen widths already.
void optimizeForGpu(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace tilecc

#endif // TILECC_TARGETS_GPUPIPELINE_H
