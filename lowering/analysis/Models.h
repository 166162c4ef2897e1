//===- Models.h - external models through which analyses query operations -------------------------------*- C++ -*-===//
//
// Some analyses query operations through interfaces that are implemented outside the operations' own dialect (MLIR's
// external models). The analyses define these models; the functions below attach them.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_MODELS_H
#define TILECC_LOWERING_ANALYSIS_MODELS_H

#include "mlir/IR/DialectRegistry.h"

namespace tilecc {

/// Registers the interfaces that analyses implement for operations of tt, ttg and MLIR. Every context that runs passes
/// on TTGIR needs them.
void registerAnalysisModels(mlir::DialectRegistry &registry);

/// Registers the models for contiguity, divisibility and constancy (AxisInfoRules; AxisInfoInference.cpp).
void registerAxisInfoModels(mlir::DialectRegistry &registry);
/// Registers the models for scratch space (tt::UsesScratch; DataMovement.cpp).
void registerScratchModels(mlir::DialectRegistry &registry);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_MODELS_H
