//===- TTIRPipeline.h - the passes before layouts, for every target -------------------------------------*- C++ -*-===//
//
// The back ends run one of these pipelines on each variant of a kernel, before their own passes.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_PASSES_TTIRPIPELINE_H
#define TILECC_LOWERING_PASSES_TTIRPIPELINE_H

#include "lowering/passes/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace tilecc {

/// Builds the pipeline on TTIR, which corresponds to the passes that Triton runs before tiles have layouts. It is
/// idempotent, and --emit=ttir prints its output. `keeps`, if given, selects the scaled dots that are not decomposed.
void buildTTIRPipeline(mlir::OpPassManager &pm, KeepsScaledDot keeps = {});
/// Builds the pipeline for targets without tensor copies: the same passes, after one that rewrites tensor descriptors
/// to pointers and masks. Few kernels need it.
void buildPointerPipeline(mlir::OpPassManager &pm, KeepsScaledDot keeps = {});
/// Returns true if a kernel creates tensor descriptors.
bool hasDescriptors(mlir::ModuleOp module);
/// Returns true if a kernel has parameters that are tensor descriptors.
bool takesDescriptors(mlir::ModuleOp module);
/// Returns true if the pointer pipeline has something to rewrite in `module`.
bool needsPointerPipeline(mlir::ModuleOp module);
/// Replaces each descriptor parameter by parameters for the address, sizes, strides and padding. For modules that are
/// compiled only for targets without tensor copies.
mlir::LogicalResult expandDescriptorArguments(mlir::ModuleOp module);

} // namespace tilecc

#endif // TILECC_LOWERING_PASSES_TTIRPIPELINE_H
