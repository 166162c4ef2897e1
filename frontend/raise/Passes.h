//===- Passes.h - passes that give raised kernels structured control flow ----------------------------------*- C++ -*-//
//
// Passes.td declares and describes the passes.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_RAISE_PASSES_H
#define TILECC_FRONTEND_RAISE_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include <memory>

namespace tilecc {

#define GEN_PASS_DECL
#include "frontend/raise/Passes.h.inc"

/// Builds a pipeline for IR from other front ends. It inlines functions into kernels, because tiles have no calling
/// convention, and reduces functions on elements to one block.
void buildInliningPipeline(mlir::OpPassManager &pm);

/// Registers the passes for tcc-opt.
void registerRaisePasses();

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_PASSES_H
