//===- AffineTile.h - tiles with a base and a stride along each axis ------------------------------------*- C++ -*-===//
//
// Passes use this analysis to turn accesses through tiles of pointers into tensor copies.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_AFFINETILE_H
#define TILECC_LOWERING_ANALYSIS_AFFINETILE_H

#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/IRMapping.h"
#include <optional>

namespace tilecc {

/// The difference between adjacent elements along an axis: a constant, times a value if there is one.
struct Stride {
  int64_t factor = 0;
  mlir::Value value; ///< an argument of the kernel; null for 1
  int32_t divisibility = 1; ///< the divisibility of `value` that the kernel declares
  bool isUnsigned = false; ///< `value` has been zero-extended

  bool isZero() const { return factor == 0; }
  bool operator==(const Stride &other) const { return factor == other.factor && (value == other.value || factor == 0); }
};

/// Returns one stride per axis if each element of `tile` is a common value plus, for each axis, the index times a
/// stride. For integers, strides are differences; for pointers, they are differences of addresses, in elements. Sums
/// and products are assumed not to overflow, as the language specifies. Returns nothing if the strides are not known.
std::optional<llvm::SmallVector<Stride>> getStrides(mlir::Value tile);

/// Returns the value of all elements of `tile` if it is a constant or an argument of the kernel, and zero otherwise.
Stride getNumber(mlir::Value tile);

/// A mask that is a conjunction of bounds along axes, and of conditions that are the same for the whole tile.
struct TileMask {
  /// Selects the elements whose index along the axis is below a limit that is the same for all elements. The index is a
  /// tile that increases by 1 along this axis only. In an unsigned comparison, negative indices are not below the
  /// limit.
  struct Bound {
    unsigned axis;
    mlir::Value index, limit;
    bool isUnsigned, isInclusive;
  };
  llvm::SmallVector<Bound> bounds;
  llvm::SmallVector<mlir::Value> conditions; ///< scalars, or tiles whose elements are all equal
};

/// Returns nothing if the mask does not have this structure.
std::optional<TileMask> getTileMask(mlir::Value mask);

/// Returns true if no element of `value` is negative, because it is computed from program ids, loops that count
/// upwards, ranges, and arguments of the kernel for which `isNonNegativeArgument` returns true.
bool isNonNegative(
    mlir::Value value,
    llvm::function_ref<bool(mlir::BlockArgument)> isNonNegativeArgument = [](mlir::BlockArgument) { return false; });

/// Maps the nearest scalars from which `tile` is computed to themselves. Does not visit the operands of values that
/// `mapping` contains.
void mapScalars(mlir::Value tile, mlir::IRMapping &mapping);

/// Computes the first element of `tile`. The tile must have known strides, and must be computed only from scalars and
/// keys of `mapping`. If a key is a tile, `mapping` contains its first element.
mlir::Value createFirstElement(mlir::OpBuilder &builder, mlir::Value tile, mlir::IRMapping &mapping);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_AFFINETILE_H
