//===- PassPipelines.h - the passes of each stage, in order ---------------------------------------------*- C++ -*-===//
//
// tcc runs these pipelines on kernels, and tcc-opt has an option for each of them.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_NVIDIA_PASSPIPELINES_H
#define TILECC_TARGETS_NVIDIA_PASSPIPELINES_H

#include "compile/Warps.h"
#include "targets/Backend.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace tilecc {

/// Builds the passes from TTIR to TTGIR with final layouts, whose output --emit=ttgir prints.
void buildTTGIRPipeline(mlir::OpPassManager &pm, const GpuOptions &options);

/// Builds the passes that tritongpu-fit-stages runs to pipeline loops (GpuBackend::buildLoopPasses).
void buildNvidiaLoopPasses(mlir::OpPassManager &pm, const LoopStages &stages);

/// Registers the pipelines as options of tcc-opt.
void registerNvidiaPipelines();

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PASSPIPELINES_H
