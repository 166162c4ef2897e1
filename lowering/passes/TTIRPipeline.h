//===- TTIRPipeline.h - the passes before layouts, for every target -------------------------------------*- C++ -*-===//

#ifndef TILECC_LOWERING_PASSES_TTIRPIPELINE_H
#define TILECC_LOWERING_PASSES_TTIRPIPELINE_H

#include "lowering/passes/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace tilecc {

/// Builds the TTIR pipeline: what Triton does before layouts. It is idempotent; --emit=ttir prints its output. `keeps`,
/// if given, selects the scaled dots that are not decomposed.
void buildTTIRPipeline(mlir::OpPassManager &pm, KeepsScaledDot keeps = {});
/// Builds the pipeline for targets without tensor copies, which rewrites descriptors to pointers. Few kernels need it.
void buildPointerPipeline(mlir::OpPassManager &pm, KeepsScaledDot keeps = {});
/// Returns true if a kernel creates descriptors.
bool hasDescriptors(mlir::ModuleOp module);
/// Returns true if a kernel has descriptor parameters.
bool takesDescriptors(mlir::ModuleOp module);
/// Returns true if the pointer pipeline has something to rewrite: descriptors, block pointers or scaled dots.
bool needsPointerPipeline(mlir::ModuleOp module);
/// For a module that is compiled only for targets without tensor copies: replaces descriptor parameters by the address,
/// sizes, strides and padding.
mlir::LogicalResult expandDescriptorArguments(mlir::ModuleOp module);

} // namespace tilecc

#endif // TILECC_LOWERING_PASSES_TTIRPIPELINE_H
