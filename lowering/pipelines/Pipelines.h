//===- Pipelines.h - the passes of each stage, in order -----------------------------------------------------*- C++ -*-//
//
// Shared by tcc, which runs them on kernels it has just raised, and by tcc-opt, where each is an option.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_PIPELINES_PIPELINES_H
#define TILECC_LOWERING_PIPELINES_PIPELINES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <string>

namespace tilecc {

/// An NVIDIA GPU: sm_90, or with a suffix sm_90a (that chip alone) or sm_100f (its family).
struct GpuTarget {
  unsigned arch = 80;
  char suffix = 0; ///< 0, 'a' or 'f'

  std::string sm() const { return "sm_" + std::to_string(arch) + (suffix ? std::string(1, suffix) : std::string()); }
};

/// What the lowering of one kernel needs to know beside its IR.
struct GpuOptions {
  GpuTarget target;
  int numWarps = 4;
  int numStages = 3; ///< of software pipelines
  int numCtas = 1;   ///< thread blocks that run one program together
};

/// Every dialect that a kernel's IR may contain, from TTIR to LLVM, with its translation.
void registerAllDialects(mlir::DialectRegistry &registry);

/// TTIR to TTIR: what Triton does before layouts. Idempotent; its output is what --emit=ttir prints.
void buildTTIRPipeline(mlir::OpPassManager &pm);

/// TTIR to TTGIR with final layouts: what --emit=ttgir prints.
void buildTTGIRPipeline(mlir::OpPassManager &pm, const GpuOptions &options);

/// Makes the pipelines options of tcc-opt.
void registerPipelines();

} // namespace tilecc

#endif // TILECC_LOWERING_PIPELINES_PIPELINES_H
