//===- AffineTile.h - tiles whose elements are an address and strides -------------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_ANALYSIS_AFFINETILE_H
#define TILECC_LOWERING_ANALYSIS_AFFINETILE_H

#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/IRMapping.h"
#include <optional>

namespace tilecc {

/// By how much elements of a tile differ from one place to the next along an axis: a number, times a value if there is one.
struct Stride {
  int64_t factor = 0;
  mlir::Value value;        ///< an argument of the kernel; null for 1
  int32_t divisibility = 1; ///< of `value`, as far as the kernel itself says it
  bool isUnsigned = false;  ///< has been extended by zeros

  bool isZero() const { return factor == 0; }
  bool operator==(const Stride &other) const {
    return factor == other.factor && (value == other.value || factor == 0);
  }
};

/// The strides of `tile` (integers: their own; pointers: of the addresses, in elements), one for each axis, where its elements are
/// one value plus an index along each axis times a stride. Sums and products are taken not to overflow, as the language has it.
/// Nothing where that is not known.
std::optional<llvm::SmallVector<Stride>> getStrides(mlir::Value tile);

/// The number that all elements of `tile` are: a constant, or an argument of the kernel; zero where it is neither.
Stride getNumber(mlir::Value tile);

/// What a mask of a tile lets through: what lies before a limit along axes, where conditions of the whole tile hold.
struct TileMask {
  /// Elements of the tile whose index (a tile that increases by 1 along the axis, and only there) is below a limit, the same for
  /// all. Compared without sign, a negative index is not.
  struct Bound {
    unsigned axis;
    mlir::Value index, limit;
    bool isUnsigned, isInclusive;
  };
  llvm::SmallVector<Bound> bounds;
  llvm::SmallVector<mlir::Value> conditions; ///< tiles (or values) of which all elements are the same
};

/// Nothing where the mask is of another kind.
std::optional<TileMask> getTileMask(mlir::Value mask);

/// Whether no element of `value` is negative, by what it is computed from: numbers of programs, loops that count upwards, ranges.
bool isNonNegative(mlir::Value value);

/// Maps the scalars that `tile` is computed from, the nearest, to themselves; what `mapping` has is not looked into.
void mapScalars(mlir::Value tile, mlir::IRMapping &mapping);

/// Computes the first element of `tile`, of which getStrides knows strides, and which is computed from scalars and `mapping`'s
/// keys alone: for those of them that are tiles, its values are their first elements.
mlir::Value createFirstElement(mlir::OpBuilder &builder, mlir::Value tile, mlir::IRMapping &mapping);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_AFFINETILE_H
