//===- GpuPipeline.h - from TTGIR to LLVM IR, for every GPU ---------------------------------------------*- C++ -*-===//
//
// The back end for NVIDIA's GPUs has its own passes from TTIR to TTGIR; the back ends of other vendors share one
// pipeline for this. The passes after TTGIR are the same for all, and their patterns use the back end's TargetInfo.
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

/// What only some back ends compile.
struct PortableExtras {
  bool hasAssertions = false, hasAssembly = false;
};

/// Reports each operation of `module` that the back end cannot compile, because only the back end for NVIDIA's GPUs
/// can, or because it is not among its `extras`. `target` is the name of the back end in messages: "SPIR-V".
mlir::LogicalResult checkPortable(mlir::ModuleOp module, llvm::StringRef target, PortableExtras extras);

/// Builds the passes from TTIR to TTGIR with final layouts. `addDotPasses` adds the passes that assign dots to matrix
/// units; all other dots are computed by multiply and add. `addLoopPasses` adds the passes that pipeline loops, and
/// must call buildPortableLoopPasses().
void buildPortableTTGIRPipeline(mlir::OpPassManager &pm, const GpuOptions &options, unsigned threadsPerWarp,
                                llvm::function_ref<void(mlir::OpPassManager &)> addDotPasses,
                                llvm::function_ref<void(mlir::OpPassManager &)> addLoopPasses);

/// Builds the passes that determine how much shared memory loops use, whether they are pipelined or not.
void buildPortableLoopPasses(mlir::OpPassManager &pm);

/// Builds the passes from TTGIR with final layouts to the LLVM dialect, as translateToLLVM() expects it.
void buildGPUToLLVMPipeline(mlir::OpPassManager &pm, const GpuOptions &options);

/// Translates a module that buildGPUToLLVMPipeline() has lowered to LLVM IR, without optimizing it, and sets `launch`
/// to what a launch of its kernel requires. Fails after it has reported a diagnostic.
mlir::FailureOr<std::unique_ptr<llvm::Module>> translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context,
                                                               Launch &launch);

/// Links the modules of kernels into the first one. There is at least one, and all have the same context.
std::unique_ptr<llvm::Module> linkModules(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels);

/// Gives a kernel `bytes` of static shared memory, instead of memory whose size the launch specifies. Does nothing if
/// the kernel uses no shared memory.
void defineSharedMemory(llvm::Module &module, llvm::StringRef kernel, unsigned bytes);

/// Runs LLVM's -O3 for `machine`, except the vectorizers, since the lowering has already chosen vector widths.
void optimizeForGpu(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace tilecc

#endif // TILECC_TARGETS_GPUPIPELINE_H
