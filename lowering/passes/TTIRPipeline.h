//===- TTIRPipeline.h - the passes before layouts, for every target ------------------------------------------*- C++ -*-//

#ifndef TILECC_LOWERING_PASSES_TTIRPIPELINE_H
#define TILECC_LOWERING_PASSES_TTIRPIPELINE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace tilecc {

/// TTIR to TTIR: what Triton does before layouts. Idempotent; its output is what --emit=ttir prints.
void buildTTIRPipeline(mlir::OpPassManager &pm);
/// TTIR to TTIR for targets that do not copy tensors: descriptors become pointers. Few kernels have any.
void buildPointerPipeline(mlir::OpPassManager &pm);
/// Returns true if a kernel makes descriptors.
bool hasDescriptors(mlir::ModuleOp module);
/// Returns true if a kernel has parameters that are descriptors.
bool takesDescriptors(mlir::ModuleOp module);
/// Returns true if the pointer pipeline has something to rewrite: descriptors, block pointers or scaled products.
bool needsPointerPipeline(mlir::ModuleOp module);
/// For a module that is compiled for targets alone that do not copy tensors: parameters that are descriptors become the
/// address, sizes, strides and padding.
mlir::LogicalResult expandDescriptorArguments(mlir::ModuleOp module);

} // namespace tilecc

#endif // TILECC_LOWERING_PASSES_TTIRPIPELINE_H
