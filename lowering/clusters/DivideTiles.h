//===- DivideTiles.h - kernels with smaller tiles, for launches of few programs -------------------------*- C++ -*-===//
//
// A kernel's source uses one tile size for all launches. Tiles of 128x128 results suit a matrix multiplication of
// 4096^3. But in a multiplication of 1024^3, they leave half of the multiprocessors idle, and if the matrix has only 16
// rows, 112 rows of each tile are outside the matrix. These functions turn a kernel with a single dot into one whose
// programs each compute a part of the dot's result. They use the rules by which tiles are distributed over the blocks
// of a cluster (Distribution.h), but here the parts are independent of each other.
//
// compile/Variants.h uses them to create variants of kernels.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_CLUSTERS_DIVIDETILES_H
#define TILECC_LOWERING_CLUSTERS_DIVIDETILES_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// The number of elements of a part that has two warp groups with instructions of 64 columns. With smaller parts,
/// operands are loaded too often for loops that are not short (bench/gpu/NOTES.md).
inline constexpr int64_t leastElementsOfPart = 2 * 64 * 64;
/// The number of elements of the smallest part that is useful for short loops: one warp group.
inline constexpr int64_t leastElementsOfSmallPart = 64 * 64;

/// Rewrites `kernel` so that the dot's result of one program is computed by 2^`bits` programs, which are adjacent along
/// x and each compute an equal part. The result is repeatedly halved along its longer axis, or between its columns if
/// both axes are equally long. Returns false if this is impossible, or if a part would have fewer than `leastElements`
/// elements. If it returns false, `kernel` is unusable and must be discarded.
bool dividePrograms(tt::FuncOp kernel, unsigned bits, int64_t leastElements = leastElementsOfPart);

/// Rewrites `kernel`, whose loops have chains of dots, so that the rows of one program's tile are computed by 2^`bits`
/// programs, which are adjacent along x and each compute an equal number of rows. Returns false if this is impossible;
/// `kernel` must then be discarded.
bool divideRows(tt::FuncOp kernel, unsigned bits);

/// Describes a kernel that computes only the first rows of its tiles.
struct FirstRows {
  unsigned argument; ///< the number of an integer argument; the kernel is valid if its value is at most `most`
  int64_t most;
  unsigned bits; ///< 2^bits programs compute what one program computed, as with dividePrograms()
};

/// The numbers of rows for which launches of few rows have variants: those of one warp-group instruction, and the
/// columns of one if the product is computed transposed.
inline constexpr int64_t fewRows[] = {16, 64};

/// Rewrites `kernel` so that it computes only the first `rows` rows of the dot's result, and divides wide tiles along
/// columns. Returns the condition under which the kernel still stores the same
/// elements. Such a condition exists only if the mask of each store compares the row with an argument, the kernel
/// contains no assertions, and no row is negative; `isNonNegativeArgument` returns true for integer arguments that are
/// not negative. Returns nothing if there is no such argument, or if the tile already has so few rows; `kernel` must
/// then be discarded.
std::optional<FirstRows> keepFirstRows(tt::FuncOp kernel, int64_t rows,
                                       llvm::function_ref<bool(mlir::BlockArgument)> isNonNegativeArgument);

} // namespace tilecc

#endif // TILECC_LOWERING_CLUSTERS_DIVIDETILES_H
