//===- Raise.h - raises Clang's LLVM IR of kernels to structured TTIR --------------------------------------*- C++ -*-//
//
// The front end calls raise() after Clang has generated LLVM IR for the kernels. The other functions are its steps.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_RAISE_RAISE_H
#define TILECC_FRONTEND_RAISE_RAISE_H

#include "frontend/Signature.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/PassManager.h"

namespace tilecc {

/// One module for each kernel, and one for each function, in order. A module is null if it could not be raised; errors
/// have then been reported. A module declares the functions of other sources that it calls.
struct RaisedModules {
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> kernels, functions;
};

/// Raises the kernels of `tiles`, and the functions that other sources may call. Consumes tiles.module.
RaisedModules raise(TileModule &tiles, mlir::MLIRContext &context);

/// Step 1, on LLVM IR: inlines everything into the kernels, and brings control flow and local variables into the form
/// that step 2 expects (see Cleanup.cpp).
void cleanUp(TileModule &tiles);

/// Step 2: raises one kernel to a tt.func, whose control flow is still a graph of basic blocks.
mlir::OwningOpRef<mlir::ModuleOp> raiseKernel(TileModule &tiles, const KernelSignature &kernel,
                                              mlir::MLIRContext &context);

/// Step 3: adds the passes that structure the control flow (see Passes.td).
void buildStructuringPipeline(mlir::OpPassManager &pm);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_RAISE_H
