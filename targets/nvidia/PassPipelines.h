//===- PassPipelines.h - the passes of each stage, in order ---------------------------------------------*- C++ -*-===//
//
// Shared by tcc, which runs them on kernels that it has just raised, and by tcc-opt, where each is an option.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_NVIDIA_PASSPIPELINES_H
#define TILECC_TARGETS_NVIDIA_PASSPIPELINES_H

#include "compile/Warps.h"
#include "targets/Backend.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace tilecc {

/// Builds TTIR to TTGIR with final layouts: what --emit=ttgir prints.
void buildTTGIRPipeline(mlir::OpPassManager &pm, const GpuOptions &options);

/// Builds what tritongpu-fit-stages runs over loops (GpuBackend::buildLoopPasses).
void buildNvidiaLoopPasses(mlir::OpPassManager &pm, const LoopStages &stages);

/// Registers the pipelines as options of tcc-opt.
void registerNvidiaPipelines();

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PASSPIPELINES_H
