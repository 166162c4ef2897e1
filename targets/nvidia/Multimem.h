//===- Multimem.h - accesses to multicast memory --------------------------------------------------------*- C++ -*-===//
#ifndef TILECC_TARGETS_NVIDIA_MULTIMEM_H
#define TILECC_TARGETS_NVIDIA_MULTIMEM_H

#include "lowering/gpu/Lowering.h"
#include "targets/nvidia/Architectures.h"

namespace tilecc {

/// Adds the patterns for tt.multimem_sum, tt.multimem_store and tt.multimem_add.
void populateMultimemPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                              const LoweringContext &lowering, const nvidia::Facts &facts);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_MULTIMEM_H
