//===- Passes.h - passes that structure raised kernels -----------------------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_PASSES_H
#define TILECC_FRONTEND_RAISE_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include <memory>

namespace tilecc {

#define GEN_PASS_DECL
#include "frontend/raise/Passes.h.inc"

/// For IR from other front ends: inlines functions into kernels, because tiles have no calling convention, and reduces
/// functions on elements to one block.
void buildInliningPipeline(mlir::OpPassManager &pm);

/// Registers the passes for tcc-opt.
void registerRaisePasses();

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_PASSES_H
