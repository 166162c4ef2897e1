//===- AffineTile.h - tiles with a base and a stride along each axis ------------------------------------*- C++ -*-===//
//
// Such a tile can be described by a tensor map. Passes use these functions to turn accesses through tiles of pointers
// into tensor copies.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_AFFINETILE_H
#define TILECC_LOWERING_ANALYSIS_AFFINETILE_H

#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/IRMapping.h"
#include <optional>

namespace tilecc {

/// The difference between adjacent elements along an axis: `factor`, times `value` if that is not null.
struct Stride {
  int64_t factor = 0;
  mlir::Value value; ///< an argument of the kernel; null stands for 1
  int32_t divisibility = 1; ///< the divisibility of `value` that the kernel declares
  bool isUnsigned = false; ///< the index arithmetic zero-extends `value`

  bool isZero() const { return factor == 0; }
  bool operator==(const Stride &other) const { return factor == other.factor && (value == other.value || factor == 0); }
};

/// Returns one stride per axis, if each element of `tile` is the sum of a common value and, for each axis, the index
/// along that axis times the stride. The strides of integers are differences of values; the strides of pointers are
/// differences of addresses, in elements. Sums and products are assumed not to overflow, as the language specifies.
/// Returns nothing if the strides are not known.
std::optional<llvm::SmallVector<Stride>> getStrides(mlir::Value tile);

/// Returns the common value of all elements of `tile`, if it is a constant or an argument of the kernel; otherwise
/// returns zero.
Stride getNumber(mlir::Value tile);

/// A mask that is the conjunction of bounds along axes and of conditions that are the same for the whole tile.
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

/// Decomposes `mask` into bounds and conditions. Returns nothing if it has another structure.
std::optional<TileMask> getTileMask(mlir::Value mask);

/// Returns true if no element of `value` is negative, because it is computed from program ids, loops that count
/// upwards, ranges, and arguments of the kernel for which `isNonNegativeArgument` returns true.
bool isNonNegative(
    mlir::Value value,
    llvm::function_ref<bool(mlir::BlockArgument)> isNonNegativeArgument = [](mlir::BlockArgument) { return false; });

/// Finds the scalars from which `tile` is computed, and maps each of them to itself in `mapping`. The search stops at
/// scalars and at values that `mapping` already contains.
void mapScalars(mlir::Value tile, mlir::IRMapping &mapping);

/// Creates the code that computes the first element of `tile`, a tile with known strides. All values from which `tile`
/// is computed must be scalars or keys of `mapping`; a key that is a tile is mapped to its first element.
mlir::Value createFirstElement(mlir::OpBuilder &builder, mlir::Value tile, mlir::IRMapping &mapping);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_AFFINETILE_H
