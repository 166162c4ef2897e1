//===- PassPipelines.h - the passes of each stage, in order -----------------------------------------------------*- C++ -*-//
//
// Shared by tcc, which runs them on kernels it has just raised, and by tcc-opt, where each is an option.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_PASSPIPELINES_H
#define TILECC_COMPILE_PASSPIPELINES_H

#include "lowering/gpu/GpuTarget.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace tilecc {

/// Every dialect that a kernel's IR may contain, from TTIR to LLVM, with its translation.
void registerAllDialects(mlir::DialectRegistry &registry);

/// TTIR to TTIR: what Triton does before layouts. Idempotent; its output is what --emit=ttir prints.
void buildTTIRPipeline(mlir::OpPassManager &pm);
/// TTIR to TTIR for targets that do not copy tensors: descriptors become pointers. Few kernels have any.
void buildPointerPipeline(mlir::OpPassManager &pm);
bool hasDescriptors(mlir::ModuleOp module);

/// TTIR to TTGIR with final layouts: what --emit=ttgir prints.
void buildTTGIRPipeline(mlir::OpPassManager &pm, const GpuOptions &options);

/// TTGIR to the LLVM dialect with NVVM intrinsics, ready for translateToLLVM (gpu/PTX.h).
void buildGPUToLLVMPipeline(mlir::OpPassManager &pm, const GpuOptions &options);

/// Makes the pipelines options of tcc-opt.
void registerPipelines();

} // namespace tilecc

#endif // TILECC_COMPILE_PASSPIPELINES_H
