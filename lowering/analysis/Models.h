//===- Models.h - external models through which analyses query operations -------------------------------*- C++ -*-===//
//
// The analyses implement them.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_MODELS_H
#define TILECC_LOWERING_ANALYSIS_MODELS_H

#include "mlir/IR/DialectRegistry.h"

namespace tilecc {

/// Registers the interfaces that analyses implement for operations of tt, ttg and MLIR. Every context that runs passes
/// on TTGIR needs them.
void registerAnalysisModels(mlir::DialectRegistry &registry);

/// Contiguity, divisibility and constancy (AxisInfoRules; AxisInfoInference.cpp).
void registerAxisInfoModels(mlir::DialectRegistry &registry);
/// Scratch space (tt::UsesScratch; DataMovement.cpp).
void registerScratchModels(mlir::DialectRegistry &registry);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_MODELS_H
