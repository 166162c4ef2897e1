//===- PassPipelines.h - the passes of each stage, in order ---------------------------------------------*- C++ -*-===//
//
// tcc runs the pipelines on kernels that it has raised, and tcc-opt has an option for each.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_NVIDIA_PASSPIPELINES_H
#define TILECC_TARGETS_NVIDIA_PASSPIPELINES_H

#include "compile/Warps.h"
#include "targets/Backend.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace tilecc {

/// Builds the passes from TTIR to TTGIR with final layouts, which --emit=ttgir prints.
void buildTTGIRPipeline(mlir::OpPassManager &pm, const GpuOptions &options);

/// Builds the passes that tritongpu-fit-stages runs on loops (GpuBackend::buildLoopPasses).
void buildNvidiaLoopPasses(mlir::OpPassManager &pm, const LoopStages &stages);

/// Registers the pipelines as options of tcc-opt.
void registerNvidiaPipelines();

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PASSPIPELINES_H
