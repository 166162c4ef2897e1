//===- Raise.h - from Clang's LLVM IR of kernels to structured TTIR ----------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_RAISE_H
#define TILECC_FRONTEND_RAISE_RAISE_H

#include "frontend/Signature.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/PassManager.h"

namespace tilecc {

/// One module for each, in order; null for one that cannot be raised, whose errors have been emitted. What is called and
/// defined in another source is declared in them.
struct RaisedModules {
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> kernels, functions;
};

/// Raises the kernels of `tiles` and the functions that other sources may call. Consumes tiles.module.
RaisedModules raise(TileModule &tiles, mlir::MLIRContext &context);

/// First step, on LLVM IR: inlines everything into kernels and brings their control flow and locals into the form that
/// the next step expects (see Cleanup.cpp).
void cleanUp(TileModule &tiles);

/// Second step: one kernel as a tt.func whose control flow is still a graph of blocks.
mlir::OwningOpRef<mlir::ModuleOp> raiseKernel(TileModule &tiles, const KernelSignature &kernel,
                                              mlir::MLIRContext &context);

/// Third step: passes that give it structure (see Passes.td).
void buildStructuringPipeline(mlir::OpPassManager &pm);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_RAISE_H
