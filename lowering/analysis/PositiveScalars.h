//===- PositiveScalars.h - floating-point numbers that are known to be positive -------------------------*- C++ -*-===//

#ifndef TILECC_LOWERING_ANALYSIS_POSITIVESCALARS_H
#define TILECC_LOWERING_ANALYSIS_POSITIVESCALARS_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// A product of a tile and a scalar.
struct ScaledTile {
  mlir::Value tile, scale;
  mlir::Operation *product;
};

/// Returns the factors of `value`, or nothing if it is not the product of a tile and one floating-point number.
std::optional<ScaledTile> getScaledTile(mlir::Value value);

/// Returns true if `reduce` computes the maximum of one tile.
bool isMaximum(tt::ReduceOp reduce);

/// Returns true if a floating-point number is positive and finite, provided that the arguments for which
/// `isPositiveArgument` returns true are. It may be a constant, an argument, or a product or quotient of such values.
bool isPositive(mlir::Value scalar, llvm::function_ref<bool(mlir::BlockArgument)> isPositiveArgument);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_POSITIVESCALARS_H
