//===- Models.h - what analyses know of operations --------------------------------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_ANALYSIS_MODELS_H
#define TILECC_LOWERING_ANALYSIS_MODELS_H

#include "mlir/IR/DialectRegistry.h"

namespace tilecc {

/// Interfaces whose answers are computed here, for operations of tt, ttg and upstream: every context that runs passes on
/// TTGIR needs them.
void registerAnalysisModels(mlir::DialectRegistry &registry);

/// What operations do to contiguity, divisibility and constancy (AxisInfoRules; AxisInfoInference.cpp).
void registerAxisInfoModels(mlir::DialectRegistry &registry);
/// How much scratch space operations use (tt::UsesScratch; DataMovement.cpp).
void registerScratchModels(mlir::DialectRegistry &registry);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_MODELS_H
