//===- PositiveScalars.h - floating-point numbers that are known to be positive -------------------------*- C++ -*-===//
//
// max(x * s) equals max(x) * s if s is positive. triton-hoist-scales (passes/HoistScales.cpp) and the compiler's choice
// of variants use this analysis to find such factors.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_ANALYSIS_POSITIVESCALARS_H
#define TILECC_LOWERING_ANALYSIS_POSITIVESCALARS_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// A product of a tile and a scalar.
struct ScaledTile {
  mlir::Value tile, scale;
  mlir::Operation *product;
};

/// If `value` is the product of a tile and one floating-point number, returns its factors; otherwise returns nothing.
std::optional<ScaledTile> getScaledTile(mlir::Value value);

/// Returns true if `reduce` computes the maximum of one tile.
bool isMaximum(tt::ReduceOp reduce);

/// Returns true if the floating-point number `scalar` is positive and finite: a constant, an argument, or a product or
/// quotient of such values. An argument is taken as positive and finite if `isPositiveArgument` returns true for it.
bool isPositive(mlir::Value scalar, llvm::function_ref<bool(mlir::BlockArgument)> isPositiveArgument);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_POSITIVESCALARS_H
