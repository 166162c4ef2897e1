//===- PositiveScalars.h - numbers that are known to be positive ----------------------------------------------*- C++ -*-//

#ifndef TILECC_LOWERING_ANALYSIS_POSITIVESCALARS_H
#define TILECC_LOWERING_ANALYSIS_POSITIVESCALARS_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// What a tile is multiplied by: `tile` times the scalar `scale`.
struct ScaledTile {
  mlir::Value tile, scale;
  mlir::Operation *product;
};

/// Nothing if `value` is no product of a tile with one floating-point number.
std::optional<ScaledTile> getScaledTile(mlir::Value value);

/// Whether `reduce` takes the maximum of one tile.
bool isMaximum(tt::ReduceOp reduce);

/// Whether a floating-point number is positive and finite, provided that the arguments are for which `isPositiveArgument` says so:
/// a constant, an argument, and products and quotients of them.
bool isPositive(mlir::Value scalar, llvm::function_ref<bool(mlir::BlockArgument)> isPositiveArgument);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_POSITIVESCALARS_H
