//===- GpuPipeline.h - from TTGIR to LLVM IR, for every GPU ---------------------------------------------*- C++ -*-===//
//
// The back end for NVIDIA's GPUs has its own passes from TTIR to TTGIR; the others share theirs. After that, the passes
// are the same for all, and patterns use the back end's TargetInfo.
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

/// Reports each operation of `module` that only the back end for NVIDIA's GPUs can compile. `target` names the other
/// one in messages: "SPIR-V".
mlir::LogicalResult checkPortable(mlir::ModuleOp module, llvm::StringRef target);

/// Builds the passes from TTIR to TTGIR with final layouts. `addDotPasses` adds the passes that assign dots to matrix
/// units; the remaining dots are computed by multiply and add. `addLoopPasses` adds the passes that pipeline loops, and
/// calls buildPortableLoopPasses().
void buildPortableTTGIRPipeline(mlir::OpPassManager &pm, const GpuOptions &options, unsigned threadsPerWarp,
                                llvm::function_ref<void(mlir::OpPassManager &)> addDotPasses,
                                llvm::function_ref<void(mlir::OpPassManager &)> addLoopPasses);

/// Builds the passes that determine the use of shared memory by loops, pipelined or not.
void buildPortableLoopPasses(mlir::OpPassManager &pm);

/// Builds the passes from TTGIR with final layouts to the LLVM dialect, ready for translateToLLVM().
void buildGPUToLLVMPipeline(mlir::OpPassManager &pm, const GpuOptions &options);

/// Returns the LLVM IR, valid and not optimized yet, of a module that buildGPUToLLVMPipeline() has lowered, and writes
/// the requirements of a launch of its kernel to `launch`. Fails after a diagnostic.
mlir::FailureOr<std::unique_ptr<llvm::Module>> translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context,
                                                               Launch &launch);

/// Links the modules of kernels, at least one and all of one context, into the first one.
std::unique_ptr<llvm::Module> linkModules(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels);

/// Gives a kernel `bytes` of static shared memory, instead of the memory whose size the launch specifies. Does nothing
/// if the kernel uses none.
void defineSharedMemory(llvm::Module &module, llvm::StringRef kernel, unsigned bytes);

/// Runs LLVM's -O3 for `machine`, without the vectorizers, since the lowering has already chosen widths.
void optimizeForGpu(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace tilecc

#endif // TILECC_TARGETS_GPUPIPELINE_H
